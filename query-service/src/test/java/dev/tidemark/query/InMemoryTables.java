package dev.tidemark.query;

import dev.tidemark.expressions.BoundUpdate;
import dev.tidemark.expressions.ConditionExpression;
import dev.tidemark.expressions.ExpressionLimits;
import dev.tidemark.expressions.UpdateExpression;
import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.index.IndexMaintenance;
import dev.tidemark.model.index.IndexWrite;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.Partitioning;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.progress.BaseProgress;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.progress.IndexProgress;
import dev.tidemark.model.progress.ProgressBoard;
import dev.tidemark.model.rules.ItemRules;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.LocalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.TableName;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteLog;
import dev.tidemark.model.write.WriteOutcome;
import dev.tidemark.query.http.ErrorForm;
import dev.tidemark.query.http.Headers;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.read.AcknowledgedWrites;
import dev.tidemark.query.read.CurrentPositions;
import dev.tidemark.query.read.IndexFreshness;
import dev.tidemark.query.read.KeySpan;
import dev.tidemark.query.read.PartitionStores;
import dev.tidemark.query.read.ReadIndex;
import dev.tidemark.query.read.StoreRef;
import dev.tidemark.query.routing.ClusterLag;
import dev.tidemark.query.routing.LoggedProgress;
import dev.tidemark.wire.ItemCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tables in memory, with their log, indexes and progress: what the operations need to run without
 * Kafka. Applies a write in the call that appends it.
 */
public final class InMemoryTables implements WriteLog, PartitionStores, TableLookup {

    /** An answer: the reply's JSON and headers, or what the caller is told instead. */
    public record Answer(Optional<JsonBody> json, String text, Map<String, String> headers) {}

    private final Map<TableName, TableDefinition> tables = new HashMap<>();
    private final Map<StoreRef, NavigableMap<byte[], byte[]>> stores = new HashMap<>();
    private final ProgressBoard board = new ProgressBoard();
    private final AcknowledgedWrites acknowledged = new AcknowledgedWrites();
    private final Map<String, Operation> operations;
    private final Map<StoreRef, Long> sequences = new HashMap<>();
    private PartitionRouter router = PartitionRouter.alone();
    private boolean indexesFollow = true;
    private int appended;
    private final AtomicInteger barriers = new AtomicInteger();

    public InMemoryTables() {
        this(Duration.ofSeconds(1));
    }

    public InMemoryTables(Duration ownWrites) {
        PartitionRouter routing =
                new PartitionRouter() {
                    @Override
                    public boolean isLocal(PartitionRef partition) {
                        return router.isLocal(partition);
                    }

                    @Override
                    public CompletionStage<Reply> forward(PartitionRef partition, Request request) {
                        return router.forward(partition, request);
                    }
                };
        ReadIndex readIndex =
                new ReadIndex(
                        board,
                        (topic, partition) -> CompletableFuture.completedFuture(0L),
                        this,
                        Duration.ofMillis(50),
                        Duration.ofSeconds(2));
        Services services =
                new Services(
                        this,
                        this,
                        routing,
                        this,
                        readIndex,
                        new IndexFreshness(
                                board,
                                ClusterLag.alone(
                                        board, LoggedProgress.NONE, InstantSource.system()),
                                acknowledged,
                                new CurrentPositions(routing, readIndex),
                                ownWrites,
                                Duration.ofMillis(200)),
                        acknowledged,
                        Runnable::run);
        this.operations = DataOperations.forNodes(services);
    }

    /** Adds a table or replaces its definition. */
    public void define(TableDefinition table) {
        boolean isNew = tables.put(table.name(), table) == null;
        for (int partition = 0; partition < table.partitions(); partition++) {
            if (isNew) {
                board.open(new BaseProgress(table.id(), partition, 0, 0));
            }
            for (GlobalIndex index : table.globalIndexes()) {
                IndexId id = new IndexId(table.id(), index.name(), index.generation());
                if (board.index(id, partition).isEmpty()) {
                    board.open(
                            new IndexProgress(
                                    id,
                                    partition,
                                    new long[table.partitions()],
                                    new long[table.partitions()]));
                }
            }
        }
    }

