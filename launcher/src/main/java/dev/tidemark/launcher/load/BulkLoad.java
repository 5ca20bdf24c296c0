package dev.tidemark.launcher.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.client.EndpointException;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.InvalidNumberException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Puts the rows of a file into a table, several batches at a time.
 *
 * <p>Rows with the same key are written in the order of the file: a row waits until no batch that
 * holds its key is under way. A row the server refuses is reported with the server's reason and the
 * others of its batch are written. Used by one thread.
 */
public final class BulkLoad {

    private static final int BATCH = 25;

    /** So that a file of nothing but rows that make no item is reported as it is read. */
    private static final int MOST_BAD = 100;

    private static final Set<String> REFUSALS =
            Set.of("ValidationException", "SerializationException");
    private static final long FIRST_PAUSE_MILLIS = 20;
    private static final long LONGEST_PAUSE_MILLIS = 2_000;

    /** How often items that a server leaves unprocessed are sent again without it taking any. */
    private static final int MOST_IDLE_TRIES = 20;

    /** Is told how a load goes on, on the thread that runs it. */
    public interface Listener {

        /**
         * Takes the state after some rows were done.
         *
         * @param doneLine every row up to this line is written, or refused and reported; no row
         *     beyond it has been reported
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

    /**
     * Rows that are being written, and those between them that make no item.
     *
     * @param refused the rows the server refused, once all are written
     */
    private record Batch(
            List<Row.Good> good,
            List<Row.Bad> bad,
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
    private List<Row.Bad> gatheredBad = new ArrayList<>();
    private Set<JsonNode> gatheredKeys = new HashSet<>();
    private long lastLine;
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
                gatheredBad.add(bad);
            }
            lastLine = row.line();
            if (gathered.size() == BATCH || gatheredBad.size() == MOST_BAD) {
                send(rows);
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
    }

    private JsonNode keyOf(Row.Good row) {
        ObjectNode key = Endpoint.JSON.createObjectNode();
        keyNames.forEach(name -> key.set(name, normal(row.item().path(name))));
        return key;
    }

    /** Returns a key attribute in the form in which equal ones are written alike. */
    private static JsonNode normal(JsonNode value) {
        String number = value.path("N").asText("");
        try {
            return number.isEmpty()
                    ? value
                    : Endpoint.JSON.createObjectNode().put("N", Decimal.parse(number).text());
        } catch (InvalidNumberException e) {
            return value; // the server will refuse it
        }
    }

    private void send(RowSource rows) {
        if (gathered.isEmpty() && gatheredBad.isEmpty()) {
            return;
        }
        if (underWay.size() >= mostUnderWay) {
            finishFirst(rows);
        }
        underWay.add(
                new Batch(
                        gathered,
                        gatheredBad,
                        gatheredKeys,
                        lastLine,
                        gathered.isEmpty()
                                ? CompletableFuture.completedFuture(List.of())
                                : write(gathered)));
        gathered = new ArrayList<>();
        gatheredBad = new ArrayList<>();
        gatheredKeys = new HashSet<>();
    }

    private void finishFirst(RowSource rows) {
        Batch batch = underWay.element();
        List<Row.Bad> bad = new ArrayList<>(batch.bad());
        try {
            bad.addAll(batch.refused().join());
        } catch (CompletionException e) {
            if (e.getCause() instanceof EndpointException failure) {
                throw failure;
            }
            throw e;
        }
        bad.sort(Comparator.comparingLong(Row.Bad::line));
        bad.forEach(listener::refused);
        int newlyRefused = bad.size() - batch.bad().size();
        written += batch.good().size() - newlyRefused;
        refused += bad.size();
        underWay.remove();
        listener.advanced(new Totals(written, refused), rows.bytesRead(), batch.lastLine());
    }

    private CompletableFuture<List<Row.Bad>> write(List<Row.Good> batch) {
        ObjectNode body = Endpoint.JSON.createObjectNode();
        ArrayNode requests = body.putObject("RequestItems").putArray(table);
        batch.forEach(row -> requests.addObject().putObject("PutRequest").set("Item", row.item()));
        return writeAll(body, 0)
                .thenApply(done -> List.<Row.Bad>of())
                .exceptionallyCompose(
                        failure ->
                                refusal(failure).isPresent()
                                        ? writeOneByOne(batch)
                                        : CompletableFuture.failedFuture(causeOf(failure)));
    }

    /**
     * Writes a batch, and what the server left unprocessed again, until nothing is left.
     *
     * @param idleTries how often in a row the server has taken nothing
     */
    private CompletableFuture<JsonNode> writeAll(ObjectNode body, int idleTries) {
        int sent = body.path("RequestItems").path(table).size();
        return endpoint.send("BatchWriteItem", body)
                .thenCompose(
                        reply -> {
                            JsonNode left = reply.path("UnprocessedItems");
                            if (left.isEmpty()) {
                                return CompletableFuture.completedFuture(reply);
                            }
                            int idle = left.path(table).size() < sent ? 0 : idleTries + 1;
                            if (idle > MOST_IDLE_TRIES) {
                                return CompletableFuture.failedFuture(
                                        EndpointException.overloaded(endpoint.uri()));
                            }
                            ObjectNode again = Endpoint.JSON.createObjectNode();
                            again.set("RequestItems", left);
                            return CompletableFuture.runAsync(() -> {}, pause(idle))
                                    .thenCompose(rested -> writeAll(again, idle));
                        });
    }

    private static Executor pause(int idleTries) {
        return CompletableFuture.delayedExecutor(
                Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(idleTries, 10)),
                TimeUnit.MILLISECONDS);
    }

    private CompletableFuture<List<Row.Bad>> writeOneByOne(List<Row.Good> batch) {
        CompletableFuture<List<Row.Bad>> result =
                CompletableFuture.completedFuture(new ArrayList<>());
        for (Row.Good row : batch) {
            result =
                    result.thenCompose(
                            bad ->
                                    writeOne(row)
                                            .thenApply(
                                                    refusal -> {
                                                        refusal.ifPresent(bad::add);
                                                        return bad;
                                                    }));
        }
        return result;
    }

    /** Writes one row; the result is the row if the server refused it. */
    private CompletableFuture<Optional<Row.Bad>> writeOne(Row.Good row) {
        ObjectNode body = Endpoint.JSON.createObjectNode();
        body.put("TableName", table);
        body.set("Item", row.item());
        return endpoint.send("PutItem", body)
                .thenApply(reply -> Optional.<Row.Bad>empty())
                .exceptionallyCompose(
                        failure -> {
                            Optional<String> reason = refusal(failure);
                            return reason.isPresent()
                                    ? CompletableFuture.completedFuture(
                                            reason.map(
                                                    text ->
                                                            new Row.Bad(
                                                                    row.line(),
                                                                    row.item().toString(),
                                                                    text)))
                                    : CompletableFuture.failedFuture(causeOf(failure));
                        });
    }

    /** Returns the server's reason if it refused what it was asked for good. */
    private static Optional<String> refusal(Throwable failure) {
        return causeOf(failure) instanceof EndpointException answer
                        && REFUSALS.contains(answer.type())
                ? Optional.of(String.valueOf(answer.getMessage()))
                : Optional.empty();
    }

    private static Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
    }
}
