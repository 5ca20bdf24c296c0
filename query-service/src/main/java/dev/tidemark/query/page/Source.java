package dev.tidemark.query.page;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeyBytes;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.Partitioning;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.rules.ItemRules;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.LocalIndex;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.Messages;
import dev.tidemark.query.PartitionRef;
import dev.tidemark.query.PartitionRouter;
import dev.tidemark.query.TableFacts;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.read.StoreRef;
import dev.tidemark.wire.AttributeNames;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a Query or Scan reads: a table, or one of its indexes. Immutable. */
final class Source {

    private static final Projection ALL = new Projection.All();

    private final TableFacts facts;
    private final Optional<LocalIndex> local;
    private final Optional<GlobalIndex> global;
    private final KeySchema key;
    private final List<KeyAttribute> cursorAttributes;
    private final AttributeNames cursorNames;

    private Source(TableFacts facts, Optional<LocalIndex> local, Optional<GlobalIndex> global) {
        this.facts = facts;
        this.local = local;
        this.global = global;
        TableDefinition table = facts.table();
        this.key =
                local.map(LocalIndex::key)
                        .or(() -> global.map(GlobalIndex::key))
                        .orElse(table.key());
        Set<String> names = new LinkedHashSet<>();
        List<KeyAttribute> attributes = new ArrayList<>();
        for (KeySchema schema : List.of(key, table.key())) {
            for (KeyAttribute attribute : schema.attributes()) {
                if (names.add(attribute.name())) {
                    attributes.add(attribute);
                }
            }
        }
        this.cursorAttributes = List.copyOf(attributes);
        this.cursorNames = AttributeNames.of(names);
    }

    /**
     * Returns the table, or its index with this name: the generation of it that the request names,
     * or else the one that serves.
     *
     * @throws ApiException a ValidationException if there is no such index or it can't be read yet;
     *     a retryable one if another node has read a generation that is not known here
     */
    static Source of(TableFacts facts, Optional<String> indexName, Request request) {
        if (indexName.isEmpty()) {
            return new Source(facts, Optional.empty(), Optional.empty());
        }
        String name = indexName.get();
        if (!IndexName.isValid(name)) {
            throw Messages.indexNotFound(name);
        }
        IndexName index = new IndexName(name);
        Optional<LocalIndex> local = facts.table().localIndex(index);
        if (local.isPresent()) {
            return new Source(facts, local, Optional.empty());
        }
        // another node that reads it knows that it serves, or did when the request came, though
        // this node may not have heard of it yet, or have heard of more
        boolean isKnownToServe = isPinnedByNode(request);
        GlobalIndex global =
                generation(facts.table(), index, request)
                        .filter(found -> isKnownToServe || found.status() != IndexStatus.DELETING)
                        .orElseThrow(() -> missing(name, request));
        if (!isKnownToServe && !global.status().isReadable()) {
            throw Messages.indexBackfilling(name);
        }
        return new Source(facts, Optional.empty(), Optional.of(global));
    }

    private static Optional<GlobalIndex> generation(
            TableDefinition table, IndexName index, Request request) {
        Optional<String> pinned = request.header(PartitionRouter.GENERATION);
        if (pinned.isEmpty()) {
            return table.globalIndex(index);
        }
        return table.generations().stream()
                .filter(found -> found.name().equals(index))
                .filter(found -> Integer.toString(found.generation()).equals(pinned.get()))
                .findFirst();
    }

    private static ApiException missing(String index, Request request) {
        return isPinnedByNode(request)
                ? Messages.generationUnknown(index)
                : Messages.indexNotFound(index);
    }

    private static boolean isPinnedByNode(Request request) {
        return request.header(PartitionRouter.FORWARDED).isPresent()
                && request.header(PartitionRouter.GENERATION).isPresent();
    }

    /** Returns the request, for another node, to read the same generation there. */
    Request pinned(Request request) {
        return global.isEmpty()
                ? request
                : request.withHeader(
                        PartitionRouter.GENERATION, Integer.toString(global.get().generation()));
    }

    TableFacts facts() {
        return facts;
    }

    TableDefinition table() {
        return facts.table();
    }

    /** Returns whether it is a table, not an index. */
    boolean isTable() {
        return local.isEmpty() && global.isEmpty();
    }

    Optional<LocalIndex> local() {
        return local;
    }

    Optional<GlobalIndex> global() {
        return global;
    }

