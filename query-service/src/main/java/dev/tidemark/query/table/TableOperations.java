package dev.tidemark.query.table;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.TableName;
import dev.tidemark.model.write.WriteLog;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.catalog.Catalog;
import dev.tidemark.query.catalog.CatalogCommand;
import dev.tidemark.query.catalog.TableChange;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.json.JsonWriter;
import dev.tidemark.query.pressure.BackPressure;
import dev.tidemark.query.routing.LagView;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

/** The operations on tables, their indexes and tags. Thread-safe; never blocks. */
public final class TableOperations {

    private static final Reply EMPTY = Reply.of(new byte[0]);
    private static final int MOST_NAMES = 100;
    private static final long ACCOUNT_UNITS = 80_000;
    private static final long TABLE_UNITS = 40_000;
    private static final long ENDPOINT_MINUTES = 1_440;

    private final Catalog catalog;
    private final TableFinder finder;
    private final TimeToLiveOperations timeToLive;
    private final AbsentFeatures absent;
    private final TableSettings settings;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final TableDescription description;

    /**
     * Makes the operations.
     *
     * @param random makes table ids; thread-safe and not predictable by other nodes, such as a
     *     {@link java.security.SecureRandom}
     * @param statistics tells sizes, about
     * @param backfills tells how far indexes are filled
     * @param lags tells how far indexes trail their tables
     * @param pressure tells which trail them by too much
     * @param log told how the items of a table expire
     */
    public TableOperations(
            Catalog catalog,
            WriteLog log,
            TableSettings settings,
            InstantSource clock,
            RandomGenerator random,
            TableStatistics statistics,
            BackfillWatch backfills,
            LagView lags,
            BackPressure pressure) {
        this.catalog = catalog;
        this.finder = new TableFinder(catalog);
        this.timeToLive = new TimeToLiveOperations(catalog, log);
        this.absent = new AbsentFeatures(finder);
        this.settings = settings;
        this.clock = clock;
        this.random = random;
        this.description =
                new TableDescription(
                        settings.region(),
                        clock,
                        statistics,
                        new IndexDescription(backfills, lags, pressure));
    }

    /** Returns the operations by their names in DynamoDB's API. */
    public Map<String, Operation> byName() {
        return Map.ofEntries(
                Map.entry("CreateTable", this::createTable),
                Map.entry("DescribeTable", this::describeTable),
                Map.entry("ListTables", this::listTables),
                Map.entry("UpdateTable", this::updateTable),
                Map.entry("DeleteTable", this::deleteTable),
                Map.entry("TagResource", this::tagResource),
                Map.entry("UntagResource", this::untagResource),
                Map.entry("ListTagsOfResource", this::listTagsOfResource),
                Map.entry("DescribeLimits", this::describeLimits),
                Map.entry("DescribeEndpoints", this::describeEndpoints),
                Map.entry("DescribeTimeToLive", timeToLive::describe),
                Map.entry("UpdateTimeToLive", timeToLive::update),
                Map.entry("DescribeContinuousBackups", absent::describeContinuousBackups),
                Map.entry("UpdateContinuousBackups", absent::updateContinuousBackups),
                Map.entry("DescribeContributorInsights", absent::describeContributorInsights),
                Map.entry("ListContributorInsights", absent::listContributorInsights),
                Map.entry(
                        "DescribeKinesisStreamingDestination",
                        absent::describeKinesisStreamingDestination),
                Map.entry("DescribeTableReplicaAutoScaling", absent::describeReplicaAutoScaling),
                Map.entry("GetResourcePolicy", absent::resourcePolicy));
    }

    private CompletionStage<Reply> createTable(Request request) {
        TableDefinition table =
                CreateTableRequest.read(request.json())
                        .definition(TableId.random(random), now(), settings);
        return catalog.propose(new CatalogCommand.CreateTable(table)).thenApply(this::described);
    }

    private CompletionStage<Reply> describeTable(Request request) {
        TableName name = TableNames.parse(tableName(request.json()));
        return finder.find(name, () -> TableErrors.tableNotFound(name.value()))
                .thenApply(
                        table -> JsonReply.of(out -> description.write(table, out.name("Table"))));
    }

    private CompletionStage<Reply> listTables(Request request) {
        JsonBody body = request.json();
        Optional<String> start = body.string("ExclusiveStartTableName");
        Optional<Long> limit = body.number("Limit");
        Constraints constraints = new Constraints();
        constraints.between("limit", limit, 1, MOST_NAMES);
        constraints.pattern("exclusiveStartTableName", start, IndexRequest.NAME);
        constraints.length("exclusiveStartTableName", start, 3, 255);
        constraints.check();
        return catalog.upToDate()
                .thenApply(
                        state ->
                                listed(
                                        start.map(TableName::new)
                                                .map(state::namesAfter)
                                                .orElseGet(state::names),
                                        limit.orElse((long) MOST_NAMES)));
    }

    private CompletionStage<Reply> updateTable(Request request) {
        UpdateTableRequest update = UpdateTableRequest.read(request.json());
        int atOnce = settings.indexesAtOnce();
        TableName name = update.check(atOnce);
        return finder.find(name, () -> TableErrors.tableNotFound(name.value()))
                .thenCompose(
                        table -> {
                            List<TableChange> changes = update.changes(table, now(), atOnce);
                            return catalog.propose(
                                    new CatalogCommand.UpdateTable(table.id(), changes));
                        })
                .thenApply(this::described);
    }

