package dev.tidemark.base;

import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.write.OutcomeListener;
import dev.tidemark.wire.registry.SchemaRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Streams app that applies the writes of one table, on this node. Its topics must exist.
 *
 * <p>The table's definition should be that of its creation. Its key, local indexes and partitions
 * never change; of its global indexes, those it has when a partition meets its first command count
 * until the log defines others. Whoever creates a table therefore sends the definition of index
 * keys to every partition before any other command.
 */
public final class BaseTableApp implements AutoCloseable {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(8);
    private static final Logger LOGGER = LoggerFactory.getLogger(BaseTableApp.class);

    private final TableDefinition table;
    private final KafkaStreams streams;
    private final Path folder;
    private final FailurePolicy failures = new FailurePolicy(InstantSource.system());

    /**
     * Prepares the app; asks the registry for the schemas' ids, so this may block.
     *
     * @param board where partitions that are ready are put
     * @param outcomes is told what became of commands
     * @param listener is told what befalls the app
     */
    public BaseTableApp(
            TableDefinition table,
            BaseSettings settings,
            SchemaRegistry registry,
            ProgressBoard board,
            OutcomeListener outcomes,
            BaseListener listener) {
        this.table = table;
        this.folder = settings.stateFolder().resolve(table.topics().baseApplication());
        Properties config = new Properties();
        config.putAll(settings.streamsConfig(table));
        this.streams =
                new KafkaStreams(
                        BaseTopology.of(table, registry, board, outcomes, listener),
                        new StreamsConfig(config));
        streams.setStateListener((to, from) -> listener.stateChanged(table.id(), from, to));
        streams.setUncaughtExceptionHandler(failure -> responseTo(failure, listener));
    }

    /** Starts the app; partitions appear on the board as they are ready. */
    public void start() {
        streams.start();
    }

    public TableDefinition table() {
        return table;
    }

    /** Returns the running app, for queries of its stores. */
    public KafkaStreams streams() {
        return streams;
    }

    /**
     * Finishes and commits what is in flight, and stops within seconds. The node stays a member of
     * the group for the session timeout: if it comes back by then, nothing has moved.
     */
    @Override
    public void close() {
        close(GroupMembershipOperation.REMAIN_IN_GROUP);
    }

    /**
     * Stops as {@link #close} does and leaves the group at once, so that other nodes take up its
     * partitions without delay. The stores stay.
     */
    public void leave() {
        close(GroupMembershipOperation.LEAVE_GROUP);
    }

    /**
     * Stops as {@link #close} does, leaves the group at once, and removes the stores from this
     * node; for a table that is gone, or for partitions that should move now.
     *
     * @throws IllegalStateException if the app does not stop in time; its folder then stays
     * @throws UncheckedIOException if the folder can't be removed
     */
    public void closeForGood() {
        close(GroupMembershipOperation.LEAVE_GROUP);
        streams.cleanUp();
        removeFolder();
    }

    private void close(GroupMembershipOperation operation) {
        boolean closed =
                streams.close(
                        CloseOptions.timeout(CLOSE_TIMEOUT)
                                .withGroupMembershipOperation(operation));
        if (!closed) {
            LOGGER.atWarn()
                    .addKeyValue("table", table.name())
                    .log("base app did not stop in time; its last transaction will be aborted");
        }
    }

    private StreamThreadExceptionResponse responseTo(Throwable failure, BaseListener listener) {
        StreamThreadExceptionResponse response = failures.responseTo(failure);
        LOGGER.atError()
                .addKeyValue("table", table.name())
                .addKeyValue("response", response)
                .addKeyValue("context", contextOf(failure))
                .setCause(failure)
                .log("base app's thread died");
        if (response != StreamThreadExceptionResponse.REPLACE_THREAD) {
            listener.failed(table.id(), failure);
        }
        return response;
    }

    private static Map<String, Object> contextOf(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CorruptStateException corrupt) {
                return corrupt.context();
            }
        }
        return Map.of();
    }

    private void removeFolder() {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> inside = Files.walk(folder)) {
            for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("State folder of a table can't be removed", e);
        }
    }
}
