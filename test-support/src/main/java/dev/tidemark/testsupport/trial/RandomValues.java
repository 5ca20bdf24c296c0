package dev.tidemark.testsupport.trial;

import dev.tidemark.model.item.AttributeType;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyType;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Values and items at random, out of few, so that they meet: those that are easily put in the wrong
 * order or measured wrongly are among them.
 */
final class RandomValues {

    /** The attributes that are keys of indexes, and how often of 100 items have them. */
    static final SortedMap<String, Integer> INDEX_KEYS =
            new TreeMap<>(
                    Map.of(
                            "s1", 80, "s2", 70, "s3", 15, "n1", 80, "n2", 70, "n3", 25, "b1", 60,
                            "b2", 60));

    static final List<String> INDEX_KEY_NAMES = List.copyOf(INDEX_KEYS.keySet());

    /** The attributes that are keys of nothing. */
    static final List<String> OTHERS =
            List.of("x", "y", "m", "l", "ss", "ns", "bs", "count", "n-\u00e4.1", "num");

    static final List<String> FIELDS = List.of("f", "g", "a.b", "\u00fc");

    private static final List<String> TEXTS =
            List.of(
                    "a",
                    "aa",
                    "ab",
                    "a\u0000",
                    "a\u0000b",
                    "a\u0001",
                    "A",
                    "b",
                    "0",
                    " ",
                    "\u00e9",
                    "\u07ff",
                    "\u65e5\u672c",
                    "\ufffd",
                    "\ue000",
                    "\ud83d\ude00",
                    "\ud83d\ude00a",
                    "quote\"\\\n");

    private static final List<String> NUMBERS =
            List.of(
                    "0",
                    "1",
                    "-1",
                    "2",
                    "10",
                    "100",
                    "99",
                    "101",
                    "-10",
                    "-100",
                    "0.5",
                    "-0.5",
                    "0.25",
                    "-0.25",
                    "0.05",
                    "1E125",
                    "-1E125",
                    "1E-130",
                    "-1E-130",
                    "12345678901234567890123456789012345678",
                    "1234567890123456789012345678901234567",
                    "0.00000000000000000012345678901234567890123456789012345678",
                    "99999999999999999999999999999999999999E87");

    private static final List<String> BYTES =
            List.of("00", "0000", "0001", "01", "0100", "7f", "80", "ff", "ff00", "ffff", "80ff");

    private final Random random;

    RandomValues(Random random) {
        this.random = random;
    }

    <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    boolean chance(int ofHundred) {
        return random.nextInt(100) < ofHundred;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    Random random() {
        return random;
    }

    String text() {
        return chance(50) ? one(TEXTS) : "t" + below(12);
    }

    Decimal number() {
        return chance(50) ? Decimal.parse(one(NUMBERS)) : Decimal.of(below(24) - 4);
    }

    Binary binary() {
        return Binary.wrap(HexFormat.of().parseHex(one(BYTES)));
    }

    /** Returns a value that can be a key. */
    AttributeValue key(KeyType type) {
        return switch (type) {
            case S -> new AttributeValue.S(text());
            case N -> new AttributeValue.N(number());
            case B -> new AttributeValue.B(binary());
        };
    }

    /** Returns a value for an index key attribute that may not do, or just so. */
    AttributeValue doubtfulKey() {
        return switch (below(5)) {
            case 0 -> new AttributeValue.S("k".repeat(1024 + below(2)));
            case 1 -> new AttributeValue.S("k".repeat(2048 + below(2)));
            case 2 -> new AttributeValue.B(Binary.EMPTY);
            case 3 -> new AttributeValue.S("");
            default -> any(1);
        };
    }

    /** Returns a value of any type, of at most so many levels of maps and lists. */
    AttributeValue any(int levels) {
        return of(one(List.of(AttributeType.values())), levels);
    }

    AttributeValue of(AttributeType type, int levels) {
        return switch (type) {
            case S -> new AttributeValue.S(chance(5) ? "" : text());
            case N -> new AttributeValue.N(number());
            case B -> new AttributeValue.B(chance(5) ? Binary.EMPTY : binary());
            case BOOL -> new AttributeValue.Bool(random.nextBoolean());
            case NULL -> AttributeValue.Null.INSTANCE;
            case L -> list(levels);
            case M -> map(levels);
            case SS -> {
                Set<String> members = new LinkedHashSet<>();
                for (int more = below(4); more >= 0; more--) {
                    members.add(text());
                }
                yield new AttributeValue.SS(members);
            }
            case NS -> {
                Set<Decimal> members = new LinkedHashSet<>();
                for (int more = below(4); more >= 0; more--) {
                    members.add(number());
                }
                yield new AttributeValue.NS(members);
            }
            case BS -> {
                Set<Binary> members = new LinkedHashSet<>();
                for (int more = below(4); more >= 0; more--) {
                    members.add(binary());
                }
                yield new AttributeValue.BS(members);
            }
        };
    }

    private AttributeValue list(int levels) {
        List<AttributeValue> values = new ArrayList<>();
        for (int more = below(5); more > 0 && levels > 0; more--) {
            values.add(any(levels - 1));
        }
        return new AttributeValue.L(values);
    }

    private AttributeValue map(int levels) {
        Map<String, AttributeValue> values = new LinkedHashMap<>();
        for (int more = below(4); more > 0 && levels > 0; more--) {
            values.put(one(FIELDS), any(levels - 1));
        }
        return new AttributeValue.M(values);
    }

    /** Returns a value that suits an attribute, by its name; another type now and then. */
    AttributeValue valueFor(String attribute) {
        if (INDEX_KEYS.containsKey(attribute)) {
            return chance(2) ? doubtfulKey() : key(keyType(attribute));
        }
        return switch (attribute) {
            case "m" -> of(AttributeType.M, 3);
            case "l" -> of(AttributeType.L, 3);
            case "ss" -> of(AttributeType.SS, 0);
            case "ns" -> of(AttributeType.NS, 0);
            case "bs" -> of(AttributeType.BS, 0);
            case "num" -> new AttributeValue.N(number());
            default -> any(2);
        };
    }

    static KeyType keyType(String attribute) {
        return KeyType.valueOf(attribute.substring(0, 1).toUpperCase(Locale.ROOT));
    }

    /** Returns an item with this key. */
    Item item(Item key) {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>(key.attributes());
        INDEX_KEYS.forEach(
                (name, often) -> {
                    if (chance(often)) {
                        attributes.put(name, key(keyType(name)));
                    }
                });
        for (String name : OTHERS) {
            if (chance(45)) {
                attributes.put(name, valueFor(name));
            }
        }
        if (chance(4)) {
            attributes.put(one(INDEX_KEY_NAMES), doubtfulKey());
        }
        return new Item(attributes);
    }
}
