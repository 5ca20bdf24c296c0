package dev.tidemark.query.verify;

import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.json.JsonWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;

/** One comparison of an index with its table, from when it is asked for. Thread-safe. */
public final class Verification {

    private static final double MILLIS = 1e3;

    /** How far it is. */
    enum Status {
        /** Others are before it. */
        QUEUED,
        RUNNING,
        /** It has its result, whatever that is. */
        FINISHED,
        /** It could not be done. */
        FAILED
    }

    private final String id;
    private final TableDefinition table;
    private final GlobalIndex index;
    private final boolean repairs;
    private Status status = Status.QUEUED;
    private LongSupplier rowsRead = () -> 0;
    private Optional<Instant> startedAt = Optional.empty();
    private Optional<Instant> finishedAt = Optional.empty();
    private Optional<String> failure = Optional.empty();
    private Optional<VerificationReport> before = Optional.empty();
    private Optional<VerificationReport> report = Optional.empty();
    private long mended;

    Verification(String id, TableDefinition table, GlobalIndex index, boolean repairs) {
        this.id = id;
        this.table = table;
        this.index = index;
        this.repairs = repairs;
    }

    String id() {
        return id;
    }

    TableDefinition table() {
        return table;
    }

    GlobalIndex index() {
        return index;
    }

    /** Returns the generation of the index that is compared. */
    public IndexId indexId() {
        return IndexId.of(table, index);
    }

    /** Returns the name of the table. */
    public String tableName() {
        return table.name().value();
    }

    boolean repairs() {
        return repairs;
    }

    synchronized boolean isOver() {
        return status == Status.FINISHED || status == Status.FAILED;
    }

    synchronized void started(Instant now, LongSupplier rows) {
        status = Status.RUNNING;
        startedAt = Optional.of(now);
        rowsRead = rows;
    }

    /** Says what was found before anything was mended. */
    synchronized void found(VerificationReport first, long refreshed) {
        before = Optional.of(first);
        mended = refreshed;
    }

    synchronized void finished(Instant now, VerificationReport last) {
        status = Status.FINISHED;
        finishedAt = Optional.of(now);
        report = Optional.of(last);
        freeze();
    }

    synchronized void failed(Instant now, String reason) {
        status = Status.FAILED;
        finishedAt = Optional.of(now);
        failure = Optional.of(reason);
        freeze();
    }

    private void freeze() {
        long rows = rowsRead.getAsLong();
        rowsRead = () -> rows;
    }

    /** Returns whether table and index agree; empty if that is not known. */
    public synchronized Optional<Boolean> isEqual() {
        return report.map(VerificationReport::isEqual);
    }

    /** Returns how many entries are missing, as far as is known. */
    public synchronized long missing() {
        return report.map(VerificationReport::missing).orElse(0L);
    }

    /** Returns how many entries no item should have, as far as is known. */
    public synchronized long dangling() {
        return report.map(VerificationReport::dangling).orElse(0L);
    }

    /** Returns how many entries do not carry what their items have, as far as is known. */
    public synchronized long different() {
        return report.map(VerificationReport::different).orElse(0L);
    }

    /** Returns how many items were refreshed to mend the index. */
    public synchronized long mended() {
        return mended;
    }

    /** Returns when it was over; empty if it is not. */
    public synchronized Optional<Instant> finishedAt() {
        return finishedAt;
    }

    /** Returns why it could not be done; empty if it could. */
    synchronized Optional<String> failure() {
        return failure;
    }

    /** Returns how long it took; zero if it is not over. */
    synchronized Duration took() {
        return startedAt
                .flatMap(start -> finishedAt.map(end -> Duration.between(start, end)))
                .orElse(Duration.ZERO);
    }

    synchronized void write(JsonWriter out) {
        out.beginObject();
        out.member("VerificationId", id);
        out.member("TableName", table.name().value());
        out.member("IndexName", index.name().value());
        out.member("Generation", index.generation());
        out.member("Repair", repairs);
        out.member("Status", status.name());
        out.member("RowsRead", rowsRead.getAsLong());
        startedAt.ifPresent(at -> out.member("StartedAt", at.toEpochMilli() / MILLIS));
        finishedAt.ifPresent(at -> out.member("FinishedAt", at.toEpochMilli() / MILLIS));
        failure.ifPresent(reason -> out.member("FailureReason", reason));
        if (repairs && before.isPresent()) {
            out.member("Mended", mended);
            out.name("Before").beginObject();
            before.get().writeMembers(out);
            out.endObject();
        }
        report.ifPresent(found -> found.writeMembers(out));
        out.endObject();
    }
}
