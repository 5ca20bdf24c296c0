package dev.tidemark.query.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tidemark.kafka.embedded.EmbeddedKafka;
import dev.tidemark.kafka.embedded.EmbeddedKafkaConfig;
import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.TableName;
import dev.tidemark.query.http.ErrorForm;
import dev.tidemark.query.record.InvalidRecordException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas of the catalog on a real broker. */
class LogCatalogIT {

    private static final TableName NAME = new TableName("readings");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir static Path kafkaFolder;
    private static EmbeddedKafka kafka;
    private static int topics;

    private final Random random = new Random(11);
    private final Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
    private final List<LogCatalog> catalogs = new ArrayList<>();
    private CatalogSettings settings;

    @BeforeAll
    static void startKafka() {
        kafka = EmbeddedKafka.start(EmbeddedKafkaConfig.in(kafkaFolder));
    }

    @AfterAll
    static void stopKafka() {
        kafka.close();
    }

    @BeforeEach
    void takeANewTopic() {
        settings =
                new CatalogSettings(
                        "td.catalog-" + topics++,
                        (short) 1,
                        PATIENCE,
                        Duration.ofSeconds(10),
                        Map.of("bootstrap.servers", kafka.bootstrapServers()));
    }

    @AfterEach
    void closeCatalogs() {
        catalogs.forEach(LogCatalog::close);
    }

    @Test
    void exactlyOneOfManyProposalsOfANameIsAcceptedAndAllReplicasAgreeOnIt() {
        LogCatalog one = start();
        LogCatalog other = start();
        List<CompletableFuture<TableDefinition>> proposals = new ArrayList<>();

        for (int at = 0; at < 50; at++) {
            proposals.add((at % 2 == 0 ? one : other).propose(create()).toCompletableFuture());
        }
        List<TableId> accepted = new ArrayList<>();
        List<ApiError> refused = new ArrayList<>();
        for (CompletableFuture<TableDefinition> proposal : proposals) {
            try {
                accepted.add(proposal.join().id());
            } catch (CompletionException e) {
                refused.add(ErrorForm.apiException(e).error());
            }
        }

        assertThat(accepted).hasSize(1);
        assertThat(refused).hasSize(49).containsOnly(ApiError.RESOURCE_IN_USE);
        assertThat(one.upToDate().toCompletableFuture().join())
                .isEqualTo(other.upToDate().toCompletableFuture().join());
        assertThat(one.state().table(NAME).map(TableDefinition::id)).contains(accepted.get(0));
    }

    @Test
    void aReplicaThatStartsLaterComesToTheSameState() {
        LogCatalog one = start();
        TableDefinition table = join(one.propose(create()));
        join(one.propose(new CatalogCommand.MarkTableActive(table.id())));
        join(one.propose(new CatalogCommand.TagTable(table.id(), Map.of("a", "b"))));

        LogCatalog late = start();

        assertThat(late.state()).isEqualTo(one.state());
    }

    @Test
    void whatOneReplicaAcknowledgedAnotherThatIsUpToDateHas() {
        LogCatalog one = start();
        LogCatalog other = start();

        for (int round = 0; round < 20; round++) {
            TableDefinition table =
                    join(
                            one.propose(
                                    new CatalogCommand.CreateTable(
                                            Tables.onDemand(
                                                    "table" + round,
                                                    TableId.random(random).value()))));
            assertThat(join(other.upToDate()).table(table.name())).contains(table);
        }
    }

    @Test
    void listenersSeeEveryStateOnceAndInOrderBeforeTheProposerIsAnswered() {
        LogCatalog catalog = start();
        List<CatalogState> seen = new ArrayList<>();
        join(catalog.propose(create()));
        catalog.addListener(
                (before, after) -> {
                    assertThat(before)
                            .isEqualTo(
                                    seen.isEmpty()
                                            ? CatalogState.EMPTY
                                            : seen.get(seen.size() - 1));
                    seen.add(after);
                });

        TableId id = catalog.state().table(NAME).orElseThrow().id();
        join(catalog.propose(new CatalogCommand.MarkTableActive(id)));
        join(catalog.propose(new CatalogCommand.MarkTableActive(id)));
        join(catalog.propose(new CatalogCommand.StartDeletingTable(id)));

        assertThat(seen).extracting(CatalogState::version).containsExactly(1L, 2L, 3L);
        assertThat(failures).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"v\":9,\"request\":\"r\"}",
                "{\"v\":1,\"request\":\"r\",\"kind\":\"later\",\"table\":\"aaaaaaaa\"}",
                "garbage"
            })
    void aRecordThatCannotBeAppliedEndsTheReplicaAndIsNotSkipped(String text) throws Exception {
        LogCatalog catalog = start();
        Class<?> expected =
                text.equals("garbage") ? InvalidRecordException.class : NewerRecordException.class;

        write(text);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(failures).singleElement().isInstanceOf(expected));
        assertThatThrownBy(() -> join(catalog.propose(create())))
                .hasCauseInstanceOf(ApiException.class);
        assertThatThrownBy(this::start).isInstanceOf(expected);
    }

    @Test
    void aClosedReplicaRefuses() {
        LogCatalog catalog = start();
        catalog.close();

        assertThatThrownBy(() -> join(catalog.propose(create())))
                .cause()
                .isInstanceOfSatisfying(
                        ApiException.class,
                        e -> assertThat(e.error()).isEqualTo(ApiError.SERVICE_UNAVAILABLE));
    }

    private LogCatalog start() {
        LogCatalog catalog = LogCatalog.start(settings, failures::add);
        catalogs.add(catalog);
        return catalog;
    }

    private CatalogCommand create() {
        return new CatalogCommand.CreateTable(
                Tables.onDemand("readings", TableId.random(random).value()));
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }

    private void write(String text) throws ExecutionException, InterruptedException {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        settings.kafka(), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(
                            new ProducerRecord<>(
                                    settings.topic(),
                                    0,
                                    null,
                                    text.getBytes(StandardCharsets.UTF_8)))
                    .get();
        }
    }
}
