package dev.tidemark.query.catalog;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.CapacityOptions;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexBuild;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.TableClass;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableOptions;
import dev.tidemark.model.table.Throughput;
import dev.tidemark.model.table.TimeToLive;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** One thing that the owner of a table changes about it. */
public sealed interface TableChange
        permits TableChange.AddIndex,
                TableChange.StartDeletingIndex,
                TableChange.SetBilling,
                TableChange.SetIndexThroughput,
                TableChange.SetCapacity,
                TableChange.SetTableClass,
                TableChange.SetDeletionProtection,
                TableChange.SetTimeToLive,
                GenerationChange {

    /** The most global indexes of a table. Source: the DynamoDB API reference. */
    int MAX_GLOBAL_INDEXES = 20;

    /** The most non-key attributes of all indexes of a table together. Source: same. */
    int MAX_PROJECTED_ATTRIBUTES = 100;

    /**
     * Applies the change to a table that exists.
     *
     * @throws ApiException if it is refused
     */
    TableEntry applyTo(TableEntry entry);

    /**
     * Adds a global index, which starts at CREATING with a generation of its own.
     *
     * @param key its attributes; a table key attribute has the table's type, whatever is said here
     * @param at when it is asked for; older releases did not say
     * @param atOnce how many indexes of a table may be made or removed at once
     */
    record AddIndex(
            IndexName name,
            KeySchema key,
            Projection projection,
            Throughput throughput,
            CapacityOptions capacity,
            Optional<Instant> at,
            int atOnce)
            implements TableChange {

        @Override
        public TableEntry applyTo(TableEntry entry) {
            TableDefinition table = entry.definition();
            requireFree(table);
            IndexRules.requireRoom(entry, atOnce);
            if (table.globalIndexes().size() >= MAX_GLOBAL_INDEXES) {
                throw ApiException.validation(
                        "One or more parameter values were invalid: GlobalSecondaryIndex count"
                                + " exceeds the per-table limit of "
                                + MAX_GLOBAL_INDEXES);
            }
            IndexRules.requireProjectable(
                    projectedAttributes(table) + IndexRules.included(projection));
            requireThroughput(table);
            return entry.plusIndex(
                    new GlobalIndex(
                            name,
                            entry.nextGeneration(name),
                            IndexKeyTypes.of(table).typed(key),
                            projection,
                            throughput,
                            IndexStatus.CREATING,
                            capacity,
                            at.map(IndexBuild::startedAt).orElse(IndexBuild.NONE)));
        }

        private void requireFree(TableDefinition table) {
            if (table.localIndex(name).isPresent() || table.globalIndex(name).isPresent()) {
                throw ApiException.validation(
                        "One or more parameter values were invalid: An index with this name"
                                + " already exists: "
                                + name);
            }
        }

        private void requireThroughput(TableDefinition table) {
            if (table.billingMode() == BillingMode.PAY_PER_REQUEST
                    && !throughput.equals(Throughput.NONE)) {
                throw ApiException.validation(
                        "One or more parameter values were invalid: ProvisionedThroughput should"
                                + " not be specified for index: "
                                + name
                                + " when BillingMode is PAY_PER_REQUEST");
            }
        }
    }

    /**
     * Begins to remove a global index, also one that is still being built, with all its
     * generations.
     *
     * @param atOnce how many indexes of a table may be made or removed at once
     */
    record StartDeletingIndex(IndexName name, int atOnce) implements TableChange {

        @Override
        public TableEntry applyTo(TableEntry entry) {
            TableDefinition table = entry.definition();
            if (table.localIndex(name).isPresent()) {
                throw ApiException.validation(
                        "One or more parameter values were invalid: A local secondary index can't"
                                + " be deleted: "
                                + name);
            }
            GlobalIndex index = IndexRules.requireIndex(table, name);
            if (index.status() == IndexStatus.DELETING) {
                throw TableEntry.inUse("Index is being deleted: " + name);
            }
            TableEntry without = entry.discardingSparesOf(name);
            if (index.status() == IndexStatus.ACTIVE) {
                IndexRules.requireRoom(without, atOnce);
            }
            return without.withIndex(index.withStatus(IndexStatus.DELETING));
        }
    }

    /**
     * Sets how the table is billed and its own throughput; on-demand billing takes the throughput
     * from all indexes too.
     */
    record SetBilling(BillingMode mode, Throughput throughput, Instant at) implements TableChange {

        @Override
        public TableEntry applyTo(TableEntry entry) {
            TableDefinition table = entry.definition();
            requireSteady(entry);
            if (mode == BillingMode.PROVISIONED
                    && table.billingMode() == mode
                    && table.throughput().equals(throughput)) {
                throw unchanged(throughput);
            }
            TableOptions options =
                    table.options()
                            .withCapacity(
                                    changed(
                                            table.options().capacity(),
                                            table.billingMode(),
                                            table.throughput()));
            if (mode == BillingMode.PAY_PER_REQUEST && table.billingMode() != mode) {
                options = options.withOnDemandSince(at);
            }
            TableDefinition next = table.withBilling(mode, throughput).withOptions(options);
            return entry.with(
                    mode == BillingMode.PROVISIONED
                            ? next
                            : next.withGlobalIndexes(
                                    table.globalIndexes().stream()
                                            .map(index -> index.withThroughput(Throughput.NONE))
                                            .toList()));
        }

        private CapacityOptions changed(
                CapacityOptions capacity, BillingMode from, Throughput before) {
            CapacityOptions kept = capacity.withWarm(capacity.warmUnder(from, before));
            return from == BillingMode.PROVISIONED && mode == from
                    ? kept.reprovisioned(before, throughput, at)
                    : kept;
        }
    }

    /** Sets the throughput of one global index. */
    record SetIndexThroughput(IndexName name, Throughput throughput, Instant at)
            implements TableChange {

        @Override
        public TableEntry applyTo(TableEntry entry) {
            requireSteady(entry);
            GlobalIndex index = IndexRules.requireIndex(entry.definition(), name);
            if (entry.definition().billingMode() == BillingMode.PAY_PER_REQUEST) {
                throw ApiException.validation(
                        "One or more parameter values were invalid: Neither ReadCapacityUnits nor"
                                + " WriteCapacityUnits can be specified when BillingMode is"
                                + " PAY_PER_REQUEST");
            }
            CapacityOptions capacity = index.capacity();
            return entry.withIndex(
                    index.withThroughput(throughput)
                            .withCapacity(
                                    capacity.withWarm(
                                                    capacity.warmUnder(
                                                            BillingMode.PROVISIONED,
                                                            index.throughput()))
                                            .reprovisioned(index.throughput(), throughput, at)));
        }
    }

    /**
     * Sets the bounds of on-demand capacity and the capacity to have warm, of the table or of an
     * index. What is not given stays; a bound of -1 goes.
     */
    record SetCapacity(
            Optional<IndexName> index,
            OptionalLong mostReads,
            OptionalLong mostWrites,
            OptionalLong warmReads,
            OptionalLong warmWrites)
            implements TableChange {

        @Override
        public TableEntry applyTo(TableEntry entry) {
            TableDefinition table = entry.definition();
            if (index.isEmpty()) {
                TableOptions options = table.options();
                return entry.with(
                        table.withOptions(
                                options.withCapacity(
                                        next(
                                                options.capacity(),
                                                table.billingMode(),
                                                table.throughput()))));
            }
            GlobalIndex changed = IndexRules.requireIndex(table, index.get());
            return entry.withIndex(
                    changed.withCapacity(
                            next(changed.capacity(), table.billingMode(), changed.throughput())));
        }

        private CapacityOptions next(
                CapacityOptions now, BillingMode mode, Throughput provisioned) {
            if (mode == BillingMode.PROVISIONED) {
                refuseIfGiven("MaxReadRequestUnits", mostReads);
                refuseIfGiven("MaxWriteRequestUnits", mostWrites);
            }
            Throughput current = now.warmUnder(mode, provisioned);
            Throughput asked =
                    new Throughput(
                            warmReads.orElse(current.readUnits()),
                            warmWrites.orElse(current.writeUnits()));
            requireNoLess("ReadUnitsPerSecond", current.readUnits(), asked.readUnits());
            requireNoLess("WriteUnitsPerSecond", current.writeUnits(), asked.writeUnits());
            CapacityOptions bounded =
                    now.withMost(
                            merged(now.mostReads(), mostReads),
                            merged(now.mostWrites(), mostWrites));
            return asked.equals(current) ? bounded : bounded.withWarm(asked);
        }

        private static void refuseIfGiven(String name, OptionalLong given) {
            if (given.isPresent()) {
                throw ApiException.validation(
                        "One or more parameter values were invalid: "
                                + name
                                + " for OnDemandThroughput cannot be specified when the table"
                                + " BillingMode is PROVISIONED");
            }
        }

        private void requireNoLess(String name, long current, long asked) {
            if (asked < current) {
                throw ApiException.validation(
                        "One or more parameter values were invalid: Requested "
                                + name
                                + " for WarmThroughput for "
                                + index.map(one -> "index " + one).orElse("table")
                                + " is lower than current WarmThroughput, decreasing"
                                + " WarmThroughput is not supported");
            }
        }

        private static OptionalLong merged(OptionalLong now, OptionalLong given) {
            if (given.isEmpty()) {
                return now;
            }
            return given.getAsLong() < 0 ? OptionalLong.empty() : given;
        }
    }

    /** Sets the table's class. */
    record SetTableClass(TableClass tableClass, Instant at) implements TableChange {

        @Override
        public TableEntry applyTo(TableEntry entry) {
            TableOptions options = entry.definition().options();
            return options.tableClass().orElse(TableClass.STANDARD) == tableClass
                    ? entry
                    : entry.with(
                            entry.definition().withOptions(options.withTableClass(tableClass, at)));
        }
    }

    /** Sets whether DeleteTable is refused. */
    record SetDeletionProtection(boolean enabled) implements TableChange {

        @Override
        public TableEntry applyTo(TableEntry entry) {
            return entry.with(entry.definition().withDeletionProtection(enabled));
        }
    }

    /**
     * Sets by which attribute items expire, or that they do not. The attribute of a table whose
     * items expire can't be changed, and must be named to switch expiry off.
     */
    record SetTimeToLive(String attribute, boolean enabled) implements TableChange {

        @Override
        public TableEntry applyTo(TableEntry entry) {
            TableOptions options = entry.definition().options();
            TimeToLive now = options.timeToLive();
            if (now.attribute().isEmpty() && !enabled) {
                throw ApiException.validation("TimeToLive is already disabled");
            }
            if (now.attribute().filter(active -> !active.equals(attribute)).isPresent()) {
                throw ApiException.validation(
                        "TimeToLive is active on a different AttributeName: current AttributeName"
                                + " is "
                                + now.attribute().get());
            }
            if (now.attribute().isPresent() && enabled) {
                throw ApiException.validation("TimeToLive is already enabled");
            }
            TimeToLive next = now.changedTo(enabled ? Optional.of(attribute) : Optional.empty());
            return entry.with(entry.definition().withOptions(options.withTimeToLive(next)));
        }
    }

    private static ApiException unchanged(Throughput throughput) {
        return ApiException.validation(
                "The provisioned throughput for the table will not change. The requested value"
                        + " equals the current value. Current ReadCapacityUnits provisioned for the"
                        + " table: "
                        + throughput.readUnits()
                        + ". Requested ReadCapacityUnits: "
                        + throughput.readUnits()
                        + ". Current WriteCapacityUnits provisioned for the table: "
                        + throughput.writeUnits()
                        + ". Requested WriteCapacityUnits: "
                        + throughput.writeUnits()
                        + ". Refer to the Amazon DynamoDB Developer Guide for current limits and"
                        + " how to request higher limits.");
    }

    /** Returns how many non-key attributes the indexes of {@code table} name. */
    static int projectedAttributes(TableDefinition table) {
        return Stream.concat(
                        table.localIndexes().stream().map(index -> index.projection()),
                        table.globalIndexes().stream().map(GlobalIndex::projection))
                .mapToInt(IndexRules::included)
                .sum();
    }

    private static void requireSteady(TableEntry entry) {
        TableDefinition table = entry.definition();
        if (table.globalIndexes().stream()
                .anyMatch(index -> index.status() == IndexStatus.DELETING)) {
            throw TableEntry.inUse("Table is being updated: " + table.name());
        }
    }

    /** Returns the refusal of a command about an index that is not there. */
    static ApiException unknownIndex() {
        return new ApiException(ApiError.RESOURCE_NOT_FOUND, "Requested resource not found");
    }

    /** Returns the refusal to make or remove more indexes of a table at once. */
    static ApiException tooManyAtOnce(int atOnce) {
        return new ApiException(
                ApiError.LIMIT_EXCEEDED,
                "Subscriber limit exceeded: Only "
                        + atOnce
                        + " online index can be created or deleted simultaneously per table");
    }
}
