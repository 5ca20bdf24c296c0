package dev.tidemark.expressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.tidemark.expressions.ConditionExpression.Kind;
import dev.tidemark.expressions.tree.Comparator;
import dev.tidemark.expressions.tree.Condition;
import dev.tidemark.expressions.tree.DocumentPath;
import dev.tidemark.expressions.tree.Operand;
import dev.tidemark.expressions.tree.PathElement;
import dev.tidemark.expressions.tree.UpdateAction;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.write.Placeholders;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of every expression: printing and reading agree, and no text does harm. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ExpressionPropertyTest {

    private static final String[] WORDS = {
        "a",
        "b.c",
        "#n",
        ":v",
        ":w",
        "AND",
        "or",
        "NOT",
        "BETWEEN",
        "in",
        "(",
        ")",
        "((",
        "))",
        "=",
        "<>",
        "<",
        "<=",
        ">",
        ">=",
        "+",
        "-",
        ",",
        ".",
        "[",
        "]",
        "[0]",
        "[99999]",
        "SET",
        "remove",
        "ADD",
        "DELETE",
        "size(",
        "size",
        "contains(",
        "begins_with(",
        "attribute_type(",
        "attribute_exists(a)",
        "attribute_not_exists",
        "if_not_exists(",
        "list_append(",
        "status",
        "12",
        "é",
        "\uD83D\uDE00",
        "\uD800",
        "'",
        "\"",
        "#",
        ":",
        "\t",
        "\n",
        "_",
        "a_1",
        "x9",
    };
    private static final Placeholders PLACEHOLDERS =
            Notation.placeholders("{v: 1, w: 'x'}", "{n: 'name'}");
    private static final Item ITEM =
            Notation.item("{a: 1, b: {c: [1, 2]}, x9: 'text', a_1: <1, 2>, name: null}");

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 40);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aPrintedConditionReadsAsTheSameTree(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 20; round++) {
            Condition condition = condition(random, 4);
            String text = condition.toString();
            if (text.length() <= 4096) {
                assertThat(ConditionExpression.parse(text, Kind.CONDITION).condition())
                        .as(text)
                        .isEqualTo(condition);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aPrintedUpdateReadsAsTheSameActions(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 20; round++) {
            List<UpdateAction> actions = new ArrayList<>();
            repeat(random, () -> new UpdateAction.Assign(path(random), sum(random)), actions);
            repeat(random, () -> new UpdateAction.Remove(path(random)), actions);
            repeat(random, () -> new UpdateAction.Add(path(random), value(random)), actions);
            repeat(random, () -> new UpdateAction.Delete(path(random), value(random)), actions);
            UpdateExpression expression = UpdateExpression.of(actions);
            assertThat(UpdateExpression.parse(expression.toString()).actions())
                    .as(expression.toString())
                    .isEqualTo(actions);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void randomWordsAreReadOrRefused(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            StringBuilder text = new StringBuilder();
            int length = 1 + random.nextInt(random.nextInt(10) == 0 ? 400 : 12);
            for (int at = 0; at < length; at++) {
                text.append(WORDS[random.nextInt(WORDS.length)]);
                if (random.nextBoolean()) {
                    text.append(' ');
                }
            }
            tryAll(text.toString());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void damagedExpressionsAreReadOrRefused(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            StringBuilder text =
                    new StringBuilder(
                            random.nextBoolean()
                                    ? condition(random, 3).toString()
                                    : "SET a = " + sum(random) + ", b.c[0] = :v ADD #n :v");
            for (int damage = random.nextInt(4); damage >= 0; damage--) {
                int at = random.nextInt(text.length());
                if (random.nextBoolean() && text.length() > 1) {
                    text.deleteCharAt(at);
                } else {
                    text.insert(at, WORDS[random.nextInt(WORDS.length)]);
                }
            }
            tryAll(text.toString());
        }
    }

    @Test
    void deepTextsAreReadOrRefused() {
        for (String unit :
                List.of(
                        "(",
                        "NOT ",
                        "size(",
                        "NOT (",
                        "(a = :v AND ",
                        "a[0]",
                        "a.",
                        "a,",
                        "a AND ",
                        "if_not_exists(a, ",
                        "SET a = (",
                        "[",
                        ")",
                        "a IN (",
                        "((a) ",
                        ":v ")) {
            for (int times : new int[] {10, 100, 290, 310, 1000, 4000}) {
                String text = unit.repeat(Math.min(times, 4096 / unit.length()));
                tryAll(text);
                tryAll(text + "a = :v");
                tryAll("SET a = " + text);
                tryAll("SET a = " + text + ":v");
                long open = text.chars().filter(c -> c == '(').count();
                tryAll(text + "a = :v" + ")".repeat((int) open));
                tryAll("SET a = " + text + ":v" + ")".repeat((int) open));
            }
        }
    }

    @Test
    void theDeepestConditionAllowedIsEvaluated() {
        String text = "NOT (".repeat(299) + "a = :v" + ")".repeat(299);
        BoundCondition condition =
                ConditionExpression.parse(text, Kind.CONDITION).bind(PLACEHOLDERS);
        assertThat(condition.holdsFor(ITEM)).isFalse();
    }

    private static void tryAll(String text) {
        attempt(
                text,
                () ->
                        ConditionExpression.parse(text, Kind.FILTER)
                                .bind(PLACEHOLDERS)
                                .holdsFor(ITEM));
        attempt(text, () -> KeyConditionExpression.parse(text).bind(PLACEHOLDERS));
        attempt(text, () -> ProjectionExpression.parse(text).bind(PLACEHOLDERS).apply(ITEM));
        attempt(text, () -> UpdateExpression.parse(text).bind(PLACEHOLDERS).apply(ITEM));
    }

    @SuppressWarnings("IllegalCatch") // what any text may throw is the question
    private static void attempt(String text, Supplier<?> reading) {
        try {
            assertThat(reading.get()).isNotNull();
        } catch (ApiException e) {
            assertThat(e.text()).isNotEmpty();
        } catch (RuntimeException | StackOverflowError e) {
            fail("Reading " + text, e);
        }
    }

    private static Condition condition(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 11 : 8)) {
            case 0 ->
                    new Condition.Comparison(
                            operand(random),
                            List.of(Comparator.values()).get(random.nextInt(6)),
                            operand(random));
            case 1 -> new Condition.Between(operand(random), operand(random), operand(random));
            case 2 ->
                    new Condition.In(
                            operand(random),
                            IntStream.rangeClosed(0, random.nextInt(3))
                                    .mapToObj(at -> operand(random))
                                    .toList());
            case 3 -> new Condition.AttributeExists(path(random));
            case 4 -> new Condition.AttributeNotExists(path(random));
            case 5 -> new Condition.AttributeTypeIs(operand(random), value(random));
            case 6 -> new Condition.BeginsWith(operand(random), operand(random));
            case 7 -> new Condition.Contains(operand(random), operand(random));
            case 8 -> new Condition.Not(condition(random, depth - 1));
            case 9 -> new Condition.And(conditions(random, depth - 1));
            default -> new Condition.Or(conditions(random, depth - 1));
        };
    }

    private static List<Condition> conditions(Random random, int depth) {
        return IntStream.rangeClosed(0, 1 + random.nextInt(2))
                .mapToObj(at -> condition(random, depth))
                .toList();
    }

    private static Operand operand(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> value(random);
            case 1 -> new Operand.Size(new Operand.Path(path(random)));
            default -> new Operand.Path(path(random));
        };
    }

    private static Operand sum(Random random) {
        return random.nextBoolean()
                ? new Operand.Arithmetic(
                        term(random, 2),
                        random.nextBoolean()
                                ? Operand.Arithmetic.Sign.PLUS
                                : Operand.Arithmetic.Sign.MINUS,
                        term(random, 2))
                : term(random, 2);
    }

    private static Operand term(Random random, int depth) {
        return depth > 0 && random.nextInt(4) == 3
                ? new Operand.ListAppend(argument(random, depth - 1), argument(random, depth - 1))
                : argument(random, depth);
    }

    /** Makes what a function takes: of functions, if_not_exists only. */
    private static Operand argument(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 3 : 2)) {
            case 0 -> value(random);
            case 1 -> new Operand.Path(path(random));
            default -> new Operand.IfNotExists(path(random), argument(random, depth - 1));
        };
    }

    private static Operand.Value value(Random random) {
        return new Operand.Value(":" + (char) ('a' + random.nextInt(26)) + random.nextInt(9));
    }

    private static DocumentPath path(Random random) {
        List<PathElement> elements = new ArrayList<>();
        elements.add(name(random));
        while (random.nextInt(3) == 0) {
            elements.add(
                    random.nextBoolean()
                            ? new PathElement.Index(random.nextInt(1000))
                            : name(random));
        }
        return new DocumentPath(elements);
    }

    private static PathElement name(Random random) {
        return random.nextInt(3) == 0
                ? new PathElement.Alias("#" + random.nextInt(100) + "_x")
                : new PathElement.Name("N" + random.nextInt(100) + "_" + random.nextInt(9));
    }

    private static void repeat(
            Random random, Supplier<UpdateAction> make, List<UpdateAction> actions) {
        for (int times = random.nextInt(3); times >= 0; times--) {
            actions.add(make.get());
        }
    }
}
