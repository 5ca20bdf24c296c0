package dev.tidemark.query.table;

import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableName;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.model.write.WriteLog;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.catalog.Catalog;
import dev.tidemark.query.catalog.CatalogCommand;
import dev.tidemark.query.catalog.TableChange;
import dev.tidemark.query.expiry.TimeToLiveDefinition;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonBody;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The operations on the time to live of items. Thread-safe; never blocks. */
final class TimeToLiveOperations {

    private static final int LONGEST_ATTRIBUTE = 255;

    private final Catalog catalog;
    private final TableFinder finder;
    private final WriteLog log;

    TimeToLiveOperations(Catalog catalog, WriteLog log) {
        this.catalog = catalog;
        this.finder = new TableFinder(catalog);
        this.log = log;
    }

    private record Specification(Optional<Boolean> enabled, Optional<String> attribute) {}

    CompletionStage<Reply> describe(Request request) {
        TableName name = TableNames.parse(request.json().string("TableName").map(TableArn::nameIn));
        return finder.find(name, () -> TableErrors.tableNotFound(name.value()))
                .thenApply(TimeToLiveOperations::described);
    }

    CompletionStage<Reply> update(Request request) {
        JsonBody body = request.json();
        Optional<String> tableName = body.string("TableName").map(TableArn::nameIn);
        Optional<Specification> given =
                body.object("TimeToLiveSpecification", "TimeToLiveSpecification")
                        .map(
                                specification ->
                                        new Specification(
                                                specification.bool("Enabled"),
                                                specification.string("AttributeName")));
        TableNames.require(tableName);
        Constraints constraints = new Constraints();
        TableNames.check(constraints, tableName);
        constraints.required("timeToLiveSpecification", given);
        given.ifPresent(
                specification -> {
                    String path = "timeToLiveSpecification.";
                    constraints.required(path + "enabled", specification.enabled());
                    constraints.required(path + "attributeName", specification.attribute());
                    constraints.length(
                            path + "attributeName",
                            specification.attribute(),
                            1,
                            LONGEST_ATTRIBUTE);
                });
        constraints.check();
        TableName name = new TableName(tableName.orElseThrow());
        boolean enabled = given.flatMap(Specification::enabled).orElseThrow();
        String attribute = given.flatMap(Specification::attribute).orElseThrow();
        return finder.find(name, () -> TableErrors.tableNotFound(name.value()))
                .thenCompose(
                        table ->
                                catalog.propose(
                                        new CatalogCommand.UpdateTable(
                                                table.id(),
                                                List.of(
                                                        new TableChange.SetTimeToLive(
                                                                attribute, enabled)))))
                .thenCompose(this::announced)
                .thenApply(table -> updated(enabled, attribute));
    }

    /**
     * Tells the log, so that nothing expires any more after a reply that says so. What can't be
     * told now is told later, by the node that sees to the table.
     */
    private CompletionStage<TableDefinition> announced(TableDefinition table) {
        return TimeToLiveDefinition.append(log, table).handle((done, failure) -> table);
    }

    private static Reply described(TableDefinition table) {
        if (table.status() == TableStatus.CREATING || table.status() == TableStatus.DELETING) {
            throw TableErrors.timeToLiveUnknown(table.status().name());
        }
        Optional<String> attribute = table.options().timeToLive().attribute();
        return JsonReply.of(
                out -> {
                    out.name("TimeToLiveDescription").beginObject();
                    out.member("TimeToLiveStatus", attribute.isPresent() ? "ENABLED" : "DISABLED");
                    attribute.ifPresent(name -> out.member("AttributeName", name));
                    out.endObject();
                });
    }

    private static Reply updated(boolean enabled, String attribute) {
        return JsonReply.of(
                out -> {
                    out.name("TimeToLiveSpecification").beginObject();
                    out.member("Enabled", enabled);
                    out.member("AttributeName", attribute);
                    out.endObject();
                });
    }
}
