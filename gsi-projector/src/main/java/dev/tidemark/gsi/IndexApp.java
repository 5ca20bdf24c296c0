package dev.tidemark.gsi;

import dev.tidemark.gsi.projection.ChangeGapException;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.wire.registry.RegistryException;
import dev.tidemark.wire.registry.SchemaRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains one generation of one global index from the changes of its table: the part of it that
 * falls to this node.
 *
 * <p>The first start ever begins at the earliest change, so building an index is replaying its
 * table's history. Its partitions appear on the progress board as they become ready, and close
 * there when they leave. Thread-safe.
 */
public final class IndexApp implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(IndexApp.class);
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(5);

    private final IndexId id;
    private final IndexTopics topics;
    private final Path folder;
    private final IndexAppListener listener;
    private final BackfillPace pace = new BackfillPace();
    private final AtomicBoolean paused = new AtomicBoolean();
    private final KafkaStreams streams;

    /**
     * Makes an app that is not started. The topic of changes must exist when it starts.
     *
     * @param gaps what may be missing from the history it begins with
     * @param registry is asked here and later, and may block
     */
    public IndexApp(
            TableDefinition table,
            GlobalIndex index,
            IndexSettings settings,
            BackfillGaps gaps,
            SchemaRegistry registry,
            ProgressBoard board,
            IndexAppListener listener) {
        this.id = IndexId.of(table, index);
        this.topics = IndexTopics.of(table.topics(), index.name(), index.generation());
        this.folder = settings.stateFolder().resolve(topics.applicationId());
        this.listener = listener;
        IndexTopology topology =
                new IndexTopology(
                        table, index, settings.guarantee(), gaps, pace, registry, board, listener);
        this.streams =
                new KafkaStreams(
                        topology.build(), IndexStreamsConfig.of(settings, topics.applicationId()));
        streams.setUncaughtExceptionHandler(this::afterFailure);
    }

    /** Starts and returns at once. */
    public void start() {
        streams.start();
    }

    /** Rests until {@link #resume}; what is under way is finished. Twice is once. */
    public void pause() {
        if (paused.compareAndSet(false, true)) {
            streams.pause();
        }
    }

    /** Goes on after {@link #pause}; without one it does nothing. */
    public void resume() {
        if (paused.compareAndSet(true, false)) {
            streams.resume();
        }
    }

    /** Returns how fast it takes changes, to be set while the index is built. */
    public BackfillPace pace() {
        return pace;
    }

    public IndexId id() {
        return id;
    }

    /** Returns what the app keeps in Kafka, to delete when the index is gone. */
    public IndexTopics topics() {
        return topics;
    }

    /** Returns the running engine, whose store {@code entries} answers queries. */
    public KafkaStreams streams() {
        return streams;
    }

    /** Returns whether all partitions that fall to this node are ready. */
    public boolean isRunning() {
        return streams.state() == KafkaStreams.State.RUNNING;
    }

    /**
     * Commits what is done and stops within seconds. The node stays a member of the app's group, so
     * a start soon after goes on without delay.
     */
    @Override
    public void close() {
        if (!streams.close(CLOSE_BOUND)) {
            LOGGER.atWarn().addKeyValue("index", id).log("an index app did not stop in time");
        }
    }

    /**
     * Stops as {@link #close} does and leaves the group at once, so that other nodes take up its
     * partitions without delay. The stores stay.
     */
    public void leave() {
        if (!streams.close(leaving())) {
            LOGGER.atWarn().addKeyValue("index", id).log("an index app did not stop in time");
        }
    }

    /**
     * Stops within seconds, leaves the group and deletes what the app keeps on this node: the index
     * is gone, or will be restored from Kafka on the next start.
     */
    public void closeForGood() {
        if (streams.close(leaving())) {
            streams.cleanUp();
            deleteFolder();
        } else {
            LOGGER.atWarn().addKeyValue("index", id).log("an index app did not stop in time");
        }
    }

    private static CloseOptions leaving() {
        return CloseOptions.timeout(CLOSE_BOUND)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP);
    }

    /** Deletes what Streams' own clean-up leaves: lock, identity and the folder itself. */
    private void deleteFolder() {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            LOGGER.atWarn()
                    .setCause(e)
                    .addKeyValue("index", id)
                    .log("the state folder of an index could not be deleted");
        }
    }

    private StreamThreadExceptionResponse afterFailure(Throwable failure) {
        if (isPassing(failure)) {
            LOGGER.atWarn()
                    .setCause(failure)
                    .addKeyValue("index", id)
                    .log("an index app starts a new thread after a failure");
            return StreamThreadExceptionResponse.REPLACE_THREAD;
        }
        LOGGER.atError().setCause(failure).addKeyValue("index", id).log("an index app stops");
        listener.stopped(id, reasonOf(failure));
        if (rootOf(failure) instanceof ChangeGapException) {
            listener.overtaken(id);
        }
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }

    /** Whether the same work may succeed when a new thread with new clients does it again. */
    static boolean isPassing(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RetriableException
                    || cause instanceof RegistryException
                    // no broker is alive at the moment that could take a new topic
                    || cause instanceof InvalidReplicationFactorException
                    || cause instanceof OutOfOrderSequenceException
                    || cause instanceof ProducerFencedException
                    || cause instanceof InvalidProducerEpochException
                    || cause instanceof InvalidPidMappingException) {
                return true;
            }
        }
        return false;
    }

    private static String reasonOf(Throwable failure) {
        Throwable root = rootOf(failure);
        String context = root instanceof ChangeGapException gap ? " " + gap.context() : "";
        return root.getClass().getSimpleName() + ": " + root.getMessage() + context;
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
