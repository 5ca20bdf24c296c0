package dev.tidemark.wire;

import java.util.List;
import org.apache.avro.Schema;

/** Checks that bytes have the shape of a schema, in bounded time, memory and stack. */
final class AvroShape {

    /** A value of ours takes three levels of schema for each of its own. */
    private static final int MAX_DEPTH = ItemCodec.MAX_DEPTH * 3 + 16;

    /** The most elements without any bytes of their own, such as nulls, that an array may have. */
    private static final int MAX_EMPTY_ELEMENTS = 10_000;

    private AvroShape() {}

    /**
     * Moves {@code in} past one value.
     *
     * @throws WireFormatException if there is none
     */
    static void check(Schema schema, AvroReader in) {
        check(schema, in, 0);
    }

    private static void check(Schema schema, AvroReader in, int depth) {
        if (depth > MAX_DEPTH) {
            throw new WireFormatException("Invalid Avro: nested too deeply");
        }
        switch (schema.getType()) {
            case NULL -> {}
            case BOOLEAN -> in.readBoolean();
            case INT -> in.readInt();
            case LONG -> in.readLong();
            case FLOAT -> in.skip(4);
            case DOUBLE -> in.skip(8);
            case STRING, BYTES -> in.skipBytes();
            case FIXED -> in.skip(schema.getFixedSize());
            case ENUM -> in.readIndex(schema.getEnumSymbols().size());
            case UNION -> {
                List<Schema> branches = schema.getTypes();
                check(branches.get(in.readIndex(branches.size())), in, depth + 1);
            }
            case RECORD -> {
                for (Schema.Field field : schema.getFields()) {
                    check(field.schema(), in, depth + 1);
                }
            }
            case ARRAY -> {
                int empty = 0;
                for (long count = block(in); count > 0; count = block(in)) {
                    for (long left = count; left > 0; left--) {
                        int from = in.at;
                        check(schema.getElementType(), in, depth + 1);
                        if (in.at == from && ++empty > MAX_EMPTY_ELEMENTS) {
                            throw new WireFormatException("Invalid Avro: count");
                        }
                    }
                }
            }
            case MAP -> {
                for (int count = in.readBlock(1); count > 0; count = in.readBlock(1)) {
                    for (int left = count; left > 0; left--) {
                        in.skipBytes();
                        check(schema.getValueType(), in, depth + 1);
                    }
                }
            }
        }
    }

    /** Reads a block's head without a bound on its count: its elements may have no bytes. */
    private static long block(AvroReader in) {
        long count = in.readLong();
        if (count < 0) {
            in.readLength();
            count = -count;
        }
        if (count < 0) {
            throw new WireFormatException("Invalid Avro: count");
        }
        return count;
    }
}
