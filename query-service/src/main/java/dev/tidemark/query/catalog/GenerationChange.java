package dev.tidemark.query.catalog;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexBuild;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.SpareGeneration;
import dev.tidemark.model.table.SpareGeneration.Purpose;
import dev.tidemark.model.table.TableDefinition;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** One thing that is changed about the generations of a global index, or how one is filled. */
public sealed interface GenerationChange extends TableChange {

    /**
     * Begins to build the next generation of a global index beside the one that serves.
     *
     * @param key what it is to be ordered by; as it is, if not given
     * @param projection what its entries are to carry; as it is, if not given
     * @param takesOver whether it serves by itself once it has caught up
     * @param keepsPrevious whether one can go back from it
     * @param at when it is asked for
     * @param atOnce how many indexes of a table may be made or removed at once
     */
    record StartNextGeneration(
            IndexName name,
            Optional<KeySchema> key,
            Optional<Projection> projection,
            boolean takesOver,
            boolean keepsPrevious,
            Instant at,
            int atOnce)
            implements GenerationChange {

        @Override
        public TableEntry applyTo(TableEntry entry) {
            TableDefinition table = entry.definition();
            GlobalIndex index = IndexRules.requireIndex(table, name);
            if (index.status() != IndexStatus.ACTIVE) {
                throw TableEntry.inUse("Index is not active: " + name);
            }
            if (table.spare(name, Purpose.NEXT).isPresent()) {
                throw TableEntry.inUse("Index has a next generation already: " + name);
            }
            IndexRules.requireRoom(entry, atOnce);
            Projection next = projection.orElse(index.projection());
            IndexRules.requireProjectable(
                    TableChange.projectedAttributes(table)
                            - IndexRules.included(index.projection())
                            + IndexRules.included(next));
            GlobalIndex generation =
                    new GlobalIndex(
                            name,
                            entry.nextGeneration(name),
                            key.map(given -> IndexKeyTypes.of(table).typed(given))
                                    .orElse(index.key()),
                            next,
                            index.throughput(),
                            IndexStatus.CREATING,
                            index.capacity(),
                            IndexBuild.startedAt(at));
            return entry.plusSpare(
                    new SpareGeneration(generation, Purpose.NEXT, takesOver, keepsPrevious));
        }
    }

    /** Lets the next generation of a global index, which has caught up, serve. */
    record SwitchGeneration(IndexName name) implements GenerationChange {

        @Override
        public TableEntry applyTo(TableEntry entry) {
            SpareGeneration next = requireSpare(entry.definition(), name, Purpose.NEXT);
            if (next.isBuilding()) {
                throw TableEntry.inUse("The next generation has not caught up yet: " + name);
            }
            return entry.servedBy(next, next.keepsPrevious());
        }
    }

    /**
     * Lets the previous generation of a global index serve again; the one that serves now becomes
     * the previous one.
     */
    record RollBackGeneration(IndexName name) implements GenerationChange {

        @Override
        public TableEntry applyTo(TableEntry entry) {
            TableDefinition table = entry.definition();
            SpareGeneration previous = requireSpare(table, name, Purpose.PREVIOUS);
            if (table.spare(name, Purpose.NEXT).isPresent()) {
                throw TableEntry.inUse("Index has a next generation already: " + name);
            }
            return entry.servedBy(previous, true);
        }
    }

    /** Begins to remove the next or the previous generation of a global index. */
    record DiscardGeneration(IndexName name, Purpose purpose) implements GenerationChange {

        @Override
        public TableEntry applyTo(TableEntry entry) {
            return entry.discarding(requireSpare(entry.definition(), name, purpose));
        }
    }

    /**
     * Sets how the index, or its next generation, that is just being built is to be filled. What is
     * not given stays.
     *
     * @param paused whether it is to rest
     * @param rateLimit the most changes a second; 0 takes the limit of its own away
     */
    record SetBackfill(IndexName name, Optional<Boolean> paused, OptionalLong rateLimit)
            implements GenerationChange {

        @Override
        public TableEntry applyTo(TableEntry entry) {
            GlobalIndex index = building(entry.definition());
            IndexBuild build = index.build();
            if (paused.isPresent()) {
                build = build.withPaused(paused.get());
            }
            if (rateLimit.isPresent()) {
                build =
                        build.withRateLimit(
                                rateLimit.getAsLong() == 0 ? OptionalLong.empty() : rateLimit);
            }
            return entry.withGeneration(index.withBuild(build));
        }

        private GlobalIndex building(TableDefinition table) {
            GlobalIndex index = IndexRules.requireIndex(table, name);
            if (index.status() == IndexStatus.CREATING) {
                return index;
            }
            return table.spare(name, Purpose.NEXT)
                    .filter(SpareGeneration::isBuilding)
                    .map(SpareGeneration::index)
                    .orElseThrow(
                            () ->
                                    ApiException.validation(
                                            "One or more parameter values were invalid: Index is"
                                                    + " not being built: "
                                                    + name));
        }
    }

    private static SpareGeneration requireSpare(
            TableDefinition table, IndexName name, Purpose purpose) {
        IndexRules.requireIndex(table, name);
        return table.spare(name, purpose)
                .orElseThrow(
                        () ->
                                new ApiException(
                                        ApiError.RESOURCE_NOT_FOUND,
                                        "Requested resource not found: "
                                                + (purpose == Purpose.NEXT ? "Next" : "Previous")
                                                + " generation of index "
                                                + name
                                                + " for table "
                                                + table.name()));
    }
}
