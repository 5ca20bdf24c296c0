package dev.tidemark.expressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tidemark.expressions.ConditionExpression.Kind;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.write.Placeholders;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExpressionLimitsTest {

    private static final KeySchema SCHEMA =
            KeySchema.composite(new KeyAttribute("p", KeyType.S), new KeyAttribute("s", KeyType.N));

    @Test
    void anExpressionHasAtMost4096Bytes() {
        String fits = "attribute_exists(" + "a".repeat(4096 - 18) + ")";
        assertThatCode(() -> ConditionExpression.parse(fits, Kind.CONDITION))
                .doesNotThrowAnyException();
        assertRefused(
                "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; "
                        + "expression size: 4097",
                () -> ConditionExpression.parse(fits + ")", Kind.CONDITION));
        assertRefused(
                "Invalid UpdateExpression: Expression size has exceeded the maximum allowed size; "
                        + "expression size: 6000",
                () -> UpdateExpression.parse("é".repeat(3000)));
    }

    @Test
    void anExpressionHasAtMost300Operators() {
        assertThatCode(() -> ConditionExpression.parse(chain(150), Kind.FILTER))
                .doesNotThrowAnyException();
        assertRefused(
                "Invalid FilterExpression: The expression contains too many operators; "
                        + "operator count: 301",
                () -> ConditionExpression.parse(chain(151), Kind.FILTER));
    }

    @Test
    void whatStandsInTheLogMayBeLongerButNotDeeper() {
        ConditionExpression condition =
                ConditionExpression.parse(
                        chain(20_000), Kind.CONDITION, ExpressionLimits.OF_THE_LOG);
        Placeholders one = new Placeholders(Map.of(), Map.of(":v", new AttributeValue.S("x")));
        assertThat(condition.bind(one).holdsFor(new Item(Map.of("b", new AttributeValue.S("x")))))
                .isTrue();
        assertRefused(
                "Invalid ConditionExpression: The expression contains too many operators; "
                        + "operator count: 399",
                () -> ConditionExpression.parse(chain(200), Kind.CONDITION));
        assertRefused(
                "Invalid ConditionExpression: The expression has redundant parentheses;",
                () ->
                        ConditionExpression.parse(
                                "(".repeat(5_000) + "a=:v" + ")".repeat(5_000),
                                Kind.CONDITION,
                                ExpressionLimits.OF_THE_LOG));
    }

    /** Returns an expression of {@code terms} comparisons: two operators each but for the first. */
    private static String chain(int terms) {
        return "a=:v" + " OR b=:v".repeat(terms - 1);
    }

    @Test
    void aPathHasAtMost32Elements() {
        String fits = "a" + ".b".repeat(31);
        assertThatCode(() -> ProjectionExpression.parse(fits)).doesNotThrowAnyException();
        assertRefused(
                "Invalid ProjectionExpression: The document path has too many nesting elements; "
                        + "nesting levels: 33",
                () -> ProjectionExpression.parse(fits + ".b"));
    }

    @Test
    void thereAre573ReservedWords() {
        assertThat(ReservedWords.count()).isEqualTo(573);
        assertThat(ReservedWords.contains("zOnE")).isTrue();
        // "i" has another upper case in Turkish, the language the tests run in
        assertThat(ReservedWords.contains("list")).isTrue();
        assertThat(ReservedWords.contains("p")).isFalse();
    }

    @Test
    void anUpdateMayNotNestDeeperThan32Levels() {
        BoundUpdate update =
                UpdateExpression.parse("SET a = list_append(:l, :l), b = :v")
                        .bind(
                                Notation.placeholders(
                                        "{l: " + "[".repeat(33) + "]".repeat(33) + ", v: 1}", ""));
        assertRefused(
                "Nesting Levels have exceeded supported limits: Attributes in the item have nested "
                        + "levels beyond supported limit",
                () -> update.apply(Item.EMPTY));
    }

    @Test
    void placeholdersAreUsedIfAnyExpressionUsesThem() {
        Placeholders placeholders = Notation.placeholders("{v: 1, w: 2}", "{n: 'x', m: 'y'}");
        PlaceholderUse use =
                new PlaceholderUse(placeholders)
                        .add(ConditionExpression.parse("#n = :v", Kind.CONDITION));
        assertRefused(
                "Value provided in ExpressionAttributeNames unused in expressions: keys: {#m}",
                use::requireAllUsed);
        use.add(ProjectionExpression.parse("#m"));
        assertRefused(
                "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}",
                use::requireAllUsed);
        use.add(UpdateExpression.parse("SET a = if_not_exists(a, :w)"));
        assertThatCode(use::requireAllUsed).doesNotThrowAnyException();
    }

    @Test
    void placeholdersBeginWithTheirMark() {
        assertRefused(
                "ExpressionAttributeNames contains invalid key: Syntax error; key: \"a\"",
                () ->
                        PlaceholderUse.requireWellFormed(
                                Optional.of(List.of("#b", "a")), Optional.empty()));
        assertRefused(
                "ExpressionAttributeValues contains invalid key: Syntax error; key: \":a-b\"",
                () ->
                        PlaceholderUse.requireWellFormed(
                                Optional.empty(), Optional.of(List.of(":a-b"))));
        assertRefused(
                "ExpressionAttributeNames must not be empty",
                () -> PlaceholderUse.requireWellFormed(Optional.of(List.of()), Optional.empty()));
        assertRefused(
                "ExpressionAttributeValues must not be empty",
                () -> PlaceholderUse.requireWellFormed(Optional.empty(), Optional.of(List.of())));
    }

    @Test
    void aFilterMayNotTouchKeys() {
        Placeholders placeholders = Notation.placeholders("{v: 1}", "{k: 's'}");
        BoundCondition filter =
                ConditionExpression.parse("a = :v OR #k = :v", Kind.FILTER).bind(placeholders);
        assertThat(filter.attributeNames()).containsExactly("a", "s");
        assertRefused(
                "Filter Expression can only contain non-primary key attributes: "
                        + "Primary key attribute: s",
                () -> filter.requireNoKey(SCHEMA));
        assertThatCode(
                        () ->
                                filter.requireNoKey(
                                        KeySchema.simple(new KeyAttribute("z", KeyType.S))))
                .doesNotThrowAnyException();
    }

    @Test
    void anUpdateMayNotTouchTheKeyNorLookIntoIndexKeys() {
        assertRefused(
                "One or more parameter values were invalid: Cannot update attribute p. "
                        + "This attribute is part of the key",
                () -> requireNoKey("SET a = :v, p = :v"));
        assertRefused(
                "Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
                        + "allowed: Key: s",
                () -> requireNoKey("SET s.a = :v"));
        assertRefused(
                "Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
                        + "allowed: IndexKey: g",
                () -> requireNoKey("SET g[0] = :v"));
        assertThatCode(() -> requireNoKey("SET g = :v")).doesNotThrowAnyException();
    }

    private static void requireNoKey(String update) {
        UpdateExpression.parse(update)
                .bind(Notation.placeholders("{v: 1}", ""))
                .requireNoKey(SCHEMA, List.of("g"));
    }

    @Test
    void anUpdateThatOnlyRemovesCreatesNoItem() {
        assertThat(createsItem("REMOVE a DELETE b :s")).isFalse();
        assertThat(createsItem("REMOVE a SET b = :s")).isTrue();
        assertThat(createsItem("ADD a :s")).isTrue();
    }

    private static boolean createsItem(String update) {
        return UpdateExpression.parse(update)
                .bind(Notation.placeholders("{s: <1>}", ""))
                .createsItem();
    }

    @Test
    void anUpdateShowsWhatItTouches() {
        BoundUpdate update =
                UpdateExpression.parse("SET #m.x = :v REMOVE l[1] ADD n :v")
                        .bind(Notation.placeholders("{v: 1}", "{m: 'map'}"));
        Item image = Notation.item("{o: 0, n: 5, map: {x: 1, y: 2}, l: [1, 2, 3]}");
        assertThat(update.touchedAttributes()).containsExactly("map", "l", "n");
        assertThat(update.paths().stream().map(Object::toString))
                .containsExactly("map.x", "l[1]", "n");
        assertThat(update.updatedOnly(image))
                .isEqualTo(Notation.item("{n: 5, map: {x: 1}, l: [2]}"));
    }

    @Test
    void oneTextServesDifferentNames() {
        UpdateExpression update = UpdateExpression.parse("SET #a = :v, #b = :v");
        Item first =
                update.bind(Notation.placeholders("{v: 1}", "{a: 'x', b: 'y'}")).apply(Item.EMPTY);
        Item second =
                update.bind(Notation.placeholders("{v: 2}", "{a: 'y', b: 'z'}")).apply(Item.EMPTY);
        assertThat(first).isEqualTo(Notation.item("{x: 1, y: 1}"));
        assertThat(second).isEqualTo(Notation.item("{y: 2, z: 2}"));
        assertRefused(
                "Invalid UpdateExpression: Two document paths overlap with each other; must remove "
                        + "or rewrite one of these paths; path one: [x], path two: [x]",
                () -> update.bind(Notation.placeholders("{v: 2}", "{a: 'x', b: 'x'}")));
    }

    @Test
    void aRangeKnowsItsKeys() {
        KeyRange range =
                KeyConditionExpression.parse("p = :p AND s BETWEEN :l AND :h")
                        .bind(Notation.placeholders("{p: 'x', l: 1, h: 3}", ""))
                        .against(SCHEMA);
        assertThat(range.contains(key("{p: 'x', s: 1}"))).isTrue();
        assertThat(range.contains(key("{p: 'x', s: 3.0}"))).isTrue();
        assertThat(range.contains(key("{p: 'x', s: 3.01}"))).isFalse();
        assertThat(range.contains(key("{p: 'y', s: 2}"))).isFalse();
    }

    @Test
    void keyValuesHaveTheirLimits() {
        assertRefused(
                "One or more parameter values were invalid: Size of hashkey has exceeded the maximum "
                        + "size limit of2048 bytes",
                () ->
                        KeyConditionExpression.parse("p = :p")
                                .bind(Notation.placeholders("{p: '" + "x".repeat(2049) + "'}", ""))
                                .against(SCHEMA));
    }

    private static PrimaryKey key(String item) {
        return SCHEMA.keyOf(Notation.item(item)).orElseThrow();
    }

    private static void assertRefused(
            String message, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatExceptionOfType(ApiException.class).isThrownBy(call).withMessage(message);
    }
}
