package dev.tidemark.query.verify;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteLog;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Mends differences through the table's log. An item that is refreshed there has in every index
 * what it should, whatever was found of it before. Blocks; for one thread.
 */
final class IndexRepair implements Consumer<Difference> {

    private static final int MOST_UNDER_WAY = 100;

    private final TableDefinition table;
    private final WriteLog log;
    private final RowReads reads;
    private final Deque<Append> underWay = new ArrayDeque<>();
    private long appended;

    /** A write on its way into the log, to be tried again if need be. */
    private record Append(int partition, Write write, CompletionStage<Long> first) {}

    IndexRepair(TableDefinition table, WriteLog log, RowReads reads) {
        this.table = table;
        this.log = log;
        this.reads = reads;
    }

    /** Appends what mends the difference, if the log can. */
    @Override
    public void accept(Difference difference) {
        if (!difference.mendable()) {
            return;
        }
        Item key = difference.key().orElseThrow();
        Optional<Item> stale =
                difference.kind() == Difference.Kind.DANGLING
                        ? Optional.of(image(key, difference.indexKey().orElseThrow()))
                        : Optional.empty();
        Write refresh = new Write.RefreshItem(key, stale);
        if (underWay.size() >= MOST_UNDER_WAY) {
            finish(underWay.remove());
        }
        int partition = difference.partition();
        underWay.add(new Append(partition, refresh, log.appendTo(table, partition, refresh)));
        appended++;
    }

    /** Waits until the log has everything. */
    void finish() {
        while (!underWay.isEmpty()) {
            finish(underWay.remove());
        }
    }

    private void finish(Append append) {
        AtomicBoolean again = new AtomicBoolean();
        reads.await(
                () ->
                        again.getAndSet(true)
                                ? log.appendTo(table, append.partition(), append.write())
                                : append.first());
    }

    /** An attribute of both keys has its place in the index by what the index says. */
    private static Item image(Item key, Item indexKey) {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>(key.attributes());
        attributes.putAll(indexKey.attributes());
        return new Item(attributes);
    }

    /** Returns how many items were refreshed. */
    long appended() {
        return appended;
    }
}