    /** Says whether global indexes follow their tables at once, or stand still from now on. */
    public void letIndexesFollow(boolean follow) {
        indexesFollow = follow;
    }

    public void route(PartitionRouter next) {
        router = next;
    }

    public ProgressBoard board() {
        return board;
    }

    /** Returns how many writes were appended. */
    public int appended() {
        return appended;
    }

    public int barriers() {
        return barriers.get();
    }

    /** Asks for an operation. */
    public Answer ask(String operation, String json) {
        return ask(operation, json, Map.of());
    }

    /** Asks for an operation, with headers. */
    @SuppressWarnings("IllegalCatch") // a request boundary, as the front end is
    public Answer ask(String operation, String json, Map<String, String> headers) {
        Request request =
                new Request(operation, json.getBytes(StandardCharsets.UTF_8), Headers.of(headers));
        try {
            Reply reply = execute(request).toCompletableFuture().join();
            byte[] body = reply.toByteArray();
            return new Answer(
                    Optional.of(JsonBody.parse(body)),
                    new String(body, StandardCharsets.UTF_8),
                    reply.headers());
        } catch (ApiException | CompletionException e) {
            ApiException failure = ErrorForm.apiException(e);
            if (failure.error() == ApiError.INTERNAL) {
                throw e;
            }
            String type = failure.error().wireName();
            return new Answer(
                    Optional.empty(),
                    type.substring(type.indexOf('#') + 1) + ": " + failure.text(),
                    Map.of());
        }
    }

    /** Executes a request as a front end would. */
    public CompletionStage<Reply> execute(Request request) {
        Operation found = operations.get(request.operation());
        if (found == null) {
            throw new IllegalArgumentException("Invalid operation: " + request.operation());
        }
        return found.execute(request);
    }

    @Override
    public Optional<TableDefinition> find(TableName name) {
        return Optional.ofNullable(tables.get(name));
    }

    @Override
    public CompletionStage<WriteOutcome> append(TableDefinition table, Write write) {
        appended++;
        return CompletableFuture.completedFuture(
                write.match(
                        new Write.Cases<WriteOutcome>() {
                            @Override
                            public WriteOutcome putItem(Write.PutItem put) {
                                return change(
                                        table,
                                        put.item(),
                                        put.condition(),
                                        put.placeholders(),
                                        old -> Optional.of(put.item()));
                            }

                            @Override
                            public WriteOutcome deleteItem(Write.DeleteItem delete) {
                                return change(
                                        table,
                                        delete.key(),
                                        delete.condition(),
                                        delete.placeholders(),
                                        old -> Optional.empty());
                            }

                            @Override
                            public WriteOutcome updateItem(Write.UpdateItem update) {
                                return change(
                                        table,
                                        update.key(),
                                        update.condition(),
                                        update.placeholders(),
                                        old -> updated(update, old));
                            }

                            @Override
                            public WriteOutcome defineIndexKeys(Write.DefineIndexKeys define) {
                                throw new IllegalArgumentException("Invalid write: control");
                            }

                            @Override
                            public WriteOutcome barrier(Write.Barrier barrier) {
                                throw new IllegalArgumentException("Invalid write: control");
                            }

                            @Override
                            public WriteOutcome expireItem(Write.ExpireItem expire) {
                                return change(
                                        table,
                                        expire.key(),
                                        Optional.empty(),
                                        Placeholders.NONE,
                                        old ->
                                                old.filter(
                                                        item ->
                                                                !table.options()
                                                                        .timeToLive()
                                                                        .isExpired(
                                                                                item,
                                                                                expire.asOf())));
                            }

                            @Override
                            public WriteOutcome defineTimeToLive(Write.DefineTimeToLive define) {
                                throw new IllegalArgumentException("Invalid write: control");
                            }

                            @Override
                            public WriteOutcome refreshItem(Write.RefreshItem refresh) {
                                throw new IllegalArgumentException("Invalid write: control");
                            }
                        }));
    }

