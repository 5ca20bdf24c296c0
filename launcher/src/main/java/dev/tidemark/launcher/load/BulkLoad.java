package dev.tidemark.launcher.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.client.EndpointException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Puts the rows of a file into a table, several batches at a time.
 *
 * <p>Rows with the same key are written in the order of the file: a row waits until no batch that
 * holds its key is under way. A row the server refuses is reported with the server's reason and the
 * others of its batch are written. Used by one thread.
 */
public final class BulkLoad {

    private static final int BATCH = 25;
    private static final String TYPE_REFUSED = "ValidationException";

    /** Is told how a load goes on, on the thread that runs it. */
    public interface Listener {

        /**
         * Takes the state after some rows were done.
         *
         * @param doneLine every row up to this line is written or refused
         */
        void advanced(Totals totals, long bytesRead, long doneLine);

        /** Takes a row that is not written. */
        void refused(Row.Bad row);
    }

    /**
     * Counts of rows.
     *
     * @param written rows the server has acknowledged
     * @param refused rows that make no item or that the server refused
     */
    public record Totals(long written, long refused) {}

    private record Batch(
            List<Row.Good> rows,
            Set<JsonNode> keys,
            long lastLine,
            CompletableFuture<List<Row.Bad>> refused) {}

    private final Endpoint endpoint;
    private final String table;
    private final List<String> keyNames;
    private final int mostUnderWay;
    private final Listener listener;
    private final Deque<Batch> underWay = new ArrayDeque<>();
    private List<Row.Good> gathered = new ArrayList<>();
    private Set<JsonNode> gatheredKeys = new HashSet<>();
    private long written;
    private long refused;

    /**
     * Makes a load.
     *
     * @param keyNames the table's key attributes
     * @param mostUnderWay how many batches are sent before the first is answered, at least 1
     */
    public BulkLoad(
            Endpoint endpoint,
            String table,
            List<String> keyNames,
            int mostUnderWay,
            Listener listener) {
        this.endpoint = endpoint;
        this.table = table;
        this.keyNames = List.copyOf(keyNames);
        this.mostUnderWay = mostUnderWay;
        this.listener = listener;
    }

    /**
     * Writes all rows beyond line {@code afterLine}.
     *
     * @throws IOException if the file can't be read on
     * @throws EndpointException if the server can't be asked any more; what was reported as done is
     *     done
     */
    public Totals run(RowSource rows, long afterLine) throws IOException {
        for (Optional<Row> next = rows.next(); next.isPresent(); next = rows.next()) {
            Row row = next.orElseThrow();
            if (row.line() <= afterLine) {
                continue;
            }
            if (row instanceof Row.Good good) {
                add(good, rows);
            } else if (row instanceof Row.Bad bad) {
                refuse(bad);
            }
        }
        send(rows);
        while (!underWay.isEmpty()) {
            finishFirst(rows);
        }
        return new Totals(written, refused);
    }

    private void add(Row.Good row, RowSource rows) {
        JsonNode key = keyOf(row);
        if (gatheredKeys.contains(key)) {
            send(rows);
        }
        while (underWay.stream().anyMatch(batch -> batch.keys().contains(key))) {
            finishFirst(rows);
        }
        gathered.add(row);
        gatheredKeys.add(key);
        if (gathered.size() == BATCH) {
            send(rows);
        }
    }

    private JsonNode keyOf(Row.Good row) {
        ObjectNode key = Endpoint.JSON.createObjectNode();
        keyNames.forEach(name -> key.set(name, row.item().path(name)));
        return key;
    }

    private void send(RowSource rows) {
        if (gathered.isEmpty()) {
            return;
        }
        if (underWay.size() >= mostUnderWay) {
            finishFirst(rows);
        }
        List<Row.Good> batch = gathered;
        underWay.add(
                new Batch(batch, gatheredKeys, batch.get(batch.size() - 1).line(), write(batch)));
        gathered = new ArrayList<>();
        gatheredKeys = new HashSet<>();
    }

    private void finishFirst(RowSource rows) {
        Batch batch = underWay.element();
        try {
            List<Row.Bad> bad = batch.refused().join();
            bad.forEach(this::refuse);
            written += batch.rows().size() - bad.size();
        } catch (CompletionException e) {
            if (e.getCause() instanceof EndpointException failure) {
                throw failure;
            }
            throw e;
        }
        underWay.remove();
        listener.advanced(new Totals(written, refused), rows.bytesRead(), batch.lastLine());
    }

    private void refuse(Row.Bad row) {
        refused++;
        listener.refused(row);
    }

    private CompletableFuture<List<Row.Bad>> write(List<Row.Good> batch) {
        ObjectNode body = Endpoint.JSON.createObjectNode();
        ArrayNode requests = body.putObject("RequestItems").putArray(table);
        batch.forEach(row -> requests.addObject().putObject("PutRequest").set("Item", row.item()));
        return writeAll(body)
                .thenApply(done -> List.<Row.Bad>of())
                .exceptionallyCompose(
                        failure -> {
                            Throwable cause =
                                    failure instanceof CompletionException
                                            ? failure.getCause()
                                            : failure;
                            if (cause instanceof EndpointException answer
                                    && answer.type().equals(TYPE_REFUSED)) {
                                return writeOneByOne(batch);
                            }
                            return CompletableFuture.failedFuture(cause);
                        });
    }

    /** Writes a batch, and what the server left unprocessed again, until nothing is left. */
    private CompletableFuture<JsonNode> writeAll(ObjectNode body) {
        return endpoint.send("BatchWriteItem", body)
                .thenCompose(
                        reply -> {
                            JsonNode left = reply.path("UnprocessedItems");
                            if (left.isEmpty()) {
                                return CompletableFuture.completedFuture(reply);
                            }
                            ObjectNode again = Endpoint.JSON.createObjectNode();
                            again.set("RequestItems", left);
                            return writeAll(again);
                        });
    }

    private CompletableFuture<List<Row.Bad>> writeOneByOne(List<Row.Good> batch) {
        CompletableFuture<List<Row.Bad>> result =
                CompletableFuture.completedFuture(new ArrayList<>());
        for (Row.Good row : batch) {
            result =
                    result.thenCompose(
                            bad -> {
                                ObjectNode body = Endpoint.JSON.createObjectNode();
                                body.put("TableName", table);
                                body.set("Item", row.item());
                                return endpoint.send("PutItem", body)
                                        .thenApply(reply -> bad)
                                        .exceptionallyCompose(
                                                failure -> {
                                                    Throwable cause =
                                                            failure instanceof CompletionException
                                                                    ? failure.getCause()
                                                                    : failure;
                                                    if (cause instanceof EndpointException answer
                                                            && answer.type().equals(TYPE_REFUSED)) {
                                                        bad.add(
                                                                new Row.Bad(
                                                                        row.line(),
                                                                        row.item().toString(),
                                                                        String.valueOf(
                                                                                answer
                                                                                        .getMessage())));
                                                        return CompletableFuture.completedFuture(
                                                                bad);
                                                    }
                                                    return CompletableFuture.failedFuture(cause);
                                                });
                            });
        }
        return result;
    }
}