    /** Returns the schema by which the entries are ordered. */
    KeySchema key() {
        return key;
    }

    Projection projection() {
        return local.map(LocalIndex::projection)
                .or(() -> global.map(GlobalIndex::projection))
                .orElse(ALL);
    }

    /** Returns the names of the attributes every entry carries. */
    List<String> keyNames() {
        return cursorAttributes.stream().map(KeyAttribute::name).toList();
    }

    /** Returns the names of the attributes of a cursor, to be found in stored entries. */
    AttributeNames cursorNames() {
        return cursorNames;
    }

    int partitionOf(List<AttributeValue> partitionKey) {
        return Partitioning.partition(Partitioning.recordKey(partitionKey), table().partitions());
    }

    PartitionRef partition(int number) {
        return global.<PartitionRef>map(
                        index -> new PartitionRef.OfIndex(IndexId.of(table(), index), number))
                .orElseGet(() -> new PartitionRef.OfTable(table().id(), number));
    }

    StoreRef store(int partition) {
        if (local.isPresent()) {
            return new StoreRef.LocalEntries(table().id(), partition);
        }
        return global.<StoreRef>map(
                        index -> new StoreRef.GlobalEntries(IndexId.of(table(), index), partition))
                .orElseGet(() -> new StoreRef.Items(table().id(), partition));
    }

    StoreRef items(int partition) {
        return new StoreRef.Items(table().id(), partition);
    }

    /** Returns what the storage keys of all entries with this partition key begin with. */
    byte[] prefix(List<AttributeValue> partitionKey) {
        return withIndexId(StorageKeys.partitionPrefix(partitionKey));
    }

    /** Returns where entries with a hash of at least {@code hash}, up to 65,536, begin. */
    byte[] hashStart(int hash) {
        if (hash == StorageKeys.HASHES) {
            return local.map(index -> new byte[] {(byte) (index.id() + 1)})
                    .orElseGet(() -> new byte[0]);
        }
        return withIndexId(StorageKeys.hashStart(hash));
    }

    /**
     * Checks that {@code cursor} could be one of a Query.
     *
     * @throws ApiException a ValidationException if it could not
     */
    void checkQueryCursor(Item cursor) {
        if (cursor.attributes().size() != cursorAttributes.size()
                || key.names().stream().anyMatch(name -> cursor.get(name) == null)) {
            throw ApiException.validation(Messages.START_KEY);
        }
        ItemRules.checkKeyValues(key, cursor)
                .ifPresent(
                        violation -> {
                            throw ApiException.validation(violation);
                        });
        checkTableKey(cursor);
    }

    /**
     * Checks that {@code cursor} could be one of a Scan.
     *
     * @throws ApiException a ValidationException if it could not
     */
    void checkScanCursor(Item cursor) {
        if (!isTable()) {
            checkQueryCursor(cursor);
            return;
        }
        if (cursor.attributes().size() != cursorAttributes.size()) {
            throw ApiException.validation(Messages.START_KEY_SCHEMA);
        }
        checkTableKey(cursor);
    }

    /** Returns the key by which the entry at {@code cursor} is ordered. */
    PrimaryKey keyAt(Item cursor) {
        return key.keyOf(cursor).orElseThrow();
    }

    /** Returns the storage key of the entry at {@code cursor}, whether there is one or not. */
    byte[] entryKey(Item cursor) {
        PrimaryKey tableKey = table().key().keyOf(cursor).orElseThrow();
        if (local.isPresent()) {
            return StorageKeys.localEntry(local.get().id(), keyAt(cursor), tableKey);
        }
        return global.isPresent()
                ? StorageKeys.globalEntry(keyAt(cursor), tableKey)
                : StorageKeys.item(tableKey);
    }

    private void checkTableKey(Item cursor) {
        if (table().key().names().stream().anyMatch(name -> cursor.get(name) == null)) {
            throw ApiException.validation(Messages.START_KEY_SCHEMA);
        }
        ItemRules.checkKeyValues(table().key(), cursor)
                .ifPresent(
                        violation -> {
                            throw Messages.invalidStartKey(violation);
                        });
    }

    private byte[] withIndexId(byte[] storageKey) {
        if (local.isEmpty()) {
            return storageKey;
        }
        KeyBytes out = new KeyBytes(storageKey.length + 1);
        out.put((byte) local.get().id());
        out.put(storageKey);
        return out.toByteArray();
    }
}
