package dev.tidemark.wire.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.wire.WireRecords;
import dev.tidemark.wire.WireSchemas;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The client against Apicurio Registry, which the build unpacks in the profile {@code faults}. It
 * needs JDK 21 or later; without one the tests are skipped.
 */
@Tag("slow")
class RealRegistryIT {

    private static final Path DISTRIBUTION = Path.of("target", "apicurio");

    @TempDir static Path folder;
    private static @Nullable Process process;
    private static URI url;

    @BeforeAll
    static void start() throws IOException {
        Optional<Path> java = java21();
        assumeTrue(java.isPresent(), "Apicurio Registry needs JDK 21 or later");
        Optional<Path> jar = find(DISTRIBUTION, "quarkus-run.jar");
        assumeTrue(jar.isPresent(), "Apicurio Registry is not unpacked");
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        url = URI.create("http://127.0.0.1:" + port + "/apis/ccompat/v7");
        process =
                new ProcessBuilder(
                                java.get().toString(),
                                "-Dquarkus.http.host=127.0.0.1",
                                "-Dquarkus.http.port=" + port,
                                "-jar",
                                jar.get().toAbsolutePath().toString())
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("registry.log").toFile())
                        .start();
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url + "/subjects"))
                        .timeout(Duration.ofSeconds(5))
                        .build();
        await().atMost(Duration.ofMinutes(3))
                .ignoreExceptions()
                .until(
                        () ->
                                client.send(request, HttpResponse.BodyHandlers.ofString())
                                                .statusCode()
                                        == 200);
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (process != null) {
            process.destroy();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        }
    }

    @Test
    void recordsAreDecodedByTheIdsOfARealRegistry() throws IOException {
        ConfluentSchemaRegistry writer = new ConfluentSchemaRegistry(url, Duration.ofSeconds(30));
        for (Schema schema : WireSchemas.all()) {
            int id = writer.idOf(WireSchemas.subject(schema), schema);
            assertThat(
                            new ConfluentSchemaRegistry(url, Duration.ofSeconds(30))
                                    .idOf(WireSchemas.subject(schema), schema))
                    .isEqualTo(id);
        }
        // what a standard consumer does: the id, the schema by it, Avro's generic reader
        SchemaRegistry reader = new ConfluentSchemaRegistry(url, Duration.ofSeconds(30));
        for (byte[] framed : WireRecords.framed(writer)) {
            int id = ByteBuffer.wrap(framed).getInt(1);
            Schema schema = reader.schemaById(id).orElseThrow();
            GenericRecord record =
                    new GenericDatumReader<GenericRecord>(schema)
                            .read(
                                    null,
                                    DecoderFactory.get()
                                            .binaryDecoder(framed, 5, framed.length - 5, null));
            assertThat(record.getSchema().getNamespace()).isEqualTo("dev.tidemark.wire");
        }
        assertThat(reader.schemaById(1_000_000)).isEmpty();
    }

    private static Optional<Path> java21() throws IOException {
        if (Runtime.version().feature() >= 21) {
            return Optional.of(Path.of(System.getProperty("java.home"), "bin", "java"));
        }
        Path installed = Path.of("/usr/lib/jvm");
        if (!Files.isDirectory(installed)) {
            return Optional.empty();
        }
        try (Stream<Path> homes = Files.list(installed)) {
            return homes.filter(RealRegistryIT::isAtLeast21)
                    .map(home -> home.resolve("bin").resolve("java"))
                    .filter(Files::isExecutable)
                    .findFirst();
        }
    }

    private static boolean isAtLeast21(Path home) {
        try {
            return Files.readAllLines(home.resolve("release")).stream()
                    .anyMatch(line -> line.matches("JAVA_VERSION=\"(2[1-9]|[3-9]\\d).*"));
        } catch (IOException e) {
            return false;
        }
    }

    private static Optional<Path> find(Path folder, String name) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.walk(folder, 4)) {
            return files.filter(file -> file.endsWith(name)).findFirst();
        }
    }
}
