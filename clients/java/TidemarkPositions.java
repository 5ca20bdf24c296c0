import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * Reads of global indexes that see the client's own writes, for the AWS SDK for Java v2 against Tidemark.
 *
 * <pre>{@code
 * DynamoDbClient client = DynamoDbClient.builder()
 *         .endpointOverride(URI.create("http://127.0.0.1:8000"))
 *         .overrideConfiguration(config -> config.addExecutionInterceptor(new TidemarkPositions()))
 *         .build();
 * }</pre>
 *
 * <p>It remembers the last change of each table's partitions that the answers to writes have told, and has a
 * Query or Scan of an index wait, within the server's bound, until the index reflects them. Give one to several
 * clients to have them see each other's writes. To hand it on, to another process or with a job, take {@link
 * #header} and give it to {@link #note} there. Thread-safe.
 */
public final class TidemarkPositions implements ExecutionInterceptor {

    private static final String POSITION = "x-tidemark-position";
    private static final String AFTER = "x-tidemark-after";

    private final Map<String, Map<Integer, Long>> sequences = new ConcurrentHashMap<>();

    /** Takes what an answer's {@code x-tidemark-position} says. */
    public void note(String header) {
        for (String position : header.split(",")) {
            String[] parts = position.trim().split(":");
            sequences.compute(
                    parts[0],
                    (table, known) -> {
                        Map<Integer, Long> next = known == null ? new TreeMap<>() : new TreeMap<>(known);
                        next.merge(Integer.valueOf(parts[1]), Long.valueOf(parts[2]), Math::max);
                        return next;
                    });
        }
    }

    /** Returns the {@code x-tidemark-after} of reads that must see these changes; empty if there are none. */
    public Optional<String> header(String table) {
        return Optional.ofNullable(sequences.get(table))
                .map(
                        known ->
                                known.entrySet().stream()
                                        .map(each -> table + ":" + each.getKey() + ":" + each.getValue())
                                        .collect(Collectors.joining(",")));
    }

    /** Forgets a table, which is gone: one of the same name begins anew. */
    public void forget(String table) {
        sequences.remove(table);
    }

    @Override
    public SdkHttpRequest modifyHttpRequest(
            Context.ModifyHttpRequest context, ExecutionAttributes executionAttributes) {
        SdkHttpRequest request = context.httpRequest();
        Optional<String> after = tableOfIndexRead(context.request()).flatMap(this::header);
        return after.isEmpty() || request.firstMatchingHeader(AFTER).isPresent()
                ? request
                : request.toBuilder().putHeader(AFTER, after.get()).build();
    }

    @Override
    public void afterTransmission(
            Context.AfterTransmission context, ExecutionAttributes executionAttributes) {
        context.httpResponse().firstMatchingHeader(POSITION).ifPresent(this::note);
    }

    private static Optional<String> tableOfIndexRead(SdkRequest request) {
        if (request instanceof QueryRequest query && query.indexName() != null && !query.hasExclusiveStartKey()) {
            return Optional.of(nameIn(query.tableName()));
        }
        if (request instanceof ScanRequest scan && scan.indexName() != null && !scan.hasExclusiveStartKey()) {
            return Optional.of(nameIn(scan.tableName()));
        }
        return Optional.empty();
    }

    private static String nameIn(String tableOrArn) {
        return tableOrArn.substring(tableOrArn.lastIndexOf('/') + 1);
    }
}
