package dev.tidemark.query;

import dev.tidemark.model.index.EntryChange;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.query.json.JsonWriter;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Capacity units used by one request on one table, by DynamoDB's arithmetic. Not thread-safe. */
public final class CapacityUse {

    /** The values of ReturnConsumedCapacity. */
    public static final List<String> DETAILS = List.of("INDEXES", "TOTAL", "NONE");

    private static final int WRITE_UNIT = 1024;
    private static final int READ_UNIT = 4096;

    private final String table;
    private final Map<String, Double> local = new TreeMap<>();
    private final Map<String, Double> global = new TreeMap<>();
    private double tableUnits;

    public CapacityUse(String table) {
        this.table = table;
    }

    /** Returns the units of reading {@code bytes} in one go. */
    public static double readUnits(long bytes, boolean consistent) {
        long units = Math.max(1, (bytes + READ_UNIT - 1) / READ_UNIT);
        return consistent ? units : units / 2.0;
    }

    public void addTable(double units) {
        tableUnits += units;
    }

    public void addLocal(String index, double units) {
        local.merge(index, units, Double::sum);
    }

    public void addGlobal(String index, double units) {
        global.merge(index, units, Double::sum);
    }

    /** Adds what a write costs that left {@code after} of {@code before}. */
    public void addWrite(
            TableFacts facts, PrimaryKey key, Optional<Item> before, Optional<Item> after) {
        int larger = Math.max(before.map(Item::size).orElse(0), after.map(Item::size).orElse(0));
        addTable(writeUnits(larger));
        for (TableFacts.MaintainedIndex index : facts.indexes()) {
            double units = entryUnits(index.maintenance().changeFor(key, before, after));
            if (units > 0) {
                if (index.isLocal()) {
                    addLocal(index.name(), units);
                } else {
                    addGlobal(index.name(), units);
                }
            }
        }
    }

    /** Returns all units. */
    public double total() {
        double total = tableUnits;
        for (double units : local.values()) {
            total += units;
        }
        for (double units : global.values()) {
            total += units;
        }
        return total;
    }

    /** Writes a member ConsumedCapacity if {@code detail} asks for it. */
    public void writeMember(Optional<String> detail, JsonWriter out) {
        if (isAsked(detail)) {
            out.name("ConsumedCapacity");
            write(detail, out);
        }
    }

    /** Writes a member ConsumedCapacity with the uses of several tables if it is asked for. */
    public static void writeMember(
            Optional<String> detail, Collection<CapacityUse> uses, JsonWriter out) {
        if (isAsked(detail)) {
            out.name("ConsumedCapacity").beginArray();
            uses.forEach(use -> use.write(detail, out));
            out.endArray();
        }
    }

    public static boolean isAsked(Optional<String> detail) {
        return detail.isPresent() && !detail.get().equals("NONE");
    }

    private void write(Optional<String> detail, JsonWriter out) {
        out.beginObject().member("TableName", table).member("CapacityUnits", total());
        if (detail.filter("INDEXES"::equals).isPresent()) {
            out.name("Table").beginObject().member("CapacityUnits", tableUnits).endObject();
            writeIndexes("LocalSecondaryIndexes", local, out);
            writeIndexes("GlobalSecondaryIndexes", global, out);
        }
        out.endObject();
    }

    private static void writeIndexes(String name, Map<String, Double> units, JsonWriter out) {
        if (units.isEmpty()) {
            return;
        }
        out.name(name).beginObject();
        units.forEach(
                (index, used) ->
                        out.name(index).beginObject().member("CapacityUnits", used).endObject());
        out.endObject();
    }

    private static double entryUnits(EntryChange change) {
        if (change.isNone()) {
            return 0;
        }
        return change.isMove()
                ? writeUnits(change.sizeBefore()) + writeUnits(change.sizeAfter())
                : writeUnits(Math.max(change.sizeBefore(), change.sizeAfter()));
    }

    private static double writeUnits(int bytes) {
        return Math.max(1, (bytes + WRITE_UNIT - 1) / WRITE_UNIT);
    }
}
