package dev.tidemark.query.table;

import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.LocalIndex;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.Throughput;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.catalog.TableChange;
import dev.tidemark.query.json.JsonBody;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A local or global index as a request defines it. */
record IndexRequest(
        Optional<String> name,
        Optional<List<KeyElement>> keySchema,
        Optional<ProjectionRequest> projection,
        Optional<ThroughputRequest> throughput,
        CapacityRequest capacity) {

    static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_.-]+");

    private static final int MOST_LOCAL_KEYS = 2;
    private static final int MOST_GLOBAL_KEYS = 2 * KeySchema.MAX_ATTRIBUTES;

    static IndexRequest read(JsonBody body) {
        return new IndexRequest(
                body.string("IndexName"),
                body.objects("KeySchema", "KeySchemaElement").map(KeyElement::read),
                ProjectionRequest.read(body),
                ThroughputRequest.read(body),
                CapacityRequest.read(body));
    }

    static void checkName(Constraints constraints, String path, Optional<String> name) {
        constraints.required(path + ".indexName", name);
        constraints.pattern(path + ".indexName", name, NAME);
        constraints.length(path + ".indexName", name, 3, 255);
    }

    void checkLocal(Constraints constraints, String path) {
        check(constraints, path, MOST_LOCAL_KEYS);
    }

    void checkGlobal(Constraints constraints, String path) {
        check(constraints, path, MOST_GLOBAL_KEYS);
        throughput.ifPresent(given -> given.check(constraints, path + ".provisionedThroughput"));
    }

    /** Returns the local index with this number of a table with {@code tableKey}. */
    LocalIndex local(int id, KeySchema tableKey, Map<String, KeyType> types) {
        KeySchema key = KeyElement.simpleKey(keySchema.orElseThrow(), types);
        if (!key.hasSort()) {
            throw TableErrors.invalid(
                    "Index KeySchema does not have a range key for index: " + name.orElseThrow());
        }
        String hash = key.partition().get(0).name();
        String tableHash = tableKey.partition().get(0).name();
        if (!hash.equals(tableHash)) {
            throw TableErrors.invalid(
                    "Index KeySchema does not have the same leading hash key as table KeySchema"
                            + " for index: "
                            + name.orElseThrow()
                            + ". index hash key: "
                            + hash
                            + ", table hash key: "
                            + tableHash);
        }
        return new LocalIndex(indexName(), id, key, projection.orElseThrow().projection());
    }

    /** Returns the global index, first of its name, of a table billed so. */
    GlobalIndex global(BillingMode billing, Map<String, KeyType> types) {
        KeySchema key = KeyElement.wideKey(keySchema.orElseThrow(), types);
        Projection projected = projection.orElseThrow().projection();
        Throughput provisioned = throughput(billing);
        return new GlobalIndex(
                indexName(),
                1,
                key,
                projected,
                provisioned,
                IndexStatus.CREATING,
                capacity.atCreation(Optional.of(indexName()), billing, provisioned));
    }

    /** Returns the change that adds the global index to a table billed so. */
    TableChange.AddIndex addition(
            BillingMode billing, Map<String, KeyType> types, Instant now, int atOnce) {
        GlobalIndex index = global(billing, types);
        return new TableChange.AddIndex(
                index.name(),
                index.key(),
                index.projection(),
                index.throughput(),
                index.capacity(),
                Optional.of(now),
                atOnce);
    }

    IndexName indexName() {
        return new IndexName(name.orElseThrow());
    }

    private Throughput throughput(BillingMode billing) {
        if (billing == BillingMode.PAY_PER_REQUEST) {
            if (throughput.isPresent()) {
                throw TableErrors.onDemandIndexHasNoThroughput(name.orElseThrow());
            }
            return Throughput.NONE;
        }
        return throughput
                .orElseThrow(() -> TableErrors.throughputMissing(name.orElseThrow()))
                .throughput();
    }

    private void check(Constraints constraints, String path, int mostKeys) {
        checkName(constraints, path, name);
        KeyElement.check(constraints, path + ".keySchema", keySchema, mostKeys);
        constraints.required(path + ".projection", projection);
        projection.ifPresent(given -> given.check(constraints, path + ".projection"));
    }
}
