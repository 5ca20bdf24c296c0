package dev.tidemark.query.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.CapacityOptions;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexBuild;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.SpareGeneration;
import dev.tidemark.model.table.SpareGeneration.Purpose;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.TableName;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.model.table.Throughput;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogStateTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private static final TableName NAME = new TableName("readings");
    private static final TableId ID = new TableId("aaaaaaaa");
    private static final IndexName INDEX = new IndexName("by-severity");

    private CatalogState state = CatalogState.EMPTY;

    @Test
    void aTableIsMadeThenActiveThenRemovedAndItsNameIsFreeAgain() {
        create();
        assertThat(table().status()).isEqualTo(TableStatus.CREATING);

        accepted(new CatalogCommand.MarkTableActive(ID));
        assertThat(table().status()).isEqualTo(TableStatus.ACTIVE);
        assertThat(table().globalIndexes())
                .extracting(GlobalIndex::status)
                .containsOnly(IndexStatus.ACTIVE);

        accepted(new CatalogCommand.StartDeletingTable(ID));
        assertThat(table().status()).isEqualTo(TableStatus.DELETING);
        assertThat(refused(new CatalogCommand.CreateTable(Tables.onDemand("readings", "bbbbbbbb"))))
                .isEqualTo(
                        new Outcome.Refused(
                                ApiError.RESOURCE_IN_USE, "Table already exists: readings"));

        accepted(new CatalogCommand.ForgetTable(ID));
        assertThat(state.tables()).isEmpty();
        accepted(new CatalogCommand.CreateTable(Tables.onDemand("readings", "bbbbbbbb")));
        assertThat(table().id()).isEqualTo(new TableId("bbbbbbbb"));
    }

    @Test
    void aNameIsTakenOnceWhateverItsStatus() {
        create();

        assertThat(refused(new CatalogCommand.CreateTable(Tables.onDemand("readings", "bbbbbbbb"))))
                .isEqualTo(
                        new Outcome.Refused(
                                ApiError.RESOURCE_IN_USE, "Table already exists: readings"));
        assertThat(state.table(NAME).map(TableDefinition::id)).contains(ID);
    }

    @Test
    void anIdIsNeverUsedTwice() {
        create();
        accepted(new CatalogCommand.MarkTableActive(ID));
        accepted(new CatalogCommand.StartDeletingTable(ID));
        accepted(new CatalogCommand.ForgetTable(ID));

        Outcome.Refused refusal =
                refused(new CatalogCommand.CreateTable(Tables.onDemand("other", "aaaaaaaa")));

        assertThat(refusal.error()).isEqualTo(ApiError.INTERNAL);
    }

    @Test
    void aTableBeingMadeIsNeitherUpdatedNorDeleted() {
        create();
        Outcome.Refused expected =
                new Outcome.Refused(
                        ApiError.RESOURCE_IN_USE,
                        "Attempt to change a resource which is still in use: Table is being"
                                + " created: readings");

        assertThat(refused(new CatalogCommand.StartDeletingTable(ID))).isEqualTo(expected);
        assertThat(refused(update(Tables.add("more", "a", KeyType.S)))).isEqualTo(expected);
        assertThat(refused(new CatalogCommand.TagTable(ID, Map.of("a", "b")))).isEqualTo(expected);
    }

    @Test
    void aProtectedTableIsNotDeleted() {
        createActive();
        accepted(update(new TableChange.SetDeletionProtection(true)));

        Outcome.Refused refusal = refused(new CatalogCommand.StartDeletingTable(ID));

        assertThat(refusal)
                .isEqualTo(
                        new Outcome.Refused(
                                ApiError.VALIDATION,
                                "Resource cannot be deleted as it is currently protected against"
                                        + " deletion. Disable deletion protection first."));
        accepted(update(new TableChange.SetDeletionProtection(false)));
        accepted(new CatalogCommand.StartDeletingTable(ID));
    }

    @Test
    void progressSaidTwiceChangesNothing() {
        createActive();
        accepted(update(Tables.add("late", "a", KeyType.S)));
        accepted(
                new CatalogCommand.MarkIndexActive(
                        ID, new IndexName("late"), 1, Optional.empty(), false));
        CatalogState once = state;

        accepted(new CatalogCommand.MarkTableActive(ID));
        accepted(
                new CatalogCommand.MarkIndexActive(
                        ID, new IndexName("late"), 1, Optional.empty(), false));
        assertThat(state).isSameAs(once);

        accepted(new CatalogCommand.StartDeletingTable(ID));
        CatalogState deleting = state;
        accepted(new CatalogCommand.StartDeletingTable(ID));
        assertThat(state).isSameAs(deleting);
        assertThat(refused(new CatalogCommand.MarkTableActive(ID)).error())
                .isEqualTo(ApiError.RESOURCE_IN_USE);
    }

    @Test
    void aTableIsUpdatingWhileAnIndexComesOrGoes() {
        createActive();
        IndexName late = new IndexName("late");

        accepted(update(Tables.add("late", "a", KeyType.S)));
        assertThat(table().status()).isEqualTo(TableStatus.UPDATING);
        assertThat(state.index(new IndexId(ID, late, 1)).map(GlobalIndex::status))
                .contains(IndexStatus.CREATING);
        assertThat(refused(new CatalogCommand.StartDeletingTable(ID)).message())
                .isEqualTo(
                        "Attempt to change a resource which is still in use: Table is being"
                                + " updated: readings");

        accepted(new CatalogCommand.MarkIndexActive(ID, late, 1, Optional.empty(), false));
        assertThat(table().status()).isEqualTo(TableStatus.ACTIVE);

        accepted(update(new TableChange.StartDeletingIndex(late, 1)));
        assertThat(table().status()).isEqualTo(TableStatus.UPDATING);

        accepted(new CatalogCommand.ForgetIndex(ID, late, 1));
        assertThat(table().status()).isEqualTo(TableStatus.ACTIVE);
        assertThat(table().globalIndex(late)).isEmpty();
    }

    @Test
    void oneIndexAtATimeComesOrGoes() {
        createActive();
        accepted(update(Tables.add("late", "a", KeyType.S)));
        Outcome.Refused expected =
                new Outcome.Refused(
                        ApiError.LIMIT_EXCEEDED,
                        "Subscriber limit exceeded: Only 1 online index can be created or deleted"
                                + " simultaneously per table");

        assertThat(refused(update(Tables.add("more", "b", KeyType.S)))).isEqualTo(expected);
        assertThat(refused(update(new TableChange.StartDeletingIndex(INDEX, 1))))
                .isEqualTo(expected);
    }

    @Test
    void anIndexThatIsBeingBuiltMayBeDeleted() {
        createActive();
        accepted(update(Tables.add("late", "a", KeyType.S)));

        accepted(update(new TableChange.StartDeletingIndex(new IndexName("late"), 1)));

        assertThat(table().globalIndex(new IndexName("late")).map(GlobalIndex::status))
                .contains(IndexStatus.DELETING);
        assertThat(
                        refused(
                                        update(
                                                new TableChange.StartDeletingIndex(
                                                        new IndexName("late"), 1)))
                                .error())
                .isEqualTo(ApiError.RESOURCE_IN_USE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"by-severity", "by-quality"})
    void anIndexNameIsTakenByGlobalAndLocalIndexes(String taken) {
        createActive();

        Outcome.Refused refusal = refused(update(Tables.add(taken, "a", KeyType.S)));

        assertThat(refusal.error()).isEqualTo(ApiError.VALIDATION);
        assertThat(refusal.message()).contains("already exists");
    }

    @Test
    void anUnknownIndexIsNotFoundAndALocalOneIsNotDeleted() {
        createActive();

        assertThat(
                        refused(
                                        update(
                                                new TableChange.StartDeletingIndex(
                                                        new IndexName("none"), 1)))
                                .error())
                .isEqualTo(ApiError.RESOURCE_NOT_FOUND);
        assertThat(
                        refused(
                                        update(
                                                new TableChange.StartDeletingIndex(
                                                        new IndexName("by-quality"), 1)))
                                .error())
                .isEqualTo(ApiError.VALIDATION);
    }

    @Test
    void generationsGrowThroughTheLifeOfATable() {
        createActive();
        List<Integer> generations = new ArrayList<>();

        for (int round = 0; round < 3; round++) {
            int current = table().globalIndex(INDEX).orElseThrow().generation();
            generations.add(current);
            accepted(update(new TableChange.StartDeletingIndex(INDEX, 1)));
            accepted(new CatalogCommand.ForgetIndex(ID, INDEX, current));
            accepted(update(Tables.add(INDEX.value(), "severity", KeyType.S)));
            accepted(
                    new CatalogCommand.MarkIndexActive(
                            ID, INDEX, current + 1, Optional.empty(), false));
        }

        assertThat(generations).containsExactly(1, 2, 3);
    }

    @Test
    void whatIsSaidOfAFormerGenerationDoesNotTouchTheNewOne() {
        createActive();
        accepted(update(new TableChange.StartDeletingIndex(INDEX, 1)));
        accepted(new CatalogCommand.ForgetIndex(ID, INDEX, 1));
        accepted(update(Tables.add(INDEX.value(), "severity", KeyType.S)));
        CatalogState before = state;

        assertThat(
                        refused(
                                        new CatalogCommand.MarkIndexActive(
                                                ID, INDEX, 1, Optional.empty(), false))
                                .error())
                .isEqualTo(ApiError.RESOURCE_NOT_FOUND);
        assertThat(refused(new CatalogCommand.ForgetIndex(ID, INDEX, 1)).error())
                .isEqualTo(ApiError.RESOURCE_NOT_FOUND);
        assertThat(state).isSameAs(before);
    }

    @Test
    void anIndexKeyIsNotRedefinedAndATableKeyKeepsItsType() {
        createActive();

        Outcome.Refused refusal = refused(update(Tables.add("late", "severity", KeyType.N)));

        assertThat(refusal)
                .isEqualTo(
                        new Outcome.Refused(
                                ApiError.VALIDATION,
                                "Attributes cannot be redefined. Please check that your attribute"
                                        + " has the same type as previously defined. Existing"
                                        + " schema: Schema:[SchemaElement: key{severity:S}] New"
                                        + " schema: Schema:[SchemaElement: key{severity:N}]"));
        accepted(update(Tables.add("late", "sk", KeyType.S)));
        assertThat(table().globalIndex(new IndexName("late")).orElseThrow().key())
                .isEqualTo(KeySchema.simple(new KeyAttribute("sk", KeyType.N)));
    }

    @Test
    void aTableHasAtMost20GlobalIndexes() {
        accepted(
                new CatalogCommand.CreateTable(
                        Tables.onDemand(
                                "readings",
                                "aaaaaaaa",
                                IntStream.range(0, 20)
                                        .mapToObj(at -> Tables.index("index" + at, "a" + at))
                                        .toArray(GlobalIndex[]::new))));
        accepted(new CatalogCommand.MarkTableActive(ID));

        assertThat(refused(update(Tables.add("more", "a", KeyType.S))).message())
                .contains("GlobalSecondaryIndex count exceeds the per-table limit of 20");
    }

    @Test
    void indexesProjectAtMost100Attributes() {
        createActive();
        List<String> names = IntStream.range(0, 101).mapToObj(at -> "n" + at).toList();

        Outcome.Refused refusal =
                refused(
                        update(
                                new TableChange.AddIndex(
                                        new IndexName("late"),
                                        KeySchema.simple(new KeyAttribute("a", KeyType.S)),
                                        new Projection.Include(names),
                                        Throughput.NONE,
                                        CapacityOptions.NONE,
                                        Optional.empty(),
                                        1)));

        assertThat(refusal.error()).isEqualTo(ApiError.VALIDATION);
    }

    @Test
    void aNextGenerationTakesOverOnceItHasCaughtUpAndOneCanGoBack() {
        // Given
        createActive();
        accepted(update(next(true, true)));
        assertThat(serving().generation()).isEqualTo(1);
        assertThat(table().status()).isEqualTo(TableStatus.ACTIVE);
        accepted(new CatalogCommand.SetIndexTarget(ID, INDEX, 2, List.of(7L)));

        // When
        accepted(new CatalogCommand.MarkIndexActive(ID, INDEX, 2, Optional.of(NOW), false));

        // Then
        assertThat(serving().generation()).isEqualTo(2);
        assertThat(serving().projection()).isEqualTo(new Projection.All());
        assertThat(serving().build())
                .isEqualTo(IndexBuild.startedAt(NOW).withTarget(List.of(7L)).finishedAt(NOW));
        assertThat(spares()).containsExactly("PREVIOUS 1");

        accepted(update(new GenerationChange.RollBackGeneration(INDEX)));
        assertThat(serving().generation()).isEqualTo(1);
        assertThat(spares()).containsExactly("PREVIOUS 2");

        accepted(update(new GenerationChange.DiscardGeneration(INDEX, Purpose.PREVIOUS)));
        assertThat(spares()).containsExactly("DISCARDED 2");
        accepted(new CatalogCommand.ForgetIndex(ID, INDEX, 2));
        assertThat(spares()).isEmpty();
        assertThat(serving().generation()).isEqualTo(1);
    }

    @Test
    void aNextGenerationThatIsHeldWaitsForTheSwitch() {
        createActive();
        accepted(update(next(false, false)));
        assertThat(refused(update(new GenerationChange.SwitchGeneration(INDEX))).message())
                .contains("has not caught up yet");

        accepted(new CatalogCommand.MarkIndexActive(ID, INDEX, 2, Optional.of(NOW), false));
        assertThat(serving().generation()).isEqualTo(1);
        accepted(update(new GenerationChange.SwitchGeneration(INDEX)));

        assertThat(serving().generation()).isEqualTo(2);
        assertThat(spares()).containsExactly("DISCARDED 1");
    }

    @Test
    void aNextGenerationThatIsFoundWantingWaitsAlthoughItWasToTakeOver() {
        createActive();
        accepted(update(next(true, true)));

        accepted(new CatalogCommand.MarkIndexActive(ID, INDEX, 2, Optional.of(NOW), true));

        assertThat(serving().generation()).isEqualTo(1);
        assertThat(spares()).containsExactly("NEXT 2");
        accepted(update(new GenerationChange.SwitchGeneration(INDEX)));
        assertThat(serving().generation()).isEqualTo(2);
    }

    @Test
    void anIndexThatIsDeletedTakesItsGenerationsWithIt() {
        createActive();
        accepted(update(next(true, true)));

        accepted(update(new TableChange.StartDeletingIndex(INDEX, 1)));

        assertThat(spares()).containsExactly("DISCARDED 2");
        assertThat(
                        refused(
                                new CatalogCommand.MarkIndexActive(
                                        ID, INDEX, 2, Optional.of(NOW), false)))
                .extracting(Outcome.Refused::error)
                .isEqualTo(ApiError.RESOURCE_IN_USE);
        accepted(new CatalogCommand.ForgetIndex(ID, INDEX, 1));
        accepted(update(Tables.add(INDEX.value(), "severity", KeyType.S)));
        assertThat(serving().generation()).isEqualTo(3);
    }

    @Test
    void aNextGenerationCountsAsAnIndexThatIsMade() {
        createActive();
        accepted(update(next(true, true)));

        assertThat(refused(update(Tables.add("late", "a", KeyType.S))).error())
                .isEqualTo(ApiError.LIMIT_EXCEEDED);
        assertThat(refused(update(next(true, true))).error()).isEqualTo(ApiError.RESOURCE_IN_USE);
    }

    @Test
    void asManyIndexesAreMadeAtOnceAsTheCommandAllows() {
        createActive();
        TableChange.AddIndex add = Tables.add("late", "a", KeyType.S);

        accepted(update(atOnce(add, "one")));
        accepted(update(atOnce(add, "two")));

        assertThat(refused(update(atOnce(add, "three"))))
                .isEqualTo(
                        new Outcome.Refused(
                                ApiError.LIMIT_EXCEEDED,
                                "Subscriber limit exceeded: Only 2 online index can be created or"
                                        + " deleted simultaneously per table"));
    }

    @Test
    void aBackfillIsPausedAndBoundedOnlyWhileItGoesOn() {
        createActive();
        TableChange pause =
                new GenerationChange.SetBackfill(INDEX, Optional.of(true), OptionalLong.of(50));
        assertThat(refused(update(pause)).message())
                .endsWith("Index is not being built: by-severity");
        accepted(update(next(true, true)));

        accepted(update(pause));

        GlobalIndex building = table().spare(INDEX, Purpose.NEXT).orElseThrow().index();
        assertThat(building.build().paused()).isTrue();
        assertThat(building.build().rateLimit()).hasValue(50);
        accepted(
                update(
                        new GenerationChange.SetBackfill(
                                INDEX, Optional.empty(), OptionalLong.of(0))));
        assertThat(table().spare(INDEX, Purpose.NEXT).orElseThrow().index().build().rateLimit())
                .isEmpty();
    }

    private static TableChange.AddIndex atOnce(TableChange.AddIndex add, String name) {
        return new TableChange.AddIndex(
                new IndexName(name),
                add.key(),
                add.projection(),
                add.throughput(),
                add.capacity(),
                Optional.of(NOW),
                2);
    }

    private static TableChange next(boolean takesOver, boolean keepsPrevious) {
        return new GenerationChange.StartNextGeneration(
                INDEX,
                Optional.empty(),
                Optional.of(new Projection.All()),
                takesOver,
                keepsPrevious,
                NOW,
                1);
    }

    private GlobalIndex serving() {
        return table().globalIndex(INDEX).orElseThrow();
    }

    private List<String> spares() {
        return table().options().spares().stream()
                .map(spare -> spare.purpose() + " " + spare.index().generation())
                .toList();
    }

    @Test
    void anUpdateIsAppliedWholeOrNotAtAll() {
        createActive();
        CatalogState before = state;

        Outcome.Refused refusal =
                refused(
                        new CatalogCommand.UpdateTable(
                                ID,
                                List.of(
                                        new TableChange.SetDeletionProtection(true),
                                        new TableChange.SetBilling(
                                                BillingMode.PROVISIONED,
                                                new Throughput(1, 1),
                                                NOW))));

        assertThat(refusal.message())
                .contains("ProvisionedThroughput must be specified for index: by-severity");
        assertThat(state).isSameAs(before);
    }

    @Test
    void onDemandBillingTakesTheThroughputFromTheIndexes() {
        createActive();
        accepted(
                new CatalogCommand.UpdateTable(
                        ID,
                        List.of(
                                new TableChange.SetBilling(
                                        BillingMode.PROVISIONED, new Throughput(1, 2), NOW),
                                new TableChange.SetIndexThroughput(
                                        INDEX, new Throughput(3, 4), NOW))));
        assertThat(table().globalIndex(INDEX).orElseThrow().throughput())
                .isEqualTo(new Throughput(3, 4));

        accepted(
                update(
                        new TableChange.SetBilling(
                                BillingMode.PAY_PER_REQUEST, Throughput.NONE, NOW)));

        assertThat(table().throughput()).isEqualTo(Throughput.NONE);
        assertThat(table().globalIndex(INDEX).orElseThrow().throughput())
                .isEqualTo(Throughput.NONE);
    }

    @Test
    void throughputThatDoesNotChangeIsRefused() {
        createActive();
        TableChange billing =
                new TableChange.SetBilling(BillingMode.PROVISIONED, new Throughput(1, 2), NOW);
        accepted(
                new CatalogCommand.UpdateTable(
                        ID,
                        List.of(
                                billing,
                                new TableChange.SetIndexThroughput(
                                        INDEX, new Throughput(3, 4), NOW))));

        assertThat(refused(update(billing)).message())
                .startsWith("The provisioned throughput for the table will not change.");
    }

    @Test
    void tagsAreAddedReplacedAndRemovedUpToALimit() {
        createActive();

        accepted(new CatalogCommand.TagTable(ID, Map.of("owner", "you", "team", "x")));
        assertThat(table().tags()).isEqualTo(Map.of("owner", "you", "team", "x"));

        accepted(new CatalogCommand.UntagTable(ID, Set.of("owner", "unknown")));
        assertThat(table().tags()).isEqualTo(Map.of("team", "x"));

        Map<String, String> many = new HashMap<>();
        IntStream.range(0, 50).forEach(at -> many.put("k" + at, "v"));
        assertThat(refused(new CatalogCommand.TagTable(ID, many)).error())
                .isEqualTo(ApiError.VALIDATION);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whateverIsProposedTheRulesHoldAndReplicasAgree(long seed) {
        Random random = new Random(seed);
        CatalogState one = CatalogState.EMPTY;
        CatalogState other = CatalogState.EMPTY;
        Set<TableId> ids = new HashSet<>();
        Map<String, Integer> generations = new HashMap<>();

        for (int step = 0; step < 2_000; step++) {
            CatalogCommand command = anyCommand(random, one);
            Transition transition = one.apply(command);
            CatalogRecord copied = CatalogRecord.parse(new CatalogRecord("r", command).toBytes());
            Transition copy = other.apply(copied.command());

            assertThat(copy).isEqualTo(transition);
            if (transition.outcome() instanceof Outcome.Refused) {
                assertThat(transition.state()).isSameAs(one);
            } else if (command instanceof CatalogCommand.CreateTable create) {
                assertThat(ids.add(create.table())).isTrue();
            } else if (command instanceof CatalogCommand.UpdateTable update) {
                update.changes().stream()
                        .filter(TableChange.AddIndex.class::isInstance)
                        .map(TableChange.AddIndex.class::cast)
                        .forEach(
                                add ->
                                        assertThat(newer(transition.state(), update, add))
                                                .isGreaterThan(
                                                        generations.getOrDefault(
                                                                update.table() + "/" + add.name(),
                                                                0)));
            }
            one = transition.state();
            other = copy.state();
            one.tables()
                    .forEach(
                            table ->
                                    table.globalIndexes()
                                            .forEach(
                                                    index ->
                                                            generations.merge(
                                                                    table.id() + "/" + index.name(),
                                                                    index.generation(),
                                                                    Math::max)));
            one.tables().forEach(CatalogStateTest::assertSound);
        }
        assertThat(ids).hasSizeGreaterThan(10);
    }

    private static int newer(
            CatalogState state, CatalogCommand.UpdateTable update, TableChange.AddIndex add) {
        return state.table(update.table())
                .flatMap(table -> table.globalIndex(add.name()))
                .orElseThrow()
                .generation();
    }

    private static void assertSound(TableDefinition table) {
        long unsettled =
                table.globalIndexes().stream()
                        .filter(index -> index.status() != IndexStatus.ACTIVE)
                        .count();
        switch (table.status()) {
            case ACTIVE -> assertThat(unsettled).isZero();
            case UPDATING -> assertThat(unsettled).isOne();
            case CREATING ->
                    assertThat(table.globalIndexes())
                            .allMatch(index -> index.status() == IndexStatus.CREATING);
            case DELETING ->
                    assertThat(table.globalIndexes())
                            .allMatch(index -> index.status() == IndexStatus.DELETING);
        }
        assertThat(table.globalIndexes().stream().map(GlobalIndex::name)).doesNotHaveDuplicates();
        assertThat(
                        table.generations().stream()
                                .map(index -> index.name() + "/" + index.generation()))
                .doesNotHaveDuplicates();
        for (SpareGeneration spare : table.options().spares()) {
            switch (spare.purpose()) {
                case NEXT ->
                        assertThat(spare.index().generation())
                                .isGreaterThan(serving(table, spare).generation());
                case PREVIOUS ->
                        assertThat(List.of(spare.index(), serving(table, spare)))
                                .allMatch(index -> index.status() == IndexStatus.ACTIVE);
                case DISCARDED ->
                        assertThat(spare.index().status()).isEqualTo(IndexStatus.DELETING);
            }
            if (spare.purpose() != Purpose.DISCARDED) {
                assertThat(table.spare(spare.index().name(), spare.purpose())).contains(spare);
            }
        }
    }

    private static GlobalIndex serving(TableDefinition table, SpareGeneration spare) {
        return table.globalIndex(spare.index().name()).orElseThrow();
    }

    private static CatalogCommand change(TableDefinition table, TableChange change) {
        return new CatalogCommand.UpdateTable(table.id(), List.of(change));
    }

    /** Returns what a node says once it has done what some generation waits for. */
    private static CatalogCommand anyDeed(Random random, TableDefinition table) {
        List<GlobalIndex> all = table.generations();
        if (all.isEmpty()) {
            return new CatalogCommand.MarkTableActive(table.id());
        }
        GlobalIndex one = all.get(random.nextInt(all.size()));
        return one.status() == IndexStatus.DELETING
                ? new CatalogCommand.ForgetIndex(table.id(), one.name(), one.generation())
                : new CatalogCommand.MarkIndexActive(
                        table.id(), one.name(), one.generation(), Optional.of(NOW), false);
    }

    private static CatalogCommand anyCommand(Random random, CatalogState state) {
        List<TableDefinition> tables = List.copyOf(state.tables());
        if (tables.isEmpty() || random.nextInt(12) == 0) {
            return new CatalogCommand.CreateTable(
                    Tables.onDemand(
                            "table" + random.nextInt(4),
                            TableId.random(random).value(),
                            Tables.index("index0", "a")));
        }
        TableDefinition table = tables.get(random.nextInt(tables.size()));
        IndexName index = new IndexName("index" + random.nextInt(3));
        int generation =
                table.globalIndex(index).map(GlobalIndex::generation).orElse(0)
                        - (random.nextInt(8) == 0 ? 1 : 0);
        return switch (random.nextInt(15)) {
            case 9 ->
                    change(
                            table,
                            new GenerationChange.StartNextGeneration(
                                    index,
                                    Optional.empty(),
                                    Optional.of(new Projection.KeysOnly()),
                                    random.nextBoolean(),
                                    random.nextBoolean(),
                                    NOW,
                                    1));
            case 10 -> change(table, new GenerationChange.SwitchGeneration(index));
            case 11 -> change(table, new GenerationChange.RollBackGeneration(index));
            case 12 ->
                    change(
                            table,
                            new GenerationChange.DiscardGeneration(
                                    index, random.nextBoolean() ? Purpose.NEXT : Purpose.PREVIOUS));
            case 13 -> anyDeed(random, table);
            case 0 -> new CatalogCommand.StartDeletingTable(table.id());
            case 1 -> new CatalogCommand.ForgetTable(table.id());
            case 2 -> new CatalogCommand.MarkTableActive(table.id());
            case 3 ->
                    new CatalogCommand.MarkIndexActive(
                            table.id(), index, generation, Optional.empty(), false);
            case 4 -> new CatalogCommand.ForgetIndex(table.id(), index, generation);
            case 5 ->
                    new CatalogCommand.UpdateTable(
                            table.id(), List.of(new TableChange.StartDeletingIndex(index, 1)));
            case 6 -> new CatalogCommand.TagTable(table.id(), Map.of("t" + random.nextInt(3), "v"));
            default ->
                    new CatalogCommand.UpdateTable(
                            table.id(),
                            List.of(
                                    Tables.add(
                                            index.value(),
                                            "a" + random.nextInt(2),
                                            random.nextInt(5) == 0 ? KeyType.N : KeyType.S)));
        };
    }

    private void create() {
        accepted(
                new CatalogCommand.CreateTable(
                        Tables.onDemand(
                                "readings", "aaaaaaaa", Tables.index("by-severity", "severity"))));
    }

    private void createActive() {
        create();
        accepted(new CatalogCommand.MarkTableActive(ID));
    }

    private TableDefinition table() {
        return state.table(NAME).orElseThrow();
    }

    private static CatalogCommand update(TableChange change) {
        return new CatalogCommand.UpdateTable(ID, List.of(change));
    }

    private void accepted(CatalogCommand command) {
        Transition transition = state.apply(command);
        assertThat(transition.outcome()).isInstanceOf(Outcome.Accepted.class);
        state = transition.state();
    }

    private Outcome.Refused refused(CatalogCommand command) {
        Transition transition = state.apply(command);
        assertThat(transition.outcome()).isInstanceOf(Outcome.Refused.class);
        assertThat(transition.state()).isSameAs(state);
        return (Outcome.Refused) transition.outcome();
    }

    @Test
    void capacityIsToldAsItWasAskedForAndWarmCapacityNeverShrinks() {
        createActive();
        accepted(
                update(
                        new TableChange.SetCapacity(
                                Optional.empty(),
                                OptionalLong.of(5),
                                OptionalLong.of(7),
                                OptionalLong.of(13_000),
                                OptionalLong.empty())));
        accepted(
                update(
                        new TableChange.SetCapacity(
                                Optional.empty(),
                                OptionalLong.of(-1),
                                OptionalLong.empty(),
                                OptionalLong.empty(),
                                OptionalLong.empty())));

        CapacityOptions capacity = table().options().capacity();
        assertThat(capacity.mostReads()).isEmpty();
        assertThat(capacity.mostWrites()).hasValue(7);
        assertThat(capacity.warmUnder(BillingMode.PAY_PER_REQUEST, Throughput.NONE))
                .isEqualTo(new Throughput(13_000, 4_000));
        assertThat(
                        refused(
                                        update(
                                                new TableChange.SetCapacity(
                                                        Optional.empty(),
                                                        OptionalLong.empty(),
                                                        OptionalLong.empty(),
                                                        OptionalLong.empty(),
                                                        OptionalLong.of(3_999))))
                                .message())
                .contains("Requested WriteUnitsPerSecond")
                .contains("decreasing WarmThroughput is not supported");
    }

    @Test
    void throughputRemembersWhenItWasRaisedAndLowered() {
        createActive();
        accepted(
                new CatalogCommand.UpdateTable(
                        ID,
                        List.of(
                                billing(10, NOW),
                                new TableChange.SetIndexThroughput(
                                        INDEX, new Throughput(3, 4), NOW))));
        accepted(update(billing(20, NOW.plusSeconds(1))));
        accepted(update(billing(5, NOW.plusSeconds(2))));
        accepted(update(billing(4, NOW.plusSeconds(3))));

        CapacityOptions capacity = table().options().capacity();
        assertThat(capacity.raisedAt()).contains(NOW.plusSeconds(1));
        assertThat(capacity.loweredAt()).contains(NOW.plusSeconds(3));
        assertThat(capacity.loweringsOn(NOW.plusSeconds(60))).isEqualTo(2);
        assertThat(capacity.loweringsOn(NOW.plus(Duration.ofDays(1)))).isZero();
        assertThat(capacity.warmUnder(BillingMode.PROVISIONED, table().throughput()))
                .as("on-demand capacity it once had")
                .isEqualTo(CapacityOptions.ON_DEMAND_START);
    }

    private static TableChange billing(long units, Instant at) {
        return new TableChange.SetBilling(
                BillingMode.PROVISIONED, new Throughput(units, units), at);
    }
}
