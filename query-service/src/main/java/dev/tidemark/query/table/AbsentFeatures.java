package dev.tidemark.query.table;

import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableName;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonBody;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Answers about what a table of Amazon's may have and none has here: tools that manage tables ask
 * for it at every look. The answers are those about a table whose owner has never switched it on.
 */
final class AbsentFeatures {

    private static final String DISABLED = "DISABLED";

    private final TableFinder finder;

    AbsentFeatures(TableFinder finder) {
        this.finder = finder;
    }

    CompletionStage<Reply> describeContinuousBackups(Request request) {
        return backups(name(request.json()));
    }

    /** Takes what asks for no backups, as it asks for no change, and refuses the rest. */
    CompletionStage<Reply> updateContinuousBackups(Request request) {
        JsonBody body = request.json();
        Optional<String> tableName = tableName(body);
        Optional<JsonBody> specification =
                body.object("PointInTimeRecoverySpecification", "PointInTimeRecoverySpecification");
        Optional<Boolean> enabled =
                specification.flatMap(given -> given.bool("PointInTimeRecoveryEnabled"));
        TableNames.require(tableName);
        Constraints constraints = new Constraints();
        TableNames.check(constraints, tableName);
        constraints.required("pointInTimeRecoverySpecification", specification);
        if (specification.isPresent()) {
            constraints.required(
                    "pointInTimeRecoverySpecification.pointInTimeRecoveryEnabled", enabled);
        }
        constraints.check();
        if (enabled.orElseThrow()) {
            throw TableErrors.unsupported("Point-in-time recovery");
        }
        return backups(new TableName(tableName.orElseThrow()));
    }

    CompletionStage<Reply> describeContributorInsights(Request request) {
        JsonBody body = request.json();
        Optional<String> index = body.string("IndexName");
        TableName name = name(body);
        new Constraints().indexName(index).check();
        return find(name)
                .thenApply(
                        table -> {
                            index.ifPresent(given -> requireIndex(table, given));
                            return JsonReply.of(
                                    out -> {
                                        out.member("TableName", name.value());
                                        index.ifPresent(given -> out.member("IndexName", given));
                                        out.member("ContributorInsightsStatus", DISABLED);
                                    });
                        });
    }

    CompletionStage<Reply> listContributorInsights(Request request) {
        Optional<String> tableName = tableName(request.json());
        CompletionStage<?> known =
                tableName.isPresent()
                        ? find(TableNames.parse(tableName))
                        : CompletableFuture.completedFuture(tableName);
        return known.thenApply(
                table ->
                        JsonReply.of(
                                out ->
                                        out.name("ContributorInsightsSummaries")
                                                .beginArray()
                                                .endArray()));
    }

    CompletionStage<Reply> describeKinesisStreamingDestination(Request request) {
        TableName name = name(request.json());
        return find(name)
                .thenApply(
                        table ->
                                JsonReply.of(
                                        out -> {
                                            out.member("TableName", name.value());
                                            out.name("KinesisDataStreamDestinations")
                                                    .beginArray()
                                                    .endArray();
                                        }));
    }

    /** Refuses: what scales replicas is asked of global tables, and there are none. */
    CompletionStage<Reply> describeReplicaAutoScaling(Request request) {
        return CompletableFuture.failedFuture(
                TableErrors.globalTableNotFound(name(request.json()).value()));
    }

    CompletionStage<Reply> resourcePolicy(Request request) {
        Optional<String> arn = request.json().string("ResourceArn");
        Constraints constraints = new Constraints();
        constraints.required("resourceArn", arn);
        constraints.length("resourceArn", arn, 1, TableArn.LONGEST);
        constraints.check();
        return find(TableArn.parse(arn.orElseThrow()).table())
                .thenApply(
                        table -> {
                            throw TableErrors.policyNotFound(arn.get());
                        });
    }

    private CompletionStage<Reply> backups(TableName name) {
        return finder.find(name, () -> TableErrors.backedUpTableNotFound(name.value()))
                .thenApply(
                        table ->
                                JsonReply.of(
                                        out -> {
                                            out.name("ContinuousBackupsDescription").beginObject();
                                            out.member("ContinuousBackupsStatus", DISABLED);
                                            out.name("PointInTimeRecoveryDescription")
                                                    .beginObject();
                                            out.member("PointInTimeRecoveryStatus", DISABLED);
                                            out.endObject().endObject();
                                        }));
    }

    private CompletionStage<TableDefinition> find(TableName name) {
        return finder.find(name, () -> TableErrors.tableNotFound(name.value()));
    }

    private static void requireIndex(TableDefinition table, String index) {
        if (!IndexName.isValid(index) || table.globalIndex(new IndexName(index)).isEmpty()) {
            throw TableErrors.indexNotFound(index, table.name().value());
        }
    }

    private static Optional<String> tableName(JsonBody body) {
        return body.string("TableName").map(TableArn::nameIn);
    }

    private static TableName name(JsonBody body) {
        return TableNames.parse(tableName(body));
    }
}
