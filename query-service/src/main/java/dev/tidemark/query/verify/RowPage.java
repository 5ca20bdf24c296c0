package dev.tidemark.query.verify;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of a store.
 *
 * @param isLast whether the store has no more behind them
 */
record RowPage(List<Row> rows, boolean isLast) {

    /**
     * Returns the page for another node: whether it is the last, then key and value of each row.
     */
    byte[] toBytes() {
        int size = 1;
        for (Row row : rows) {
            size += 2 * Integer.BYTES + row.key().length + row.value().length;
        }
        ByteBuffer out = ByteBuffer.allocate(size).put((byte) (isLast ? 1 : 0));
        for (Row row : rows) {
            out.putInt(row.key().length).put(row.key());
            out.putInt(row.value().length).put(row.value());
        }
        return out.array();
    }

    /** Returns the page that another node made these bytes of. */
    static RowPage fromBytes(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        boolean isLast = in.get() == 1;
        List<Row> rows = new ArrayList<>();
        while (in.hasRemaining()) {
            byte[] key = next(in);
            rows.add(new Row(key, next(in)));
        }
        return new RowPage(rows, isLast);
    }

    private static byte[] next(ByteBuffer in) {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        return bytes;
    }
}
