package dev.tidemark.launcher.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.client.EndpointException;
import dev.tidemark.launcher.client.LagReading;
import dev.tidemark.launcher.client.TableCreation;
import dev.tidemark.launcher.load.BulkLoad;
import dev.tidemark.launcher.load.Row;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The product's main job, shown: readings go into a table, an index is added meanwhile, every
 * access pattern is asked once, and every index is compared with the table. Used once, by one
 * thread.
 */
public final class Demo {

    private static final int BATCHES = 8;

    /** The share of the readings, in percent, that are there before the later index is added. */
    private static final int FIRST_SHARE = 70;

    private final Endpoint server;
    private final Readings readings;
    private final ReadingsTable table;
    private final DemoView view;
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final LagWatch watch;

    private Demo(Endpoint server, Readings readings, DemoView view) {
        this.server = server;
        this.readings = readings;
        this.table = new ReadingsTable(readings.valueName());
        this.view = view;
        this.watch = new LagWatch(server, ReadingsTable.NAME);
    }

    /**
     * How it went.
     *
     * @param agreed whether every index agreed with the table and every reading was written
     * @param shellLines lines for a shell that ask the same questions again
     */
    public record Outcome(boolean agreed, List<String> shellLines) {

        public Outcome {
            shellLines = List.copyOf(shellLines);
        }
    }

    /**
     * Shows everything on {@code server}, whose table must not exist yet.
     *
     * @throws EndpointException if the server refuses a request it should not
     * @throws IOException if the readings can't be read
     */
    public static Outcome run(Endpoint server, Readings readings, DemoView view)
            throws IOException {
        return new Demo(server, readings, view).run();
    }

    private Outcome run() throws IOException {
        create();
        long first = readings.size() * FIRST_SHARE / 100;
        ingest(first);
        addIndexMeanwhile(readings.size() - first);
        List<Question> questions = readings.example().map(table::questions).orElseGet(List::of);
        ask(questions);
        boolean agreed = compare();
        lag();
        return new Outcome(
                agreed && refused.get() == 0,
                questions.stream()
                        .map(question -> question.shellLine(server.uri().toString()))
                        .toList());
    }

    private void create() {
        view.step("Create the table " + ReadingsTable.NAME);
        long begun = System.nanoTime();
        TableCreation.createAndAwait(server, table.spec());
        double seconds = secondsSince(begun);
        TextTable lines = new TextTable(List.of("KEY OR INDEX", "ATTRIBUTES", "KIND"));
        lines.row(
                List.of(
                        "(table)",
                        ReadingsTable.SENSOR + ", " + ReadingsTable.TIME,
                        "primary key"));
        table.spec()
                .localIndexes()
                .forEach(
                        (name, sort) ->
                                lines.row(
                                        List.of(
                                                name,
                                                ReadingsTable.SENSOR + ", " + sort,
                                                "local, as fresh as the table")));
        table.spec()
                .globalIndexes()
                .forEach(
                        (name, attributes) ->
                                lines.row(
                                        List.of(
                                                name,
                                                String.join(", ", attributes),
                                                name.equals(ReadingsTable.BY_SEVERITY)
                                                        ? "global, sparse: only open alerts have a severity"
                                                        : "global")));
        lines.lines().forEach(view::line);
        view.line(format("ACTIVE after %.2f s", seconds));
    }

    private void ingest(long rows) throws IOException {
        view.step(format("Write %,d readings of %s", rows, readings.origin()));
        long begun = System.nanoTime();
        try (DemoView.Work work = view.work("writing", "readings", rows)) {
            load(rows, work);
        }
        writtenLine(written.get(), begun);
    }

    private void addIndexMeanwhile(long rows) throws IOException {
        view.step("Add an index while writes go on");
        view.line(
                format(
                        "%s  %s, %s: built from the log, from its first record on",
                        ReadingsTable.BY_DAY, ReadingsTable.DAY, table.valueName()));
        long before = written.get();
        long begun = System.nanoTime();
        ExecutorService writer =
                Executors.newSingleThreadExecutor(task -> new Thread(task, "demo-writes"));
        BackfillWatch backfill =
                new BackfillWatch(server, ReadingsTable.NAME, ReadingsTable.BY_DAY, watch);
        double active;
        long meanwhile;
        long ended;
        try (DemoView.Work work = view.work("writing", "readings", rows)) {
            Future<Long> writes =
                    writer.submit(
                            () -> {
                                load(rows, work);
                                return System.nanoTime();
                            });
            Polling.until(() -> written.get() > before || writes.isDone());
            server.call("UpdateTable", table.addByDay());
            long asked = System.nanoTime();
            Polling.until(
                    () -> {
                        boolean reached = backfill.look(written.get());
                        work.remark(backfill.remark());
                        return reached;
                    });
            active = secondsSince(asked);
            meanwhile = written.get() - before;
            Polling.until(
                    () -> {
                        watch.look();
                        return writes.isDone();
                    });
            ended = result(writes);
        } finally {
            writer.shutdownNow();
        }
        view.line(format("backfill %s, ACTIVE after %.2f s", backfill.history(), active));
        writtenLine(written.get() - before, begun, ended);
        view.line(format("%,d of them before the index was ACTIVE", meanwhile));
    }