    private interface Change {
        Optional<Item> of(Optional<Item> old);
    }

    private static Optional<Item> updated(Write.UpdateItem update, Optional<Item> old) {
        if (update.update().isEmpty()) {
            return Optional.of(old.orElse(update.key()));
        }
        BoundUpdate bound =
                UpdateExpression.parse(update.update().get(), ExpressionLimits.OF_THE_LOG)
                        .bind(update.placeholders());
        if (old.isEmpty() && !bound.createsItem()) {
            return Optional.empty();
        }
        Map<String, AttributeValue> after = new LinkedHashMap<>(update.key().attributes());
        after.putAll(bound.apply(old.orElse(Item.EMPTY)).attributes());
        return Optional.of(new Item(after));
    }

    private WriteOutcome change(
            TableDefinition table,
            Item keyed,
            Optional<String> condition,
            Placeholders placeholders,
            Change change) {
        PrimaryKey key = table.key().keyOf(keyed).orElseThrow();
        int partition =
                Partitioning.partition(Partitioning.recordKey(key.partition()), table.partitions());
        StoreRef items = new StoreRef.Items(table.id(), partition);
        Optional<Item> before = value(items, StorageKeys.item(key)).map(ItemCodec::decode);
        if (condition.isPresent()
                && !ConditionExpression.parse(
                                condition.get(),
                                ConditionExpression.Kind.CONDITION,
                                ExpressionLimits.OF_THE_LOG)
                        .bind(placeholders)
                        .holdsFor(before)) {
            return new WriteOutcome.ConditionFailed(before);
        }
        Optional<Item> after;
        try {
            after = change.of(before);
        } catch (ApiException e) {
            return new WriteOutcome.Refused(e.error(), e.text());
        }
        Optional<String> refused = after.flatMap(item -> ItemRules.of(table).checkPut(item));
        if (refused.isPresent()) {
            return new WriteOutcome.Refused(ApiError.VALIDATION, refused.get());
        }
        BaseProgress progress = board.base(table.id(), partition).orElseThrow();
        if (!before.equals(after)) {
            store(items, StorageKeys.item(key), after);
            for (LocalIndex index : table.localIndexes()) {
                StoreRef entries = new StoreRef.LocalEntries(table.id(), partition);
                for (IndexWrite write :
                        new IndexMaintenance(table.key(), index.key(), index.projection())
                                .writesFor(key, before, after)) {
                    byte[] entryKey =
                            StorageKeys.localEntry(index.id(), write.indexKey(), write.tableKey());
                    store(entries, entryKey, projected(write));
                }
            }
            long sequence = sequences.merge(items, 1L, Long::sum);
            progress.changed(sequence, System.currentTimeMillis());
            if (indexesFollow) {
                follow(table, key, before, after);
                mark(table, partition, sequence);
            }
        }
        return new WriteOutcome.Applied(
                progress.position(),
                before,
                after,
                table.localIndexes().isEmpty()
                        ? OptionalLong.empty()
                        : OptionalLong.of(collectionSize(table, partition, key)));
    }

    /** Counts the naive way. */
    private long collectionSize(TableDefinition table, int partition, PrimaryKey key) {
        long size = 0;
        for (StoreRef store :
                List.of(
                        new StoreRef.Items(table.id(), partition),
                        new StoreRef.LocalEntries(table.id(), partition))) {
            for (byte[] stored :
                    stores.getOrDefault(store, new TreeMap<>(Arrays::compareUnsigned)).values()) {
                Item item = ItemCodec.decode(stored);
                if (table.key().keyOf(item).orElseThrow().partition().equals(key.partition())) {
                    size += item.size();
                }
            }
        }
        return size;
    }

