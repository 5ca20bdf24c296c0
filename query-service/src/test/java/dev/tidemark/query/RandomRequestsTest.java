package dev.tidemark.query;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.LocalIndex;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.TableName;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.model.table.Throughput;
import dev.tidemark.query.http.ErrorForm;
import dev.tidemark.query.http.Headers;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonWriter;
import dev.tidemark.testsupport.reference.IndexShape;
import dev.tidemark.testsupport.reference.ReferenceTable;
import dev.tidemark.testsupport.reference.TableShape;
import dev.tidemark.testsupport.reference.View;
import dev.tidemark.testsupport.trial.ReadTrial;
import dev.tidemark.testsupport.trial.ScanTrial;
import dev.tidemark.testsupport.trial.Service;
import dev.tidemark.testsupport.trial.TrialTable;
import dev.tidemark.testsupport.trial.WriteTrial;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The operations answer as the reference table does, whatever is asked. Without a log: what Kafka
 * is needed for is tried end to end.
 */
class RandomRequestsTest {

    private static final List<String> PARTITION_KEYS =
            List.of("p0", "p1", "p2", "p3", "p\u0000", "p\u0000a", "\u00e9", "\ud83d\ude00");

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void everyAnswerIsThatOfTheReferenceTable(long seed) {
        // Given
        TableShape shape = TrialTable.named("Trial");
        InMemoryTables tables = new InMemoryTables();
        tables.define(definition(shape));
        Service service = (operation, body) -> call(tables, operation, body);
        ReferenceTable reference = new ReferenceTable(shape);
        WriteTrial writes = new WriteTrial(service, reference, PARTITION_KEYS, seed);
        writes.putLarge(30, 40_000);

        for (int round = 0; round < 2; round++) {
            // When
            writes.run(2_500);

            // Then
            for (IndexShape index : shape.all()) {
                View view = reference.view(index);
                new ReadTrial(service, reference, view, seed + round).run(15);
                new ScanTrial(service, reference, view, seed + round).run(4);
            }
        }
    }

    @SuppressWarnings("IllegalCatch") // a request boundary, as the front end is
    private static Service.Reply call(InMemoryTables tables, String operation, String body) {
        Request request =
                new Request(operation, body.getBytes(StandardCharsets.UTF_8), Headers.of(Map.of()));
        try {
            byte[] reply = tables.execute(request).toCompletableFuture().join().toByteArray();
            return new Service.Reply(200, new String(reply, StandardCharsets.UTF_8));
        } catch (ApiException | CompletionException e) {
            ApiException failure = ErrorForm.apiException(e);
            if (failure.error() == ApiError.INTERNAL) {
                throw e;
            }
            JsonWriter out = new JsonWriter();
            out.beginObject()
                    .member("__type", failure.error().wireName())
                    .member("message", failure.text());
            failure.item().ifPresent(item -> out.name("Item").item(item));
            out.endObject();
            return new Service.Reply(
                    failure.error().status(),
                    new String(out.toByteArray(), StandardCharsets.UTF_8));
        }
    }

    private static TableDefinition definition(TableShape shape) {
        List<LocalIndex> local = new ArrayList<>();
        List<GlobalIndex> global = new ArrayList<>();
        for (IndexShape index : shape.indexes()) {
            IndexName name = new IndexName(index.name());
            KeySchema key = new KeySchema(index.partition(), index.sort());
            if (index.isGlobal()) {
                global.add(
                        new GlobalIndex(
                                name,
                                1,
                                key,
                                projection(index),
                                Throughput.NONE,
                                IndexStatus.ACTIVE));
            } else {
                local.add(new LocalIndex(name, local.size() + 1, key, projection(index)));
            }
        }
        return new TableDefinition(
                new TableName(shape.name()),
                new TableId("trial222"),
                new KeySchema(shape.primary().partition(), shape.primary().sort()),
                local,
                global,
                3,
                BillingMode.PAY_PER_REQUEST,
                Throughput.NONE,
                Map.of(),
                false,
                Instant.EPOCH,
                TableStatus.ACTIVE);
    }

    private static Projection projection(IndexShape index) {
        Optional<Projection> kept =
                index.included()
                        .map(
                                names ->
                                        names.isEmpty()
                                                ? new Projection.KeysOnly()
                                                : new Projection.Include(List.copyOf(names)));
        return kept.orElseGet(Projection.All::new);
    }
}
