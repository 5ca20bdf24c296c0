package dev.tidemark.query.read;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.IndexProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.progress.ProjectionProgress;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.query.KeyQuery;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.query.RangeQuery;
import org.apache.kafka.streams.query.StateQueryRequest;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the stores of the Streams applications on this node by interactive queries.
 *
 * <p>It reads what the task has applied, committed or not: outcomes follow from the log alone, so a
 * task that starts over arrives at the same state.
 */
public final class StreamsStores implements PartitionStores {

    private static final Logger LOGGER = LoggerFactory.getLogger(StreamsStores.class);

    private static final String ITEMS = "items";
    private static final String LOCAL = "local";
    private static final String ENTRIES = "entries";
    private static final String VIOLATIONS = "violations";
    private static final long UNTIL_READABLE_NANOS = 500_000_000;
    private static final long PAUSE_NANOS = 1_000_000;

    private final StreamsDirectory directory;
    private final ProgressBoard board;

    public StreamsStores(StreamsDirectory directory, ProgressBoard board) {
        this.directory = directory;
        this.board = board;
    }

    @Override
    public Optional<byte[]> get(StoreRef store, byte[] key) {
        BooleanSupplier open = open(store);
        KeyQuery<Bytes, byte[]> query = KeyQuery.withKey(Bytes.wrap(key));
        try {
            byte[] value = result(store, query);
            requireStillOpen(open);
            return Optional.ofNullable(value);
        } catch (KafkaException e) {
            throw unreadable(store, e);
        }
    }

    @Override
    public void visit(StoreRef store, KeySpan span, Direction direction, Visitor visitor) {
        if (span.isEmpty()) {
            open(store);
            return;
        }
        BooleanSupplier open = open(store);
        Bytes from = Bytes.wrap(span.from());
        RangeQuery<Bytes, byte[]> range =
                span.hasEnd()
                        ? RangeQuery.withRange(from, Bytes.wrap(span.to()))
                        : RangeQuery.withLowerBound(from);
        RangeQuery<Bytes, byte[]> query =
                direction == Direction.FORWARD
                        ? range.withAscendingKeys()
                        : range.withDescendingKeys();
        try (KeyValueIterator<Bytes, byte[]> entries = iterator(store, query)) {
            while (entries.hasNext()) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                byte[] key = entry.key.get();
                // Kafka's upper bound is part of the range, ours is not
                if (span.hasEnd() && Arrays.equals(key, span.to())) {
                    continue;
                }
                if (!visitor.visit(key, entry.value)) {
                    break;
                }
            }
            requireStillOpen(open);
        } catch (KafkaException e) {
            throw unreadable(store, e);
        }
    }

    private KeyValueIterator<Bytes, byte[]> iterator(
            StoreRef store, RangeQuery<Bytes, byte[]> query) {
        KeyValueIterator<Bytes, byte[]> entries = result(store, query);
        if (entries == null) {
            throw Texts.notHere();
        }
        return entries;
    }

    /**
     * Returns whether the partition is still open, to be asked after reading. A store that was
     * taken away meanwhile may have looked empty.
     */
    private BooleanSupplier open(StoreRef store) {
        if (store instanceof StoreRef.GlobalEntries entries) {
            IndexProgress progress =
                    board.index(entries.index(), entries.partition()).orElseThrow(Texts::notHere);
            if (!progress.isOpen()) {
                throw Texts.notHere();
            }
            return progress::isOpen;
        }
        if (store instanceof StoreRef.Violations violations) {
            ProjectionProgress progress =
                    board.projection(violations.index(), violations.partition())
                            .orElseThrow(Texts::notHere);
            if (!progress.isOpen()) {
                throw Texts.notHere();
            }
            return progress::isOpen;
        }
        BaseProgress progress =
                (store instanceof StoreRef.Items items
                                ? board.base(items.table(), items.partition())
                                : store instanceof StoreRef.LocalEntries local
                                        ? board.base(local.table(), local.partition())
                                        : Optional.<BaseProgress>empty())
                        .orElseThrow(Texts::notHere);
        if (!progress.isOpen()) {
            throw Texts.notHere();
        }
        return progress::isOpen;
    }

    private static void requireStillOpen(BooleanSupplier open) {
        if (!open.getAsBoolean()) {
            throw Texts.notHere();
        }
    }

    /**
     * Returns what the store answers. A task opens its partition some moments before its engine
     * lets others read it: those moments are waited for.
     */
    private <R> @Nullable R result(StoreRef store, Query<R> query) {
        long last = System.nanoTime() + UNTIL_READABLE_NANOS;
        BooleanSupplier open = open(store);
        Optional<QueryResult<R>> result = answer(store, query);
        while (result.isEmpty() && open.getAsBoolean() && System.nanoTime() < last) {
            LockSupport.parkNanos(PAUSE_NANOS);
            result = answer(store, query);
        }
        return result.orElseThrow(Texts::notHere).getResult();
    }

    private <R> Optional<QueryResult<R>> answer(StoreRef store, Query<R> query) {
        StateQueryRequest<R> request =
                StateQueryRequest.inStore(name(store))
                        .withQuery(query)
                        .withPartitions(Set.of(store.partition()))
                        .withIsolationLevel(IsolationLevel.READ_UNCOMMITTED)
                        .requireActive();
        Optional<QueryResult<R>> result =
                streams(store)
                        .map(streams -> streams.query(request).getPartitionResults())
                        .map(results -> results.get(store.partition()));
        result.filter(QueryResult::isFailure)
                .ifPresent(
                        failed ->
                                LOGGER.atDebug()
                                        .addKeyValue("store", store)
                                        .addKeyValue("reason", failed.getFailureReason())
                                        .log("store can't be read"));
        return result.filter(QueryResult::isSuccess);
    }

    private Optional<KafkaStreams> streams(StoreRef store) {
        if (store instanceof StoreRef.Items items) {
            return directory.base(items.table());
        }
        if (store instanceof StoreRef.LocalEntries local) {
            return directory.base(local.table());
        }
        if (store instanceof StoreRef.GlobalEntries entries) {
            return directory.index(entries.index());
        }
        if (store instanceof StoreRef.Violations violations) {
            return directory.index(violations.index());
        }
        throw new IllegalStateException("A store is one of four kinds");
    }

    private static String name(StoreRef store) {
        if (store instanceof StoreRef.Items) {
            return ITEMS;
        }
        if (store instanceof StoreRef.LocalEntries) {
            return LOCAL;
        }
        return store instanceof StoreRef.GlobalEntries ? ENTRIES : VIOLATIONS;
    }

    private static ApiException unreadable(StoreRef store, KafkaException cause) {
        LOGGER.atInfo().setCause(cause).addKeyValue("store", store).log("store can't be read");
        return Texts.notHere();
    }
}
