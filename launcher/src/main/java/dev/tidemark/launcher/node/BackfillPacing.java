package dev.tidemark.launcher.node;

import dev.tidemark.launcher.config.WorkRate;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexBuild;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.TableDefinition;
import java.util.function.BooleanSupplier;

/** Lets the indexes that are being filled on this node rest, or go on as fast as they may. */
final class BackfillPacing {

    private final TableApps apps;
    private final WorkRate rate;
    private final BooleanSupplier serving;

    /**
     * Makes the pacing.
     *
     * @param serving tells whether requests for items have come of late
     */
    BackfillPacing(TableApps apps, WorkRate rate, BooleanSupplier serving) {
        this.apps = apps;
        this.rate = rate;
        this.serving = serving;
    }

    /** Sets the pace of an index; to be called often. */
    void apply(TableDefinition table, GlobalIndex index) {
        IndexBuild build = index.build();
        boolean building = index.status() == IndexStatus.CREATING && build.startedAt().isPresent();
        apps.pace(
                IndexId.of(table, index),
                building && build.paused(),
                building ? build.rateLimit().orElseGet(this::ownRate) : Long.MAX_VALUE);
    }

    private long ownRate() {
        return rate.now(serving.getAsBoolean());
    }
}
