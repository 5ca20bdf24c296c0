package dev.tidemark.gsi;

import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.wire.registry.InMemorySchemaRegistry;
import dev.tidemark.wire.registry.SchemaRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** An index app in a JVM of its own, which a test may kill. */
final class IndexAppProcess implements AutoCloseable {

    private final Process process;

    private IndexAppProcess(Process process) {
        this.process = process;
    }

    /** Starts an app of {@code TestTable.byPlace()}; what it logs goes nowhere. */
    static IndexAppProcess start(
            String bootstrapServers, Path folder, IndexGuarantee guarantee, int partitions) {
        try {
            return new IndexAppProcess(
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-Xmx256m",
                                    "-XX:+UseSerialGC",
                                    "-XX:TieredStopAtLevel=1",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    IndexAppProcess.class.getName(),
                                    bootstrapServers,
                                    folder.toString(),
                                    guarantee.name(),
                                    Integer.toString(partitions))
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Ends the process as {@code kill -9} does, and returns when it has ended. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs the app until it is killed. */
    @SuppressWarnings("resource") // the app lives as long as the process
    public static void main(String[] args) {
        TableDefinition definition =
                TestTable.definition("killed", Integer.parseInt(args[3]), TestTable.byPlace());
        SchemaRegistry registry = new InMemorySchemaRegistry();
        new IndexApp(
                        definition,
                        TestTable.byPlace(),
                        IndexSettings.embedded(args[0], Path.of(args[1]), "node-1")
                                .withGuarantee(IndexGuarantee.valueOf(args[2])),
                        BackfillGaps.NONE,
                        registry,
                        new ProgressBoard(),
                        new RecordingListener())
                .start();
    }
}