    private void follow(
            TableDefinition table, PrimaryKey key, Optional<Item> before, Optional<Item> after) {
        for (GlobalIndex index : table.globalIndexes()) {
            IndexId id = new IndexId(table.id(), index.name(), index.generation());
            for (IndexWrite write :
                    new IndexMaintenance(table.key(), index.key(), index.projection())
                            .writesFor(key, before, after)) {
                int partition =
                        Partitioning.partition(
                                Partitioning.recordKey(write.indexKey().partition()),
                                table.partitions());
                store(
                        new StoreRef.GlobalEntries(id, partition),
                        StorageKeys.globalEntry(write.indexKey(), write.tableKey()),
                        projected(write));
            }
        }
    }

    private void mark(TableDefinition table, int basePartition, long sequence) {
        for (IndexProgress progress : board.openIndexes()) {
            if (progress.index().table().equals(table.id())) {
                progress.appliedUpTo(basePartition, sequence, System.currentTimeMillis());
            }
        }
    }

    private static Optional<Item> projected(IndexWrite write) {
        return write instanceof IndexWrite.Put put
                ? Optional.of(put.entry().projected())
                : Optional.empty();
    }

    @Override
    public CompletionStage<Long> appendTo(TableDefinition table, int partition, Write write) {
        barriers.incrementAndGet();
        return CompletableFuture.completedFuture(0L);
    }

    @Override
    public void partitionsLost(TableDefinition table, List<Integer> partitions) {
        throw new IllegalStateException("Operations lose no partitions");
    }

    @Override
    public Optional<byte[]> get(StoreRef store, byte[] key) {
        requireOpen(store);
        return value(store, key);
    }

    @Override
    public void visit(StoreRef store, KeySpan span, Direction direction, Visitor visitor) {
        requireOpen(store);
        if (span.isEmpty()) {
            return;
        }
        NavigableMap<byte[], byte[]> entries =
                stores.getOrDefault(store, new TreeMap<>(Arrays::compareUnsigned));
        NavigableMap<byte[], byte[]> run =
                span.hasEnd()
                        ? entries.subMap(span.from(), true, span.to(), false)
                        : entries.tailMap(span.from(), true);
        NavigableMap<byte[], byte[]> ordered =
                direction == Direction.FORWARD ? run : run.descendingMap();
        for (Map.Entry<byte[], byte[]> entry : ordered.entrySet()) {
            if (!visitor.visit(entry.getKey(), entry.getValue())) {
                return;
            }
        }
    }

    private void requireOpen(StoreRef store) {
        TableId table = tableOf(store);
        boolean open =
                store instanceof StoreRef.GlobalEntries entries
                        ? board.index(entries.index(), entries.partition())
                                .filter(IndexProgress::isOpen)
                                .isPresent()
                        : board.base(table, store.partition())
                                .filter(BaseProgress::isOpen)
                                .isPresent();
        if (!open) {
            throw new ApiException(ApiError.SERVICE_UNAVAILABLE, "not open");
        }
    }

    private static TableId tableOf(StoreRef store) {
        if (store instanceof StoreRef.Items items) {
            return items.table();
        }
        return store instanceof StoreRef.LocalEntries local
                ? local.table()
                : ((StoreRef.GlobalEntries) store).index().table();
    }

    private Optional<byte[]> value(StoreRef store, byte[] key) {
        return Optional.ofNullable(
                stores.getOrDefault(store, new TreeMap<>(Arrays::compareUnsigned)).get(key));
    }

    private void store(StoreRef store, byte[] key, Optional<Item> item) {
        NavigableMap<byte[], byte[]> entries =
                stores.computeIfAbsent(store, none -> new TreeMap<>(Arrays::compareUnsigned));
        if (item.isPresent()) {
            entries.put(key, ItemCodec.encode(item.get()));
        } else {
            entries.remove(key);
        }
    }
}
