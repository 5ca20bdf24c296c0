package dev.tidemark.gsi.projection;

import static dev.tidemark.gsi.TestTable.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.gsi.TestTable;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.change.Position;
import dev.tidemark.model.item.AttributeType;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.key.KeyValueRule;
import dev.tidemark.model.key.Partitioning;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.TableDefinition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChangeProjectionTest {

    private static final GlobalIndex INDEX = TestTable.byPlace();
    private static final TableDefinition TABLE = TestTable.definition(2, INDEX);
    private static final List<String> PLACES = List.of("a", "b", "c", "d", "e", "f");
    private static final String PLACE = PLACES.get(0);

    private final TestTable table = new TestTable(TABLE);
    private final ChangeProjection projection = new ChangeProjection(TABLE, INDEX);

    @Test
    void newItemIsAPutInThePartitionOfItsIndexKey() {
        // When
        ChangeRecord change = table.put(item("id", "1", "place", PLACE)).orElseThrow();

        // Then
        PlacedUpdate placed = only(projection.project(change).updates());
        assertThat(placed.partition()).isEqualTo(partitionOf(PLACE));
        assertThat(placed.recordKey().toByteArray())
                .isEqualTo(PLACE.getBytes(StandardCharsets.UTF_8));
        assertThat(placed.update().position()).isEqualTo(change.origin().position());
        assertThat(placed.update().time()).isEqualTo(change.origin().time());
        assertThat(placed.update().delete()).isEmpty();
        assertThat(placed.update().put().orElseThrow().projected())
                .isEqualTo(item("id", "1", "place", PLACE));
    }

    @Test
    void keyChangeWithinOnePartitionIsOneUpdate() {
        // Given
        table.put(item("id", "1", "place", PLACE));

        // When
        ChangeRecord change = table.put(item("id", "1", "place", other(PLACE, true))).orElseThrow();

        // Then
        PlacedUpdate placed = only(projection.project(change).updates());
        assertThat(placed.update().delete()).isPresent();
        assertThat(placed.update().put()).isPresent();
        assertThat(placed.update().delete().orElseThrow())
                .isNotEqualTo(placed.update().put().orElseThrow().entryKey());
    }

    @Test
    void keyChangeAcrossPartitionsIsOneUpdateInEach() {
        // Given
        table.put(item("id", "1", "place", PLACE));
        String elsewhere = other(PLACE, false);

        // When
        ChangeRecord change = table.put(item("id", "1", "place", elsewhere)).orElseThrow();

        // Then
        List<PlacedUpdate> placed = projection.project(change).updates();
        assertThat(placed).hasSize(2);
        assertThat(placed.get(0).partition()).isEqualTo(partitionOf(PLACE));
        assertThat(placed.get(0).update().delete()).isPresent();
        assertThat(placed.get(0).update().put()).isEmpty();
        assertThat(placed.get(1).partition()).isEqualTo(partitionOf(elsewhere));
        assertThat(placed.get(1).update().delete()).isEmpty();
        assertThat(placed.get(1).update().put()).isPresent();
        assertThat(placed)
                .allSatisfy(
                        each ->
                                assertThat(
                                                Partitioning.partition(
                                                        each.recordKey().toByteArray(), 2))
                                        .isEqualTo(each.partition()));
    }

    @Test
    void unchangedProjectionIsNoUpdate() {
        // Given
        GlobalIndex keysOnly = TestTable.index(INDEX.key(), new Projection.KeysOnly());
        table.put(item("id", "1", "place", PLACE, "note", "old"));

        // When
        ChangeRecord change =
                table.put(item("id", "1", "place", PLACE, "note", "new")).orElseThrow();

        // Then
        assertThat(new ChangeProjection(TABLE, keysOnly).project(change).updates()).isEmpty();
        assertThat(projection.project(change).updates()).hasSize(1);
    }

    @Test
    void itemWithoutTheIndexKeyIsNotInASparseIndex() {
        ChangeRecord change = table.put(item("id", "1")).orElseThrow();

        assertThat(projection.project(change).updates()).isEmpty();
        assertThat(projection.project(change).after()).isEmpty();
    }

    @Test
    void removedItemIsADeleteInThePartitionOfItsEntry() {
        // Given
        table.put(item("id", "1", "place", PLACE));

        // When
        ChangeRecord change = table.delete("1").orElseThrow();

        // Then
        PlacedUpdate placed = only(projection.project(change).updates());
        assertThat(placed.partition()).isEqualTo(partitionOf(PLACE));
        assertThat(placed.update().delete()).isPresent();
        assertThat(placed.update().put()).isEmpty();
    }

    @Test
    void repairWritesTheEntryAnewThoughNothingChanged() {
        // Given
        table.put(item("id", "1", "place", PLACE));

        // When
        ChangeRecord repair = table.refresh(item("id", "1", "place", PLACE));

        // Then
        ProjectedChange projected = projection.project(repair);
        PlacedUpdate placed = only(projected.updates());
        assertThat(placed.update().delete()).isEmpty();
        assertThat(placed.update().put().orElseThrow().projected())
                .isEqualTo(item("id", "1", "place", PLACE));
        assertThat(projected.entriesAdded()).isZero();
    }

    @Test
    void repairTakesTheEntryOfTheStaleImage() {
        // Given
        table.put(item("id", "1", "place", PLACE));

        // When
        ChangeRecord moved = table.refresh(item("id", "1", "place", other(PLACE, true)));
        ChangeRecord gone = table.refresh(item("id", "2", "place", PLACE));

        // Then
        PlacedUpdate both = only(projection.project(moved).updates());
        assertThat(both.update().delete()).isPresent();
        assertThat(both.update().put()).isPresent();
        PlacedUpdate delete = only(projection.project(gone).updates());
        assertThat(delete.update().delete()).isPresent();
        assertThat(delete.update().put()).isEmpty();
        assertThat(projection.project(gone).entriesAdded()).isZero();
        assertThat(projection.project(moved).entriesAdded()).isZero();
    }

    @Test
    void repairSaysWhatViolationTheItemHasAndNoneOfItsStaleImage() {
        // Given
        table.put(item("id", "1", "place", ""));

        // When
        ProjectedChange unsuitable =
                projection.project(table.refresh(item("id", "1", "place", PLACE)));
        ProjectedChange stale = projection.project(table.refresh(item("id", "2", "place", "")));

        // Then
        assertThat(unsuitable.after()).isPresent();
        assertThat(stale.before()).isEmpty();
    }

    @Test
    void equalIndexKeysStayTwoEntries() {
        // When
        ChangeRecord first = table.put(item("id", "1", "place", PLACE)).orElseThrow();
        ChangeRecord second = table.put(item("id", "2", "place", PLACE)).orElseThrow();

        // Then
        assertThat(
                        only(projection.project(first).updates())
                                .update()
                                .put()
                                .orElseThrow()
                                .entryKey())
                .isNotEqualTo(
                        only(projection.project(second).updates())
                                .update()
                                .put()
                                .orElseThrow()
                                .entryKey());
    }

    @Test
    void valueThatCanNotBeAKeyIsSkippedAndSaid() {
        // Given
        KeyAttribute place = INDEX.key().partition().get(0);

        // When
        ChangeRecord wrongType =
                table.put(
                                new Item(
                                        Map.of(
                                                "id",
                                                new AttributeValue.S("1"),
                                                "place",
                                                new AttributeValue.N(Decimal.parse("1")))))
                        .orElseThrow();
        ChangeRecord empty = table.put(item("id", "2", "place", "")).orElseThrow();
        ChangeRecord tooLong = table.put(item("id", "3", "place", "x".repeat(2049))).orElseThrow();

        // Then
        assertThat(projection.project(wrongType).updates()).isEmpty();
        assertThat(projection.project(empty).updates()).isEmpty();
        assertThat(projection.project(tooLong).updates()).isEmpty();
        assertThat(projection.project(wrongType).after())
                .contains(
                        new Unsuitable(
                                place,
                                true,
                                KeyValueRule.Violation.WRONG_TYPE,
                                AttributeType.N,
                                2));
        assertThat(projection.project(empty).after())
                .contains(
                        new Unsuitable(
                                place, true, KeyValueRule.Violation.EMPTY, AttributeType.S, 0));
        assertThat(projection.project(tooLong).after())
                .contains(
                        new Unsuitable(
                                place,
                                true,
                                KeyValueRule.Violation.TOO_LONG,
                                AttributeType.S,
                                2049));
    }

    @Test
    void sortValueOfAnIndexMayBeShorterThanItsPartitionValue() {
        // Given
        KeyAttribute time = new KeyAttribute("time", KeyType.S);
        GlobalIndex sorted =
                TestTable.index(
                        KeySchema.composite(new KeyAttribute("place", KeyType.S), time),
                        new Projection.All());

        // When
        ChangeRecord change =
                table.put(item("id", "1", "place", "x".repeat(2048), "time", "y".repeat(1025)))
                        .orElseThrow();

        // Then
        assertThat(new ChangeProjection(TABLE, sorted).project(change).after())
                .contains(
                        new Unsuitable(
                                time,
                                false,
                                KeyValueRule.Violation.TOO_LONG,
                                AttributeType.S,
                                1025));
    }

    @Test
    void updatesCarryTheSequenceOfTheirChange() {
        // When
        ChangeRecord first = table.put(item("id", "1", "place", PLACE)).orElseThrow();
        ChangeRecord second = table.delete("1").orElseThrow();

        // Then
        int partition = table.partitionOf(first.key());
        assertThat(only(projection.project(second).updates()).update().position())
                .isEqualTo(new Position(partition, 2));
    }

    private static PlacedUpdate only(List<PlacedUpdate> placed) {
        assertThat(placed).hasSize(1);
        return placed.get(0);
    }

    private static int partitionOf(String place) {
        return Partitioning.partition(place.getBytes(StandardCharsets.UTF_8), 2);
    }

    private static String other(String place, boolean samePartition) {
        return PLACES.stream()
                .filter(each -> !each.equals(place))
                .filter(each -> (partitionOf(each) == partitionOf(place)) == samePartition)
                .findFirst()
                .orElseThrow();
    }
}
