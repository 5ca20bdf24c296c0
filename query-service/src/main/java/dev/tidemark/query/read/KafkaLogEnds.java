package dev.tidemark.query.read;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * Asks the broker. One request is under way at a time; all that ask meanwhile share the next one,
 * whatever partitions they ask for.
 */
public final class KafkaLogEnds implements LogEnds {

    private static final int TIMEOUT_MILLIS = 5_000;

    private final Admin admin;
    private Map<TopicPartition, CompletableFuture<Long>> next = new HashMap<>();
    private boolean underWay;

    /** Asks through {@code admin}, which stays the caller's to close. */
    public KafkaLogEnds(Admin admin) {
        this.admin = admin;
    }

    @Override
    public CompletionStage<Long> end(String topic, int partition) {
        TopicPartition key = new TopicPartition(topic, partition);
        CompletableFuture<Long> future;
        boolean first;
        synchronized (this) {
            future = next.computeIfAbsent(key, unasked -> new CompletableFuture<>());
            first = !underWay;
            underWay = true;
        }
        if (first) {
            ask();
        }
        return future;
    }

    private void ask() {
        Map<TopicPartition, CompletableFuture<Long>> asked;
        synchronized (this) {
            asked = next;
            next = new HashMap<>();
            if (asked.isEmpty()) {
                underWay = false;
                return;
            }
        }
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        asked.keySet().forEach(key -> latest.put(key, OffsetSpec.latest()));
        ListOffsetsResult result =
                admin.listOffsets(
                        latest,
                        new ListOffsetsOptions(IsolationLevel.READ_COMMITTED)
                                .timeoutMs(TIMEOUT_MILLIS));
        asked.forEach(
                (key, future) ->
                        result.partitionResult(key)
                                .toCompletionStage()
                                .whenComplete(
                                        (info, failure) -> {
                                            if (info != null) {
                                                future.complete(info.offset());
                                            } else {
                                                future.completeExceptionally(Texts.noLogEnd());
                                            }
                                        }));
        // a result that fails is no reason to stop asking for others
        result.all().toCompletionStage().whenComplete((all, failure) -> ask());
    }
}
