package dev.tidemark.query.table;

import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.LocalIndex;
import dev.tidemark.model.table.TableClass;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.TableName;
import dev.tidemark.model.table.TableOptions;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.model.table.Throughput;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.catalog.TableChange;
import dev.tidemark.query.json.JsonBody;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A request for CreateTable. */
record CreateTableRequest(
        Optional<String> tableName,
        AttributeDefinitions attributeDefinitions,
        Optional<List<KeyElement>> keySchema,
        Optional<List<IndexRequest>> localIndexes,
        Optional<List<IndexRequest>> globalIndexes,
        Optional<String> billingMode,
        Optional<ThroughputRequest> throughput,
        Optional<Tags> tags,
        Optional<Boolean> deletionProtection,
        Optional<String> tableClass,
        CapacityRequest capacity,
        UnsupportedParameters unsupported) {

    static final List<String> TABLE_CLASSES = List.of("STANDARD", "STANDARD_INFREQUENT_ACCESS");

    private static final int MOST_LOCAL_INDEXES = 5;

    static CreateTableRequest read(JsonBody body) {
        return new CreateTableRequest(
                body.string("TableName").map(TableArn::nameIn),
                AttributeDefinitions.read(body),
                body.objects("KeySchema", "KeySchemaElement").map(KeyElement::read),
                indexes(body, "LocalSecondaryIndexes", "LocalSecondaryIndex"),
                indexes(body, "GlobalSecondaryIndexes", "GlobalSecondaryIndex"),
                body.string("BillingMode"),
                ThroughputRequest.read(body),
                Tags.read(body),
                body.bool("DeletionProtectionEnabled"),
                body.string("TableClass"),
                CapacityRequest.read(body),
                UnsupportedParameters.read(body));
    }

    /**
     * Returns the table asked for.
     *
     * @throws dev.tidemark.model.error.ApiException if no table can be made from the request
     */
    TableDefinition definition(TableId id, Instant now, TableSettings settings) {
        checkConstraints();
        unsupported.refuse();
        BillingMode billing = billingMode.map(BillingMode::valueOf).orElse(BillingMode.PROVISIONED);
        Throughput provisioned = throughput(billing);
        Map<String, KeyType> types = attributeDefinitions.types();
        KeySchema key = KeyElement.tableKey(keySchema.orElseThrow(), types);
        Set<IndexName> names = new HashSet<>();
        List<LocalIndex> local = local(key, types, names);
        List<GlobalIndex> global = global(billing, types, names);
        requireAllUsed(types, key, local, global);
        Map<String, String> labels = tags.map(Tags::toMap).orElse(Map.of());
        TableDefinition table =
                new TableDefinition(
                        new TableName(tableName.orElseThrow()),
                        id,
                        key,
                        local,
                        global,
                        Tags.partitions(labels).orElse(settings.defaultPartitions()),
                        billing,
                        provisioned,
                        labels,
                        deletionProtection.orElse(false),
                        now,
                        TableStatus.CREATING,
                        TableOptions.DEFAULT
                                .withItemCollectionLimit(settings.itemCollectionLimit())
                                .withTableClass(tableClass.map(TableClass::valueOf))
                                .withCapacity(
                                        capacity.atCreation(
                                                Optional.empty(), billing, provisioned)));
        if (TableChange.projectedAttributes(table) > TableChange.MAX_PROJECTED_ATTRIBUTES) {
            throw TableErrors.invalid(
                    "The total number of NonKeyAttributes of all indexes exceeds the per-table"
                            + " limit of "
                            + TableChange.MAX_PROJECTED_ATTRIBUTES);
        }
        return table;
    }

    private static Optional<List<IndexRequest>> indexes(JsonBody body, String name, String type) {
        return body.objects(name, type).map(list -> list.stream().map(IndexRequest::read).toList());
    }

    private void checkConstraints() {
        TableNames.requirePresent(tableName);
        Constraints constraints = new Constraints();
        constraints.required("attributeDefinitions", attributeDefinitions.given());
        attributeDefinitions.check(constraints);
        TableNames.checkNew(constraints, tableName);
        constraints.oneOf("billingMode", billingMode, List.of("PROVISIONED", "PAY_PER_REQUEST"));
        throughput.ifPresent(given -> given.check(constraints, "provisionedThroughput"));
        KeyElement.check(constraints, "keySchema", keySchema, 2);
        List<IndexRequest> local = localIndexes.orElse(List.of());
        for (int at = 0; at < local.size(); at++) {
            local.get(at).checkLocal(constraints, "localSecondaryIndexes." + (at + 1) + ".member");
        }
        List<IndexRequest> global = globalIndexes.orElse(List.of());
        for (int at = 0; at < global.size(); at++) {
            global.get(at)
                    .checkGlobal(constraints, "globalSecondaryIndexes." + (at + 1) + ".member");
        }
        unsupported.check(constraints);
        constraints.oneOf("tableClass", tableClass, TABLE_CLASSES);
        tags.ifPresent(given -> given.check(constraints));
        constraints.check();
    }

    private Throughput throughput(BillingMode billing) {
        if (billing == BillingMode.PAY_PER_REQUEST) {
            if (throughput.isPresent()) {
                throw TableErrors.onDemandHasNoThroughput();
            }
            return Throughput.NONE;
        }
        return throughput.orElseThrow(TableErrors::throughputMissing).throughput();
    }

    private List<LocalIndex> local(
            KeySchema key, Map<String, KeyType> types, Set<IndexName> names) {
        if (localIndexes.isEmpty()) {
            return List.of();
        }
        List<IndexRequest> given = localIndexes.get();
        if (given.isEmpty()) {
            throw TableErrors.invalid("List of LocalSecondaryIndexes is empty");
        }
        if (!key.hasSort()) {
            throw TableErrors.invalid(
                    "Table KeySchema does not have a range key, which is required when specifying"
                            + " a LocalSecondaryIndex");
        }
        List<LocalIndex> indexes = new ArrayList<>();
        for (IndexRequest index : given) {
            indexes.add(index.local(indexes.size() + 1, key, types));
            requireUnique(index, names);
        }
        if (indexes.size() > MOST_LOCAL_INDEXES) {
            throw TableErrors.invalid(
                    "Number of LocalSecondaryIndexes exceeds per-table limit of "
                            + MOST_LOCAL_INDEXES);
        }
        return indexes;
    }

    private List<GlobalIndex> global(
            BillingMode billing, Map<String, KeyType> types, Set<IndexName> names) {
        if (globalIndexes.isEmpty()) {
            return List.of();
        }
        List<IndexRequest> given = globalIndexes.get();
        if (given.isEmpty()) {
            throw TableErrors.invalid("List of GlobalSecondaryIndexes is empty");
        }
        List<GlobalIndex> indexes = new ArrayList<>();
        for (IndexRequest index : given) {
            indexes.add(index.global(billing, types));
            requireUnique(index, names);
        }
        if (indexes.size() > TableChange.MAX_GLOBAL_INDEXES) {
            throw TableErrors.invalid(
                    "GlobalSecondaryIndex count exceeds the per-table limit of "
                            + TableChange.MAX_GLOBAL_INDEXES);
        }
        return indexes;
    }

    private static void requireUnique(IndexRequest index, Set<IndexName> names) {
        if (!names.add(index.indexName())) {
            throw TableErrors.invalid("Duplicate index name: " + index.indexName());
        }
    }

    private static void requireAllUsed(
            Map<String, KeyType> types,
            KeySchema key,
            List<LocalIndex> local,
            List<GlobalIndex> global) {
        Set<String> used = new LinkedHashSet<>(key.names());
        local.forEach(index -> used.addAll(index.key().names()));
        global.forEach(index -> used.addAll(index.key().names()));
        if (used.containsAll(types.keySet())) {
            return;
        }
        if (local.isEmpty() && global.isEmpty()) {
            throw TableErrors.unusedDefinitions();
        }
        throw TableErrors.unusedDefinitions(types.keySet(), used);
    }
}
