package dev.tidemark.testsupport.reference;

import dev.tidemark.model.item.Item;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The capacity units a request uses.
 *
 * @param table those of the table
 * @param indexes those of each index that has any
 */
public record Capacity(double table, Map<String, Double> indexes) {

    public Capacity {
        indexes = new TreeMap<>(indexes);
    }

    /** Returns the units of the table and all indexes. */
    public double total() {
        return table + indexes.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Returns what it costs to write an item. */
    public static Capacity of(TableShape table, Written written) {
        Map<String, Double> indexes = new TreeMap<>();
        for (IndexShape index : table.indexes()) {
            double units =
                    entryUnits(
                            index,
                            entry(table, index, written.before()),
                            entry(table, index, written.after()));
            if (units > 0) {
                indexes.put(index.name(), units);
            }
        }
        return new Capacity(
                writeUnits(Math.max(size(written.before()), size(written.after()))), indexes);
    }

    /** Returns what it costs to read an item or its absence. */
    public static double ofReading(Optional<Item> item, boolean strong) {
        return readUnits(size(item), strong);
    }

    /** Returns what it costs to read a page. */
    public static Capacity ofReading(IndexShape index, Page page, boolean strong) {
        double entries = readUnits(page.entryBytes(), strong);
        if (index.kind() == IndexShape.Kind.TABLE) {
            return new Capacity(entries, Map.of());
        }
        double fetched =
                page.fetched().stream().mapToDouble(bytes -> readUnits(bytes, strong)).sum();
        return new Capacity(fetched, Map.of(index.name(), entries));
    }

    private static Optional<Item> entry(TableShape table, IndexShape index, Optional<Item> item) {
        return item.filter(index::admits).map(whole -> index.projected(table, whole));
    }

    private static double entryUnits(IndexShape index, Optional<Item> old, Optional<Item> now) {
        if (old.equals(now)) {
            return 0;
        }
        boolean moves =
                old.isPresent()
                        && now.isPresent()
                        && !IndexShape.values(index.key(), old.get())
                                .equals(IndexShape.values(index.key(), now.get()));
        return moves
                ? writeUnits(size(old)) + writeUnits(size(now))
                : writeUnits(Math.max(size(old), size(now)));
    }

    private static double writeUnits(long bytes) {
        return Math.max(1, Math.ceil(bytes / 1024.0));
    }

    private static double readUnits(long bytes, boolean strong) {
        return Math.max(1, Math.ceil(bytes / 4096.0)) * (strong ? 1 : 0.5);
    }

    private static int size(Optional<Item> item) {
        return item.map(Item::size).orElse(0);
    }
}
