package dev.tidemark.query.read;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Properties;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.query.FailureReason;
import org.apache.kafka.streams.query.KeyQuery;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.query.StateQueryRequest;
import org.apache.kafka.streams.query.StateQueryResult;
import org.apache.kafka.streams.state.KeyValueIterator;

/**
 * An application that never starts, whose store answers every query as if it were empty, unless it
 * was told to refuse the next ones.
 */
final class FakeStreams extends KafkaStreams {

    private final Deque<FailureReason> refusals = new ArrayDeque<>();

    /** Runs when a query is answered, before its answer is used. */
    private Runnable onAnswer = () -> {};

    /** Runs when the entries of a range are asked for, which come to an end at once. */
    private Runnable onEntries = () -> {};

    private int queries;

    FakeStreams() {
        super(topology(), settings());
    }

    /** Forgets what it was told. */
    void reset() {
        refusals.clear();
        onAnswer = () -> {};
        onEntries = () -> {};
        queries = 0;
    }

    /** Refuses as many of the next queries as are given, for these reasons. */
    void refuse(FailureReason... reasons) {
        refusals.addAll(List.of(reasons));
    }

    void onAnswer(Runnable event) {
        onAnswer = event;
    }

    void onEntries(Runnable event) {
        onEntries = event;
    }

    int queries() {
        return queries;
    }

    @Override
    public <R> StateQueryResult<R> query(StateQueryRequest<R> request) {
        queries++;
        StateQueryResult<R> result = new StateQueryResult<>();
        for (int partition : request.getPartitions()) {
            result.addResult(partition, answer(request));
        }
        onAnswer.run();
        return result;
    }

    @SuppressWarnings("unchecked") // R is what the query's kind says
    private <R> QueryResult<R> answer(StateQueryRequest<R> request) {
        FailureReason refusal = refusals.poll();
        if (refusal != null) {
            return QueryResult.forFailure(refusal, "as the test wants it");
        }
        return request.getQuery() instanceof KeyQuery
                ? (QueryResult<R>) QueryResult.forResult((Object) null)
                : (QueryResult<R>) QueryResult.forResult((Object) new NoEntries(onEntries));
    }

    private static Topology topology() {
        return new Topology().addSource("unused", "unused");
    }

    private static Properties settings() {
        Properties settings = new Properties();
        settings.putAll(
                Map.of(
                        StreamsConfig.APPLICATION_ID_CONFIG, "fake",
                        StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1"));
        return settings;
    }

    private record NoEntries(Runnable asked) implements KeyValueIterator<Bytes, byte[]> {

        @Override
        public boolean hasNext() {
            asked.run();
            return false;
        }

        @Override
        public KeyValue<Bytes, byte[]> next() {
            throw new NoSuchElementException();
        }

        @Override
        public Bytes peekNextKey() {
            throw new NoSuchElementException();
        }

        @Override
        public void close() {}
    }
}
