package dev.tidemark.base;

import static dev.tidemark.base.TestTables.attributes;
import static dev.tidemark.base.TestTables.delete;
import static dev.tidemark.base.TestTables.deleteIf;
import static dev.tidemark.base.TestTables.item;
import static dev.tidemark.base.TestTables.put;
import static dev.tidemark.base.TestTables.putIf;
import static dev.tidemark.base.TestTables.update;
import static dev.tidemark.base.TestTables.updateIf;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.write.Write;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Commands on a few items, drawn from a seed, with what a naive reading of their meaning makes of a
 * table. The naive table knows nothing of expressions: each command comes with its own effect.
 */
final class RandomCommands {

    private enum Expected {
        APPLIED,
        CONDITION_FAILED,
        REFUSED
    }

    /** What the naive table says about one command. */
    record Step(Write write, String expected, Optional<Item> before, Optional<Item> after) {}

    private final Random random;
    private final Map<String, Item> table = new HashMap<>();

    RandomCommands(long seed) {
        this.random = new Random(seed);
    }

    /** Returns the items as the commands so far have left them. */
    Iterable<Item> items() {
        return table.values();
    }

    /** Draws a command and applies it to the naive table. */
    Step next() {
        String pk = "p" + random.nextInt(3);
        long sk = random.nextInt(4);
        String place = pk + "/" + sk;
        @Nullable Item before = table.get(place);
        Item key = item(pk, sk);
        switch (random.nextInt(10)) {
            case 0, 1 -> {
                Item image = item(pk, sk, drawn());
                return applied(place, put(image), before, image);
            }
            case 2 -> {
                Item image = item(pk, sk, drawn());
                Write write = putIf("attribute_not_exists(pk)", image);
                return before == null
                        ? applied(place, write, null, image)
                        : kept(write, Expected.CONDITION_FAILED, before);
            }
            case 3 -> {
                return applied(place, delete(key), before, null);
            }
            case 4 -> {
                long bound = random.nextInt(6);
                Write write = deleteIf("n < :bound", key, ":bound", bound);
                Long n = number(before);
                return n != null && n < bound
                        ? applied(place, write, before, null)
                        : kept(write, Expected.CONDITION_FAILED, before);
            }
            case 5 -> {
                String a = "a" + random.nextInt(3);
                return applied(
                        place,
                        update(key, "SET a = :a", ":a", a),
                        before,
                        with(key, before, "a", a));
            }
            case 6 -> {
                Write write = update(key, "ADD n :one", ":one", 1);
                Long n = number(before);
                return applied(place, write, before, with(key, before, "n", n == null ? 1 : n + 1));
            }
            case 7 -> {
                Write write = update(key, "REMOVE a");
                return applied(place, write, before, before == null ? null : without(before, "a"));
            }
            case 8 -> {
                Write write = update(key, "SET n = :wrong", ":wrong", "no number");
                return kept(write, Expected.REFUSED, before);
            }
            default -> {
                Write write =
                        updateIf("attribute_exists(a)", key, "SET b = :b REMOVE n", ":b", "y");
                if (before == null || before.get("a") == null) {
                    return kept(write, Expected.CONDITION_FAILED, before);
                }
                return applied(place, write, before, without(with(key, before, "b", "y"), "n"));
            }
        }
    }

    private Object[] drawn() {
        Map<String, Object> some = new LinkedHashMap<>();
        if (random.nextBoolean()) {
            some.put("a", "a" + random.nextInt(3));
        }
        if (random.nextBoolean()) {
            some.put("n", random.nextInt(6));
        }
        some.put("c", random.nextInt(2));
        return some.entrySet().stream()
                .flatMap(entry -> java.util.stream.Stream.of(entry.getKey(), entry.getValue()))
                .toArray();
    }

    private Step applied(String place, Write write, @Nullable Item before, @Nullable Item after) {
        if (after == null) {
            table.remove(place);
        } else {
            table.put(place, after);
        }
        return step(write, Expected.APPLIED, before, after);
    }

    private static Step kept(Write write, Expected expected, @Nullable Item before) {
        return step(write, expected, before, before);
    }

    private static Step step(
            Write write, Expected expected, @Nullable Item before, @Nullable Item after) {
        return new Step(
                write, expected.name(), Optional.ofNullable(before), Optional.ofNullable(after));
    }

    private static Item with(Item key, @Nullable Item before, String name, Object value) {
        Map<String, AttributeValue> all =
                new LinkedHashMap<>(before == null ? key.attributes() : before.attributes());
        all.putAll(attributes(name, value));
        return new Item(all);
    }

    private static Item without(Item before, String name) {
        Map<String, AttributeValue> all = new LinkedHashMap<>(before.attributes());
        all.remove(name);
        return new Item(all);
    }

    private static @Nullable Long number(@Nullable Item item) {
        if (item != null && item.get("n") instanceof AttributeValue.N number) {
            Decimal value = number.value();
            return value.toBigDecimal().longValueExact();
        }
        return null;
    }
}
