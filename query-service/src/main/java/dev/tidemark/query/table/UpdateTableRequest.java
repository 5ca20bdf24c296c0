package dev.tidemark.query.table;

import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableClass;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableName;
import dev.tidemark.model.table.Throughput;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.catalog.TableChange;
import dev.tidemark.query.json.JsonBody;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A request for UpdateTable. */
record UpdateTableRequest(
        Optional<String> tableName,
        AttributeDefinitions attributeDefinitions,
        Optional<String> billingMode,
        Optional<ThroughputRequest> throughput,
        Optional<List<IndexUpdate>> indexUpdates,
        Optional<Boolean> deletionProtection,
        Optional<String> tableClass,
        CapacityRequest capacity,
        UnsupportedParameters unsupported) {

    private record IndexUpdate(
            Optional<IndexRequest> create,
            Optional<IndexRequest> update,
            Optional<IndexRequest> delete) {

        static IndexUpdate read(JsonBody body) {
            return new IndexUpdate(
                    body.object("Create", "CreateGlobalSecondaryIndexAction")
                            .map(IndexRequest::read),
                    body.object("Update", "UpdateGlobalSecondaryIndexAction")
                            .map(IndexRequest::read),
                    body.object("Delete", "DeleteGlobalSecondaryIndexAction")
                            .map(IndexRequest::read));
        }

        void check(Constraints constraints, String path) {
            create.ifPresent(index -> index.checkGlobal(constraints, path + ".create"));
            update.ifPresent(
                    index -> {
                        IndexRequest.checkName(constraints, path + ".update", index.name());
                        index.throughput()
                                .ifPresent(
                                        given ->
                                                given.check(
                                                        constraints,
                                                        path + ".update.provisionedThroughput"));
                    });
            delete.ifPresent(
                    index -> IndexRequest.checkName(constraints, path + ".delete", index.name()));
        }

        IndexName name() {
            return Stream.of(create, update, delete)
                    .flatMap(Optional::stream)
                    .findFirst()
                    .orElseThrow()
                    .indexName();
        }

        long actions() {
            return Stream.of(create, update, delete).filter(Optional::isPresent).count();
        }
    }

    static UpdateTableRequest read(JsonBody body) {
        return new UpdateTableRequest(
                body.string("TableName").map(TableArn::nameIn),
                AttributeDefinitions.read(body),
                body.string("BillingMode"),
                ThroughputRequest.read(body),
                body.objects("GlobalSecondaryIndexUpdates", "GlobalSecondaryIndexUpdate")
                        .map(list -> list.stream().map(IndexUpdate::read).toList()),
                body.bool("DeletionProtectionEnabled"),
                body.string("TableClass"),
                CapacityRequest.read(body),
                UnsupportedParameters.read(body));
    }

    /**
     * Checks all that needs no table and returns the table's name.
     *
     * @param atOnce how many indexes of a table may be made or removed at once
     */
    TableName check(int atOnce) {
        TableNames.require(tableName);
        Constraints constraints = new Constraints();
        TableNames.check(constraints, tableName);
        attributeDefinitions.check(constraints);
        constraints.oneOf("billingMode", billingMode, List.of("PROVISIONED", "PAY_PER_REQUEST"));
        throughput.ifPresent(given -> given.check(constraints, "provisionedThroughput"));
        List<IndexUpdate> updates = indexUpdates.orElse(List.of());
        for (int at = 0; at < updates.size(); at++) {
            updates.get(at)
                    .check(constraints, "globalSecondaryIndexUpdates." + (at + 1) + ".member");
        }
        unsupported.check(constraints);
        constraints.oneOf("tableClass", tableClass, CreateTableRequest.TABLE_CLASSES);
        constraints.check();
        if (updates.isEmpty()
                && !changesBilling()
                && deletionProtection.isEmpty()
                && tableClass.isEmpty()
                && !capacity.isGiven()
                && !unsupported.areGiven()) {
            throw TableErrors.nothingToUpdate();
        }
        requireOneConcern(updates);
        unsupported.refuseUpdate(tableName.orElseThrow());
        capacity.checkUpdate(Optional.empty());
        if (billingMode.equals(Optional.of("PROVISIONED")) && throughput.isEmpty()) {
            throw TableErrors.invalid(
                    "ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
        }
        checkUpdates(updates, atOnce);
        updates.stream()
                .flatMap(update -> update.update().stream())
                .forEach(index -> index.capacity().checkUpdate(Optional.of(index.indexName())));
        return new TableName(tableName.orElseThrow());
    }

    private boolean changesBilling() {
        return billingMode.isPresent() || throughput.isPresent();
    }

    /**
     * Refuses to change several things at once, which Amazon's endpoints take for some pairs only.
     */
    private void requireOneConcern(List<IndexUpdate> updates) {
        boolean bounds = capacity.onDemand().isPresent();
        long concerns =
                Stream.of(
                                changesBilling(),
                                !updates.isEmpty(),
                                deletionProtection.isPresent(),
                                tableClass.isPresent(),
                                capacity.warm().isPresent(),
                                bounds,
                                unsupported.hasEncryption(),
                                unsupported.hasStream())
                        .filter(given -> given)
                        .count();
        if (concerns < 2) {
            return;
        }
        if (deletionProtection.isPresent()) {
            throw TableErrors.mustBeAlone("DeletionProtection modification");
        }
        if (unsupported.hasEncryption()) {
            throw TableErrors.mustBeAlone("Server-Side Encryption modification");
        }
        if (tableClass.isPresent()) {
            throw TableErrors.mustBeAlone("TableClass modification");
        }
        if (capacity.warm().isPresent()) {
            throw TableErrors.mustBeAlone("WarmThroughput");
        }
        if (bounds && (concerns > 2 || !changesBilling())) {
            throw TableErrors.onDemandWithOthers();
        }
        if (throughput.isPresent()
                && updates.stream().anyMatch(update -> update.update().isEmpty())) {
            throw TableErrors.indexWhileThroughputChanges();
        }
    }

    /**
     * Returns what is to be changed about {@code table}, in an order in which it can be applied;
     * nothing if the table is already as asked.
     *
     * @param now when it is asked
     * @param atOnce how many indexes of a table may be made or removed at once
     */
    List<TableChange> changes(TableDefinition table, Instant now, int atOnce) {
        BillingMode billing = billingMode.map(BillingMode::valueOf).orElse(table.billingMode());
        Map<String, KeyType> types = attributeDefinitions.types();
        List<TableChange> changes = new ArrayList<>();
        List<IndexUpdate> updates = indexUpdates.orElse(List.of());
        billing(billing, now)
                .filter(change -> changes(table, change) || isAll(updates))
                .ifPresent(changes::add);
        for (IndexUpdate update : updates) {
            update.update().ifPresent(index -> changes.addAll(changes(index, billing, now)));
            update.create()
                    .map(index -> index.addition(billing, types, now, atOnce))
                    .ifPresent(changes::add);
            update.delete()
                    .map(index -> new TableChange.StartDeletingIndex(index.indexName(), atOnce))
                    .ifPresent(changes::add);
        }
        capacity.change(Optional.empty()).ifPresent(changes::add);
        tableClass
                .map(given -> new TableChange.SetTableClass(TableClass.valueOf(given), now))
                .ifPresent(changes::add);
        deletionProtection.map(TableChange.SetDeletionProtection::new).ifPresent(changes::add);
        return changes;
    }

    private static void checkUpdates(List<IndexUpdate> updates, int atOnce) {
        Set<IndexName> names = new HashSet<>();
        for (IndexUpdate update : updates) {
            if (update.actions() == 0) {
                throw TableErrors.invalid(
                        "One of GlobalSecondaryIndexUpdate.Update,"
                                + " GlobalSecondaryIndexUpdate.Create,"
                                + " GlobalSecondaryIndexUpdate.Delete must not be null");
            }
            if (update.actions() > 1) {
                throw TableErrors.invalid(
                        "Only one of GlobalSecondaryIndexUpdate.Update,"
                                + " GlobalSecondaryIndexUpdate.Create,"
                                + " GlobalSecondaryIndexUpdate.Delete may be given");
            }
            if (!names.add(update.name())) {
                throw TableErrors.invalid(
                        "Only one global secondary index update per index is allowed"
                                + " simultaneously. Index: "
                                + update.name());
            }
        }
        if (updates.stream().filter(update -> update.update().isEmpty()).count() > atOnce) {
            throw TableChange.tooManyAtOnce(atOnce);
        }
    }

    private Optional<TableChange.SetBilling> billing(BillingMode billing, Instant now) {
        if (billing == BillingMode.PAY_PER_REQUEST) {
            if (throughput.isPresent()) {
                throw TableErrors.onDemandHasNoThroughput();
            }
            return billingMode.map(
                    asked -> new TableChange.SetBilling(billing, Throughput.NONE, now));
        }
        return throughput.map(
                given -> new TableChange.SetBilling(billing, given.throughput(), now));
    }

    private static boolean changes(TableDefinition table, TableChange.SetBilling change) {
        return change.mode() != table.billingMode()
                || !change.throughput().equals(table.throughput());
    }

    /** Returns whether the billing is all that is asked to change: then it must change. */
    private boolean isAll(List<IndexUpdate> updates) {
        return updates.isEmpty() && !capacity.isGiven();
    }

    private static List<TableChange> changes(IndexRequest index, BillingMode billing, Instant now) {
        if (billing == BillingMode.PAY_PER_REQUEST && index.throughput().isPresent()) {
            throw TableErrors.onDemandIndexHasNoThroughput(index.indexName().value());
        }
        if (index.throughput().isEmpty() && !index.capacity().isGiven()) {
            throw TableErrors.throughputMissing(index.indexName().value());
        }
        List<TableChange> changes = new ArrayList<>();
        index.throughput()
                .map(
                        given ->
                                new TableChange.SetIndexThroughput(
                                        index.indexName(), given.throughput(), now))
                .ifPresent(changes::add);
        index.capacity().change(Optional.of(index.indexName())).ifPresent(changes::add);
        return changes;
    }
}
