package dev.tidemark.query.read;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the broker. One request is under way at a time; all that ask meanwhile share the next one,
 * whatever partitions they ask for.
 */
public final class KafkaLogEnds implements LogEnds {

    private static final Logger LOGGER = LoggerFactory.getLogger(KafkaLogEnds.class);

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
        ListOffsetsResult result;
        try {
            result =
                    admin.listOffsets(
                            latest,
                            new ListOffsetsOptions(IsolationLevel.READ_COMMITTED)
                                    .timeoutMs(TIMEOUT_MILLIS));
        } catch (KafkaException | IllegalStateException e) {
            // the client is closed, or the broker refuses at once: nobody may wait for ever
            LOGGER.atWarn().setCause(e).log("ends of logs can't be asked for");
            fail(asked);
            return;
        }
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

    private void fail(Map<TopicPartition, CompletableFuture<Long>> asked) {
        List<CompletableFuture<Long>> waiting = new ArrayList<>(asked.values());
        synchronized (this) {
            waiting.addAll(next.values());
            next = new HashMap<>();
            underWay = false;
        }
        waiting.forEach(future -> future.completeExceptionally(Texts.noLogEnd()));
    }
}
