package dev.tidemark.query.table;

import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.SpareGeneration.Purpose;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableName;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.Messages;
import dev.tidemark.query.catalog.Catalog;
import dev.tidemark.query.catalog.CatalogCommand;
import dev.tidemark.query.catalog.GenerationChange;
import dev.tidemark.query.catalog.TableChange;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.pressure.BackPressure;
import dev.tidemark.query.routing.LagView;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The operations on global indexes that DynamoDB does not have: to watch, hold back, rebuild and
 * change them. Their requests and replies are in DynamoDB's form. Thread-safe; never blocks.
 */
public final class IndexOperations {

    /** The limit in requests and replies that stands for none. */
    static final long UNLIMITED = -1;

    private static final String TABLE = "TableName";
    private static final String INDEX = "IndexName";
    private static final int MOST_KEYS = 2 * KeySchema.MAX_ATTRIBUTES;

    private final Catalog catalog;
    private final TableFinder finder;
    private final TableSettings settings;
    private final InstantSource clock;
    private final IndexDescription description;

    /** Makes the operations. */
    public IndexOperations(
            Catalog catalog,
            TableSettings settings,
            InstantSource clock,
            BackfillWatch backfills,
            LagView lags,
            BackPressure pressure) {
        this.catalog = catalog;
        this.finder = new TableFinder(catalog);
        this.settings = settings;
        this.clock = clock;
        this.description = new IndexDescription(backfills, lags, pressure);
    }

    /** Returns the operations by their whole names. */
    public Map<String, Operation> byName() {
        return Map.of(
                "Tidemark.DescribeIndexes", this::describe,
                "Tidemark.UpdateBackfill", this::updateBackfill,
                "Tidemark.AlterIndex", this::alter,
                "Tidemark.RebuildIndex", this::rebuild,
                "Tidemark.SwitchIndex",
                        request -> change(request, GenerationChange.SwitchGeneration::new),
                "Tidemark.RollBackIndex",
                        request -> change(request, GenerationChange.RollBackGeneration::new),
                "Tidemark.DiscardIndexGeneration", this::discard);
    }

    private CompletionStage<Reply> describe(Request request) {
        JsonBody body = request.json();
        Optional<String> index = body.string(INDEX);
        Constraints constraints = new Constraints();
        constraints.indexName(index);
        constraints.check();
        return find(body)
                .thenApply(
                        table ->
                                described(
                                        table,
                                        index.map(name -> List.of(existing(table, name)))
                                                .orElseGet(
                                                        () ->
                                                                table.globalIndexes().stream()
                                                                        .map(GlobalIndex::name)
                                                                        .toList())));
    }

    private CompletionStage<Reply> updateBackfill(Request request) {
        JsonBody body = request.json();
        Optional<Boolean> paused = body.bool("Paused");
        Optional<Long> limit = body.number("RateLimit");
        if (paused.isEmpty() && limit.isEmpty()) {
            throw TableErrors.invalid("At least one of Paused or RateLimit is required");
        }
        if (limit.filter(given -> given < UNLIMITED).isPresent()) {
            throw TableErrors.invalid(
                    "RateLimit must be a number of changes a second, 0 for the server's, or -1 for"
                            + " none");
        }
        OptionalLong rate =
                limit.map(given -> OptionalLong.of(given == UNLIMITED ? Long.MAX_VALUE : given))
                        .orElse(OptionalLong.empty());
        return change(request, name -> new GenerationChange.SetBackfill(name, paused, rate));
    }