    private static long result(Future<Long> writes) throws IOException {
        try {
            return writes.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while writing", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException unreadable) {
                throw unreadable;
            }
            if (e.getCause() instanceof EndpointException failed) {
                throw failed;
            }
            throw new IllegalStateException("The writes broke off", e.getCause());
        }
    }

    private void ask(List<Question> questions) {
        view.step("Ask one question per access pattern");
        if (questions.isEmpty()) {
            view.line("no reading was written, so there is nothing to ask about");
        }
        for (Question question : questions) {
            show(question);
            if (question.index().equals(Optional.of(ReadingsTable.BY_SEVERITY))) {
                closeAlert(question);
            }
        }
    }

    private void show(Question question) {
        Question.Answer answer = question.ask(server);
        view.line("");
        view.line(question.title());
        view.line(
                question.index().orElse("(table)")
                        + ": "
                        + question.readable()
                        + (question.newestFirst() ? ", backwards" : "")
                        + (question.consistent() ? ", ConsistentRead" : ""));
        List<String> names =
                List.of(
                        ReadingsTable.SENSOR,
                        ReadingsTable.TIME,
                        table.valueName(),
                        ReadingsTable.QUALITY,
                        ReadingsTable.SEVERITY);
        TextTable lines =
                new TextTable(
                        List.of(
                                names.get(0),
                                names.get(1),
                                ">" + names.get(2),
                                ">" + names.get(3),
                                names.get(4)));
        for (JsonNode item : answer.items()) {
            lines.row(names.stream().map(name -> plain(item.path(name))).toList());
        }
        if (!answer.items().isEmpty()) {
            lines.lines().forEach(line -> view.line("    " + line));
        }
        view.line(
                format(
                        "    %,d of %,d, in %.1f ms",
                        answer.items().size(), question.count(server), answer.millis()));
    }

    /** Takes the severity away from the newest critical reading, which thereby leaves the index. */
    private void closeAlert(Question alerts) {
        List<JsonNode> open = alerts.ask(server).items();
        if (open.isEmpty()) {
            return;
        }
        long before = alerts.count(server);
        JsonNode alert = open.get(0);
        ObjectNode update = Endpoint.JSON.createObjectNode();
        update.put("TableName", ReadingsTable.NAME);
        ObjectNode key = update.putObject("Key");
        key.set(ReadingsTable.SENSOR, alert.path(ReadingsTable.SENSOR));
        key.set(ReadingsTable.TIME, alert.path(ReadingsTable.TIME));
        update.put("UpdateExpression", "REMOVE " + ReadingsTable.SEVERITY);
        server.call("UpdateItem", update);
        watch.awaitCaughtUp();
        view.line(
                format(
                        "    the first one closed (REMOVE severity) leaves the index: %,d, then %,d",
                        before, alerts.count(server)));
    }

    private boolean compare() {
        view.step("Compare every index with the table, entry for entry");
        watch.awaitCaughtUp();
        long begun = System.nanoTime();
        IndexComparison.Result result = new IndexComparison(server, ReadingsTable.NAME).compare();
        TextTable lines =
                new TextTable(
                        List.of(
                                "INDEX",
                                ">EXPECTED",
                                ">EQUAL",
                                ">MISSING",
                                ">DANGLING",
                                ">DIFFERENT"));
        for (IndexComparison.Found found : result.indexes()) {
            lines.row(
                    List.of(
                            found.index(),
                            count(found.expected()),
                            count(found.equal()),
                            count(found.missing()),
                            count(found.dangling()),
                            count(found.different())));
        }
        lines.lines().forEach(view::line);
        view.line(
                format(
                        "%s of the table's %,d items (compared in %.1f s)",
                        result.agrees()
                                ? "every index is the projection"
                                : "NOT EVERY INDEX IS THE PROJECTION",
                        result.items(),
                        secondsSince(begun)));
        return result.agrees();
    }

    private void lag() {
        view.step("How far the indexes trail the table");
        TextTable lines =
                new TextTable(
                        List.of(
                                "INDEX",
                                "STATUS",
                                ">CHANGES BEHIND",
                                ">AGE",
                                ">MOST SEEN WHILE WRITING"));
        for (LagReading lag : watch.look()) {
            lines.row(
                    List.of(
                            lag.index(),
                            lag.status(),
                            lag.changesText(),
                            lag.ageText(),
                            count(watch.mostChanges(lag.index()))));
        }
        lines.lines().forEach(view::line);
    }

    private void load(long rows, DemoView.Work work) throws IOException {
        long before = written.get();
        BulkLoad.Listener listener =
                new BulkLoad.Listener() {
                    @Override
                    public void advanced(BulkLoad.Totals totals, long bytesRead, long doneLine) {
                        written.set(before + totals.written());
                        work.advanced(totals.written() + totals.refused());
                    }

                    @Override
                    public void refused(Row.Bad row) {
                        refused.incrementAndGet();
                    }
                };
        new BulkLoad(server, ReadingsTable.NAME, table.spec().key(), BATCHES, listener)
                .run(new FirstRows(readings, rows), 0);
    }

    private void writtenLine(long rows, long begun) {
        writtenLine(rows, begun, System.nanoTime());
    }

    private void writtenLine(long rows, long begun, long ended) {
        double seconds = Math.max(1e-3, (ended - begun) / 1e9);
        view.line(
                format("%,d written in %.2f s (%,.0f rows/s)", rows, seconds, rows / seconds)
                        + (refused.get() == 0 ? "" : ", " + count(refused.get()) + " REFUSED"));
    }

    private static String plain(JsonNode value) {
        return value.isMissingNode() ? "" : value.elements().next().asText();
    }

    private static double secondsSince(long begun) {
        return (System.nanoTime() - begun) / 1e9;
    }

    private static String count(long number) {
        return format("%,d", number);
    }

    private static String format(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }
}
