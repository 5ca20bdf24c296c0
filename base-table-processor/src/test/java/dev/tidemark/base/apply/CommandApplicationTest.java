package dev.tidemark.base.apply;

import static dev.tidemark.base.TestTables.delete;
import static dev.tidemark.base.TestTables.deleteIf;
import static dev.tidemark.base.TestTables.item;
import static dev.tidemark.base.TestTables.put;
import static dev.tidemark.base.TestTables.putIf;
import static dev.tidemark.base.TestTables.update;
import static dev.tidemark.base.TestTables.updateIf;
import static dev.tidemark.base.TestTables.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.tidemark.base.TestTables;
import dev.tidemark.model.change.ChangeCause;
import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TimeToLive;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.Write.DefineIndexKeys;
import dev.tidemark.model.write.Write.IndexKeys;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CommandApplicationTest {

    private static final TableDefinition TABLE = TestTables.things(1);
    private static final Item KEY = item("p", 1);
    private static final Optional<Item> NOTHING = Optional.empty();

    private final CommandApplication application =
            new CommandApplication(
                    TABLE, CommandApplication.definitionAtCreation(TABLE), TimeToLive.NEVER);

    static Stream<Arguments> changes() {
        Item stored = item("p", 1, "a", "x", "n", 5);
        return Stream.of(
                argumentSet("put creates", none(), put(stored), some(stored)),
                argumentSet(
                        "put replaces the whole item",
                        some(stored),
                        put(item("p", 1, "b", "y")),
                        some(item("p", 1, "b", "y"))),
                argumentSet(
                        "put on a condition that holds",
                        none(),
                        putIf("attribute_not_exists(pk)", stored),
                        some(stored)),
                argumentSet("delete removes", some(stored), delete(KEY), none()),
                argumentSet(
                        "delete on a condition that holds",
                        some(stored),
                        deleteIf("n = :five", KEY, ":five", 5),
                        none()),
                argumentSet(
                        "update sets, removes and adds",
                        some(stored),
                        update(
                                KEY,
                                "SET b = :b REMOVE a ADD n :one, fresh :one",
                                ":b",
                                "y",
                                ":one",
                                1),
                        some(item("p", 1, "n", 6, "b", "y", "fresh", 1))),
                argumentSet(
                        "right-hand sides read the old item",
                        some(item("p", 1, "b", 1, "c", 2)),
                        update(KEY, "SET b = c, c = b"),
                        some(item("p", 1, "b", 2, "c", 1))),
                argumentSet(
                        "update creates a missing item with its key",
                        none(),
                        update(KEY, "SET b = :b", ":b", "y"),
                        some(item("p", 1, "b", "y"))),
                argumentSet(
                        "update without an expression creates a missing item",
                        none(),
                        new Write.UpdateItem(
                                KEY, Optional.empty(), Optional.empty(), Placeholders.NONE),
                        some(KEY)),
                argumentSet(
                        "update counts from nothing",
                        none(),
                        update(KEY, "ADD n :one", ":one", 1),
                        some(item("p", 1, "n", 1))),
                argumentSet(
                        "update removes members of a set",
                        some(item("p", 1, "s", new AttributeValue.SS(Set.of("x", "y")))),
                        update(KEY, "DELETE s :s", ":s", new AttributeValue.SS(Set.of("x"))),
                        some(item("p", 1, "s", new AttributeValue.SS(Set.of("y"))))),
                argumentSet(
                        "update on a condition that holds",
                        some(stored),
                        updateIf("n < :ten", KEY, "SET n = n + :ten", ":ten", 10),
                        some(item("p", 1, "a", "x", "n", 15))),
                argumentSet(
                        "an index key may be absent",
                        some(item("p", 1, "g", "x")),
                        update(KEY, "REMOVE g"),
                        some(KEY)));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void changesTheItem(Optional<Item> before, Write write, Optional<Item> after) {
        assertThat(application.decide(write, before))
                .isEqualTo(
                        new Decision.Change(
                                TABLE.key().keyOf(KEY).orElseThrow(),
                                before,
                                after,
                                ChangeCause.REQUEST));
    }

    static Stream<Arguments> nothings() {
        Item stored = item("p", 1, "b", 1, "s", new AttributeValue.SS(Set.of("x", "y")));
        return Stream.of(
                argumentSet("put of an equal item", some(stored), put(stored)),
                argumentSet(
                        "put of an equal item in another order",
                        some(item("p", 1, "b", 1, "c", 2)),
                        put(item("p", 1, "c", 2, "b", 1))),
                argumentSet("delete of a missing item", none(), delete(KEY)),
                argumentSet(
                        "update to the same value",
                        some(stored),
                        update(KEY, "SET b = :one", ":one", 1)),
                argumentSet(
                        "removal of an absent attribute", some(stored), update(KEY, "REMOVE c")),
                argumentSet("removal from a missing item", none(), update(KEY, "REMOVE c")),
                argumentSet(
                        "DELETE from a missing item",
                        none(),
                        update(KEY, "DELETE s :s", ":s", new AttributeValue.SS(Set.of("x")))),
                argumentSet("a barrier", none(), new Write.Barrier()));
    }

    @ParameterizedTest
    @MethodSource("nothings")
    void changesNothing(Optional<Item> before, Write write) {
        assertThat(application.decide(write, before)).isEqualTo(new Decision.NoChange(before));
    }

    static Stream<Arguments> failedConditions() {
        Item stored = item("p", 1, "n", 5);
        return Stream.of(
                argumentSet(
                        "put over an item that must not exist",
                        some(stored),
                        putIf("attribute_not_exists(pk)", item("p", 1, "n", 6))),
                argumentSet(
                        "delete of an item that must exist",
                        none(),
                        deleteIf("attribute_exists(pk)", KEY)),
                argumentSet(
                        "update on a value of another type",
                        some(stored),
                        updateIf("n = :s", KEY, "REMOVE n", ":s", "5")),
                argumentSet(
                        "a condition on a missing attribute",
                        some(stored),
                        deleteIf("m < :n", KEY, ":n", 5)));
    }

    @ParameterizedTest
    @MethodSource("failedConditions")
    void keepsTheItemWhenTheConditionFails(Optional<Item> before, Write write) {
        assertThat(application.decide(write, before))
                .isEqualTo(new Decision.ConditionFailed(before));
    }

    static Stream<Arguments> refusals() {
        Optional<Item> stored = some(item("p", 1, "a", "x", "n", 5));
        String large = "x".repeat(Item.MAX_SIZE);
        return Stream.of(
                argumentSet(
                        "put without a key attribute",
                        stored,
                        put(new Item(Map.of("pk", value("p")))),
                        "One or more parameter values were invalid: Missing the key sk in the item"),
                argumentSet(
                        "put with a key of another type",
                        stored,
                        put(new Item(Map.of("pk", value(1), "sk", value(1)))),
                        "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N"),
                argumentSet(
                        "delete with more than the key",
                        stored,
                        delete(item("p", 1, "a", "x")),
                        "The provided key element does not match the schema"),
                argumentSet(
                        "put with a local index key of another type",
                        stored,
                        put(item("p", 1, "n", "five")),
                        "One or more parameter values were invalid: Type mismatch for Index Key n Expected: N Actual: S IndexName: by-n"),
                argumentSet(
                        "put with a global index key of another type",
                        stored,
                        put(item("p", 1, "g", new AttributeValue.L(List.of()))),
                        "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: L IndexName: by-g"),
                argumentSet(
                        "put with an empty index key",
                        stored,
                        put(item("p", 1, "g", "")),
                        "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: by-g, IndexKey: g"),
                argumentSet(
                        "update of an index key to the empty string",
                        stored,
                        update(KEY, "SET g = :e", ":e", ""),
                        "One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value."),
                argumentSet(
                        "update of a key attribute",
                        stored,
                        update(KEY, "SET sk = :n", ":n", 1),
                        "One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key"),
                argumentSet(
                        "update of something within an index key",
                        stored,
                        update(KEY, "SET g.x = :n", ":n", 1),
                        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: g"),
                argumentSet(
                        "put of an item that is too large",
                        stored,
                        put(item("p", 1, "big", large)),
                        "Item size has exceeded the maximum allowed size"),
                argumentSet(
                        "update to an item that is too large",
                        stored,
                        update(KEY, "SET big = :l", ":l", large),
                        "Item size to update has exceeded the maximum allowed size"),
                argumentSet(
                        "arithmetic on a string",
                        stored,
                        update(KEY, "SET a = a + :n", ":n", 1),
                        "An operand in the update expression has an incorrect data type"),
                argumentSet(
                        "an operand the item lacks",
                        none(),
                        update(KEY, "SET b = pk"),
                        "The provided expression refers to an attribute that does not exist in the item"),
                argumentSet(
                        "a placeholder without a value",
                        stored,
                        update(KEY, "SET b = :b"),
                        "Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute value: :b"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void refusesWhatCanNotBeApplied(Optional<Item> before, Write write, String text) {
        assertThat(application.decide(write, before))
                .isEqualTo(new Decision.Refused(ApiError.VALIDATION, text));
    }

    @Test
    void anUpdateMayLeaveAloneAnIndexKeyThatIsOlderThanItsIndex() {
        Optional<Item> older = some(item("p", 1, "g", 5));

        assertThat(application.decide(update(KEY, "SET b = :n", ":n", 1), older))
                .isInstanceOf(Decision.Change.class);
        assertThat(application.decide(update(KEY, "SET g = :n", ":n", 5), older))
                .isInstanceOf(Decision.Refused.class);
    }

    @Test
    void aDefinitionInTheLogReplacesAnOlderOneAndIsThenInForce() {
        // Given
        DefineIndexKeys none = new DefineIndexKeys(2, List.of());
        Write mistyped = put(item("p", 1, "g", 5));
        assertThat(application.decide(mistyped, NOTHING)).isInstanceOf(Decision.Refused.class);

        // When
        Decision decided = application.decide(none, NOTHING);
        application.define(none);

        // Then
        assertThat(decided).isEqualTo(new Decision.NewDefinition(none));
        assertThat(application.decide(mistyped, NOTHING)).isInstanceOf(Decision.Change.class);
        assertThat(application.decide(none, NOTHING)).isInstanceOf(Decision.NoChange.class);
        assertThat(application.decide(new DefineIndexKeys(1, List.of()), NOTHING))
                .isInstanceOf(Decision.NoChange.class);
    }

    @Test
    void ofSeveralBrokenIndexesTheOneWhoseNameSortsFirstIsReported() {
        KeyAttribute g = new KeyAttribute("g", KeyType.S);
        application.define(
                new DefineIndexKeys(
                        1,
                        List.of(
                                new IndexKeys(new IndexName("zzz"), List.of(g), List.of()),
                                new IndexKeys(new IndexName("aaa"), List.of(g), List.of()))));

        assertThat(application.decide(put(item("p", 1, "g", 5, "n", "x")), NOTHING))
                .isEqualTo(
                        new Decision.Refused(
                                ApiError.VALIDATION,
                                "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: N IndexName: aaa"));
    }

    @Test
    void controlCommandsConcernNoItem() {
        assertThat(application.keyOf(new Write.Barrier())).isEmpty();
        assertThat(application.keyOf(new DefineIndexKeys(1, List.of()))).isEmpty();
        assertThat(application.keyOf(put(item("p", 1)))).isEqualTo(TABLE.key().keyOf(KEY));
        assertThat(application.keyOf(put(Item.EMPTY))).isEmpty();
    }

    private static Optional<Item> some(Item item) {
        return Optional.of(item);
    }

    private static Optional<Item> none() {
        return Optional.empty();
    }
}