    private CompletionStage<Reply> alter(Request request) {
        JsonBody body = request.json();
        Optional<List<KeyElement>> keys =
                body.objects("KeySchema", "KeySchemaElement").map(KeyElement::read);
        AttributeDefinitions definitions = AttributeDefinitions.read(body);
        Optional<ProjectionRequest> projection = ProjectionRequest.read(body);
        Constraints constraints = new Constraints();
        definitions.check(constraints);
        keys.ifPresent(given -> KeyElement.check(constraints, "keySchema", keys, MOST_KEYS));
        projection.ifPresent(given -> given.check(constraints, "projection"));
        constraints.check();
        if (keys.isEmpty() && projection.isEmpty()) {
            throw TableErrors.invalid("At least one of KeySchema or Projection is required");
        }
        return find(body)
                .thenCompose(
                        table -> {
                            Map<String, KeyType> types = new HashMap<>(typesOf(table));
                            types.putAll(definitions.types());
                            return propose(
                                    table,
                                    new GenerationChange.StartNextGeneration(
                                            named(body),
                                            keys.map(given -> KeyElement.wideKey(given, types)),
                                            projection.map(ProjectionRequest::projection),
                                            !body.bool("Hold").orElse(false),
                                            body.bool("KeepPrevious").orElse(true),
                                            clock.instant().truncatedTo(ChronoUnit.MILLIS),
                                            settings.indexesAtOnce()));
                        });
    }

    private CompletionStage<Reply> rebuild(Request request) {
        JsonBody body = request.json();
        return change(
                request,
                name ->
                        new GenerationChange.StartNextGeneration(
                                name,
                                Optional.empty(),
                                Optional.empty(),
                                !body.bool("Hold").orElse(false),
                                body.bool("KeepPrevious").orElse(false),
                                clock.instant().truncatedTo(ChronoUnit.MILLIS),
                                settings.indexesAtOnce()));
    }

    private CompletionStage<Reply> discard(Request request) {
        JsonBody body = request.json();
        Optional<String> generation = body.string("Generation");
        Constraints constraints = new Constraints();
        constraints.required("generation", generation);
        constraints.oneOf(
                "generation", generation, List.of(Purpose.NEXT.name(), Purpose.PREVIOUS.name()));
        constraints.check();
        Purpose purpose = Purpose.valueOf(generation.orElseThrow());
        return change(request, name -> new GenerationChange.DiscardGeneration(name, purpose));
    }

    private CompletionStage<Reply> change(
            Request request, Function<IndexName, TableChange> change) {
        JsonBody body = request.json();
        IndexName name = named(body);
        return find(body).thenCompose(table -> propose(table, change.apply(name)));
    }

    private CompletionStage<Reply> propose(TableDefinition table, TableChange change) {
        return catalog.propose(new CatalogCommand.UpdateTable(table.id(), List.of(change)))
                .thenApply(
                        changed ->
                                described(
                                        changed,
                                        changed.globalIndexes().stream()
                                                .map(GlobalIndex::name)
                                                .toList()));
    }

    private CompletionStage<TableDefinition> find(JsonBody body) {
        TableName name = TableNames.parse(body.string(TABLE).map(TableArn::nameIn));
        return finder.find(name, () -> TableErrors.tableNotFound(name.value()));
    }

    private Reply described(TableDefinition table, List<IndexName> indexes) {
        return JsonReply.of(out -> description.write(table, indexes, out));
    }

    private static IndexName named(JsonBody body) {
        Optional<String> name = body.string(INDEX);
        Constraints constraints = new Constraints();
        constraints.required("indexName", name);
        constraints.indexName(name);
        constraints.check();
        return new IndexName(name.orElseThrow());
    }

    private static IndexName existing(TableDefinition table, String name) {
        IndexName index = new IndexName(name);
        if (table.globalIndex(index).isEmpty()) {
            throw Messages.noSuchIndex(name, table.name());
        }
        return index;
    }

    /**
     * What the keys of the table and its indexes have said of attributes need not be said again.
     */
    private static Map<String, KeyType> typesOf(TableDefinition table) {
        Map<String, KeyType> types = new HashMap<>();
        table.localIndexes().forEach(index -> collect(index.key(), types));
        table.generations().forEach(index -> collect(index.key(), types));
        collect(table.key(), types);
        return types;
    }

    private static void collect(KeySchema key, Map<String, KeyType> types) {
        key.attributes().forEach(attribute -> types.put(attribute.name(), attribute.type()));
    }
}