    private CompletionStage<Reply> deleteTable(Request request) {
        TableName name = TableNames.parse(tableName(request.json()));
        return finder.find(name, () -> TableErrors.tableNotFound(name.value()))
                .thenCompose(
                        table -> catalog.propose(new CatalogCommand.StartDeletingTable(table.id())))
                .thenApply(
                        table ->
                                JsonReply.of(
                                        out ->
                                                description.writeDeleted(
                                                        table, out.name("TableDescription"))));
    }

    private CompletionStage<Reply> tagResource(Request request) {
        JsonBody body = request.json();
        Optional<String> arn = body.string("ResourceArn");
        Optional<Tags> tags = Tags.read(body);
        Constraints constraints = new Constraints();
        checkArn(constraints, arn);
        constraints.required("tags", tags);
        tags.ifPresent(given -> given.check(constraints));
        constraints.check();
        TableName name = TableArn.parse(arn.orElseThrow()).table();
        if (tags.orElseThrow().isEmpty()) {
            throw ApiException.validation("Atleast one Tag needs to be provided as Input.");
        }
        Map<String, String> added = tags.get().toMap();
        return finder.find(name, () -> TableErrors.resourceNotFound(arn.get()))
                .thenCompose(
                        table -> {
                            requireFixedKept(table, added);
                            return catalog.propose(new CatalogCommand.TagTable(table.id(), added));
                        })
                .thenApply(table -> EMPTY);
    }

    private CompletionStage<Reply> untagResource(Request request) {
        JsonBody body = request.json();
        Optional<String> arn = body.string("ResourceArn");
        Optional<List<String>> keys = body.strings("TagKeys");
        Constraints constraints = new Constraints();
        checkArn(constraints, arn);
        constraints.required("tagKeys", keys);
        constraints.check();
        TableName name = TableArn.parse(arn.orElseThrow()).table();
        if (keys.orElseThrow().isEmpty()) {
            throw ApiException.validation("Atleast one Tag Key needs to be provided as Input.");
        }
        if (keys.get().contains(Tags.PARTITIONS)) {
            throw partitionsAreFixed();
        }
        if (keys.get().contains(TableDefinition.HISTORY)) {
            throw historyIsFixed();
        }
        return finder.find(name, () -> TableErrors.resourceNotFound(arn.get()))
                .thenCompose(
                        table ->
                                catalog.propose(
                                        new CatalogCommand.UntagTable(
                                                table.id(), new HashSet<>(keys.get()))))
                .thenApply(table -> EMPTY);
    }

    private CompletionStage<Reply> listTagsOfResource(Request request) {
        Optional<String> arn = request.json().string("ResourceArn");
        Constraints constraints = new Constraints();
        checkArn(constraints, arn);
        constraints.check();
        TableName name = TableArn.parse(arn.orElseThrow()).table();
        return finder.find(name, () -> TableErrors.resourceNotFound(arn.get()))
                .thenApply(table -> JsonReply.of(out -> writeTags(table.tags(), out)));
    }

    private CompletionStage<Reply> describeLimits(Request request) {
        request.json();
        return CompletableFuture.completedFuture(
                JsonReply.of(
                        out ->
                                out.member("AccountMaxReadCapacityUnits", ACCOUNT_UNITS)
                                        .member("AccountMaxWriteCapacityUnits", ACCOUNT_UNITS)
                                        .member("TableMaxReadCapacityUnits", TABLE_UNITS)
                                        .member("TableMaxWriteCapacityUnits", TABLE_UNITS)));
    }

    private CompletionStage<Reply> describeEndpoints(Request request) {
        request.json();
        String address = request.header("Host").orElse("localhost");
        return CompletableFuture.completedFuture(
                JsonReply.of(
                        out ->
                                out.name("Endpoints")
                                        .beginArray()
                                        .beginObject()
                                        .member("Address", address)
                                        .member("CachePeriodInMinutes", ENDPOINT_MINUTES)
                                        .endObject()
                                        .endArray()));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private Reply described(TableDefinition table) {
        return JsonReply.of(out -> description.write(table, out.name("TableDescription")));
    }

    private static Reply listed(Collection<TableName> names, long limit) {
        List<String> page = names.stream().limit(limit).map(TableName::value).toList();
        return JsonReply.of(
                out -> {
                    out.name("TableNames").beginArray();
                    page.forEach(out::string);
                    out.endArray();
                    if (page.size() < names.size()) {
                        out.member("LastEvaluatedTableName", page.get(page.size() - 1));
                    }
                });
    }

    private static void writeTags(Map<String, String> tags, JsonWriter out) {
        out.name("Tags").beginArray();
        tags.forEach(
                (key, value) ->
                        out.beginObject().member("Key", key).member("Value", value).endObject());
        out.endArray();
    }

    private static Optional<String> tableName(JsonBody body) {
        return body.string("TableName").map(TableArn::nameIn);
    }

    private static void checkArn(Constraints constraints, Optional<String> arn) {
        constraints.required("resourceArn", arn);
        constraints.length("resourceArn", arn, 1, TableArn.LONGEST);
    }

    private static void requireFixedKept(TableDefinition table, Map<String, String> added) {
        if (Tags.partitions(added).filter(count -> count != table.partitions()).isPresent()) {
            throw partitionsAreFixed();
        }
        String history = added.get(TableDefinition.HISTORY);
        if (history != null && history.equals("compact") != table.compactsHistory()) {
            throw historyIsFixed();
        }
    }

    private static ApiException historyIsFixed() {
        return TableErrors.invalid(
                "How much of its history a table keeps is fixed when it is made");
    }

    private static ApiException partitionsAreFixed() {
        return TableErrors.invalid("The partitions of a table are fixed when it is made");
    }
}
