package dev.tidemark.launcher.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.launcher.node.Engines;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableId;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.tools.ToolProvider;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * clients/java/TidemarkPositions.java, compiled as users do, carries positions from the writes of
 * Amazon's client to its reads of an index that stands still meanwhile.
 */
class SdkPositionsIT {

    private static SharedNode.RunningNode running;

    @TempDir private Path folder;

    @BeforeAll
    static void start() {
        running = SharedNode.RunningNode.start(Map.of("index.read-wait", "0s"));
    }

    @AfterAll
    static void stop() throws IOException {
        if (running != null) {
            running.close();
        }
    }

    @Test
    void aReadThatCarriesThePositionWaitsForTheWrite() throws Exception {
        // Given
        running.wire().create(TableRequest.of("Carried", "pk:S").global("gsi", "g:S", "ALL"));
        KafkaStreams engine = engine("Carried");
        engine.pause();
        try (DynamoDbClient plain = Sdk.client(running.node().uri()).build();
                DynamoDbClient carrying =
                        Sdk.client(running.node().uri())
                                .overrideConfiguration(
                                        config -> config.addExecutionInterceptor(compiled()))
                                .build()) {
            // something must be read before an app that rests holds anything back
            put(carrying, "first");
            put(carrying, "second");

            // When
            CompletableFuture<QueryResponse> waiting =
                    CompletableFuture.supplyAsync(() -> query(carrying));

            // Then
            assertThat(query(plain).count()).isLessThan(2);
            engine.resume();
            assertThat(waiting.join().count()).isEqualTo(2);
        } finally {
            engine.resume();
        }
    }

    private ExecutionInterceptor compiled() {
        try {
            Path source = Path.of("..", "clients", "java", "TidemarkPositions.java");
            assertThat(Files.exists(source)).isTrue();
            int code =
                    ToolProvider.getSystemJavaCompiler()
                            .run(
                                    null,
                                    null,
                                    null,
                                    "-Xlint:all",
                                    "-Werror",
                                    "--release",
                                    "17",
                                    "-proc:none",
                                    "-d",
                                    folder.toString(),
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    source.toString());
            assertThat(code).isZero();
            return loaded();
        } catch (ReflectiveOperationException | MalformedURLException e) {
            throw new IllegalStateException("The example can't be used", e);
        }
    }

    @SuppressWarnings("resource") // its class is used until the test ends
    private ExecutionInterceptor loaded()
            throws MalformedURLException,
                    ClassNotFoundException,
                    NoSuchMethodException,
                    InstantiationException,
                    IllegalAccessException,
                    InvocationTargetException {
        URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()});
        return (ExecutionInterceptor)
                loader.loadClass("TidemarkPositions").getDeclaredConstructor().newInstance();
    }

    private static void put(DynamoDbClient client, String key) {
        client.putItem(
                request ->
                        request.tableName("Carried")
                                .item(
                                        Map.of(
                                                "pk", AttributeValue.fromS(key),
                                                "g", AttributeValue.fromS("g"))));
    }

    private static QueryResponse query(DynamoDbClient client) {
        return client.query(
                request ->
                        request.tableName("Carried")
                                .indexName("gsi")
                                .keyConditionExpression("g = :g")
                                .expressionAttributeValues(
                                        Map.of(":g", AttributeValue.fromS("g"))));
    }

    private static KafkaStreams engine(String table) {
        String topic = new TableLog(running.node().bootstrapServers(), table).writes();
        TableId id = new TableId(topic.split("\\.", -1)[2]);
        return Engines.of(running.node(), new IndexId(id, new IndexName("gsi"), 1));
    }
}
