package dev.tidemark.model.table;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How an index is filled with what its table held already.
 *
 * @param startedAt when the index was asked for; empty if it was made with its table, or before
 *     that was noted
 * @param target for each partition of the table the sequence up to which changes are to be applied
 *     before the index may be read; empty until that is known
 * @param finishedAt when the target was reached
 * @param paused whether it rests for the time being
 * @param rateLimit the most changes a second that a node may take for it, {@link Long#MAX_VALUE}
 *     for no limit; empty for what the node is set to
 */
public record IndexBuild(
        Optional<Instant> startedAt,
        List<Long> target,
        Optional<Instant> finishedAt,
        boolean paused,
        OptionalLong rateLimit) {

    /** Of an index that was made with its table. */
    public static final IndexBuild NONE =
            new IndexBuild(
                    Optional.empty(), List.of(), Optional.empty(), false, OptionalLong.empty());

    public IndexBuild {
        target = List.copyOf(target);
        if (rateLimit.isPresent() && rateLimit.getAsLong() < 1) {
            throw new IllegalArgumentException("Invalid rate limit: not positive");
        }
    }

    /** Returns a build that begins now. */
    public static IndexBuild startedAt(Instant moment) {
        return new IndexBuild(
                Optional.of(moment), List.of(), Optional.empty(), false, OptionalLong.empty());
    }

    public IndexBuild withTarget(List<Long> sequences) {
        return new IndexBuild(startedAt, sequences, finishedAt, paused, rateLimit);
    }

    /** Returns this build at its end; it no longer rests. */
    public IndexBuild finishedAt(Instant moment) {
        return new IndexBuild(startedAt, target, Optional.of(moment), false, rateLimit);
    }

    public IndexBuild withPaused(boolean next) {
        return new IndexBuild(startedAt, target, finishedAt, next, rateLimit);
    }

    public IndexBuild withRateLimit(OptionalLong next) {
        return new IndexBuild(startedAt, target, finishedAt, paused, next);
    }
}
