package dev.tidemark.query;

import dev.tidemark.expressions.BoundCondition;
import dev.tidemark.expressions.ProjectionExpression;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.index.IndexMaintenance;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.Partitioning;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.rules.ItemRules;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.LocalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableName;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.model.write.Placeholders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What follows from a table's definition and is asked for with every request. Immutable. */
public final class TableFacts {

    /** An index and how it follows its table. */
    public record MaintainedIndex(String name, boolean isLocal, IndexMaintenance maintenance) {}

    private final TableDefinition table;
    private final ItemRules rules;
    private final List<MaintainedIndex> indexes;

    private TableFacts(TableDefinition table) {
        this.table = table;
        this.rules = ItemRules.of(table);
        List<MaintainedIndex> maintained = new ArrayList<>();
        for (LocalIndex index : table.localIndexes()) {
            maintained.add(
                    new MaintainedIndex(
                            index.name().value(),
                            true,
                            new IndexMaintenance(table.key(), index.key(), index.projection())));
        }
        for (GlobalIndex index : table.globalIndexes()) {
            if (index.status().isMaintained()) {
                maintained.add(
                        new MaintainedIndex(
                                index.name().value(),
                                false,
                                new IndexMaintenance(
                                        table.key(), index.key(), index.projection())));
            }
        }
        this.indexes = List.copyOf(maintained);
    }

    /** Finds the facts of tables; those of a definition met before are kept. Thread-safe. */
    public static final class Finder {

        private static final int MOST_KEPT = 1_000;

        private final TableLookup tables;
        private final Map<TableName, TableFacts> known = new ConcurrentHashMap<>();

        public Finder(TableLookup tables) {
            this.tables = tables;
        }

        /**
         * Returns the facts of the table with this name.
         *
         * @throws ApiException a ResourceNotFoundException if there is none that holds items
         */
        @SuppressWarnings("ReferenceEquality") // a definition is never changed, only replaced
        public TableFacts find(String name) {
            if (!TableName.isValid(name)) {
                throw Messages.tableNotFound();
            }
            TableName tableName = new TableName(name);
            TableDefinition table = tables.find(tableName).orElseThrow(Messages::tableNotFound);
            if (table.status() == TableStatus.CREATING || table.status() == TableStatus.DELETING) {
                throw Messages.tableNotFound();
            }
            TableFacts facts = known.get(tableName);
            if (facts == null || facts.table != table) {
                facts = new TableFacts(table);
                if (known.size() >= MOST_KEPT) {
                    known.clear();
                }
                known.put(tableName, facts);
            }
            return facts;
        }
    }

    public TableDefinition table() {
        return table;
    }

    public ItemRules rules() {
        return rules;
    }

    /** Returns all indexes that follow the table. */
    public List<MaintainedIndex> indexes() {
        return indexes;
    }

    /**
     * Returns the primary key that {@code key} is.
     *
     * @throws ApiException a ValidationException if it is none of this table
     */
    public PrimaryKey requireKey(Item key) {
        refuse(rules.checkKey(key));
        return table.key().keyOf(key).orElseThrow();
    }

    /**
     * Returns the primary key of an item to be put by a batch, which says of a key of another type
     * what is said of a Key.
     *
     * @throws ApiException a ValidationException if the item can't be stored in this table
     */
    public PrimaryKey requireBatchPut(Item item) {
        refuse(ItemRules.checkKeyValues(table.key(), item));
        return requirePut(item);
    }

    /**
     * Refuses a condition or filter that looks into a key attribute of the table or an index.
     *
     * @throws ApiException a ValidationException
     */
    public void requireScalarKeys(BoundCondition condition) {
        condition.requireScalarKeys(table.key(), rules.indexKeyNames());
    }

    /**
     * Refuses a projection that looks into a key attribute of the table or an index.
     *
     * @throws ApiException a ValidationException
     */
    public void requireScalarKeys(ProjectionExpression projection, Placeholders placeholders) {
        projection.requireScalarKeys(placeholders, table.key(), rules.indexKeyNames());
    }

    /**
     * Returns the primary key of an item to be put.
     *
     * @throws ApiException a ValidationException if the item can't be stored in this table
     */
    public PrimaryKey requirePut(Item item) {
        refuse(rules.checkPut(item));
        return table.key().keyOf(item).orElseThrow();
    }

    /**
     * Refuses an item that is too large for any table, which is told before whether there is such a
     * table.
     *
     * @throws ApiException a ValidationException
     */
    public static void requireSize(Item item) {
        refuse(ItemRules.checkSize(item));
    }

    /** Returns the partition of the items with this partition key. */
    public int partitionOf(List<AttributeValue> partitionKey) {
        return Partitioning.partition(Partitioning.recordKey(partitionKey), table.partitions());
    }

    public PartitionRef.OfTable partition(int number) {
        return new PartitionRef.OfTable(table.id(), number);
    }

    private static void refuse(Optional<String> violation) {
        if (violation.isPresent()) {
            throw ApiException.validation(violation.get());
        }
    }
}
