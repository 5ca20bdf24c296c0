package dev.tidemark.model.key;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Utf8;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Seeded key values that crowd where encodings go wrong: zero bytes, shared prefixes, close
 * numbers, edges.
 */
final class RandomKeys {

    static final Comparator<AttributeValue> ORDER = RandomKeys::compare;

    private static final List<KeyType> TYPES = List.of(KeyType.values());
    private static final String[] LETTERS = {"\0", "\1", "a", "b", "\u007f", "é", "\uFFFD", "😀"};
    private static final byte[] BYTES = {0, 1, 0x7F, (byte) 0x80, (byte) 0xFE, (byte) 0xFF};

    private RandomKeys() {}

    static AttributeValue value(KeyType type, Random random) {
        return switch (type) {
            case S -> new AttributeValue.S(text(random));
            case N -> new AttributeValue.N(number(random));
            case B -> new AttributeValue.B(binary(random));
        };
    }

    static KeyType type(Random random) {
        return TYPES.get(random.nextInt(TYPES.size()));
    }

    static List<AttributeValue> values(List<KeyType> types, Random random) {
        List<AttributeValue> values = new ArrayList<>();
        types.forEach(type -> values.add(value(type, random)));
        return values;
    }

    static Decimal number(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> Decimal.of(random.nextInt(21) - 10);
            case 1 ->
                    Decimal.of(
                            BigDecimal.valueOf(random.nextInt(2_001) - 1_000, random.nextInt(4)));
            case 2 ->
                    Decimal.parse(
                            (random.nextBoolean() ? "-" : "") + "1E" + (random.nextInt(256) - 130));
            case 3 ->
                    Decimal.parse(
                            (random.nextBoolean() ? "-" : "")
                                    + "9.99E"
                                    + (random.nextInt(250) - 125));
            case 4 -> Decimal.ZERO;
            default ->
                    Decimal.of(
                            new BigDecimal(
                                    new BigInteger(1 + random.nextInt(125), random)
                                            .multiply(BigInteger.valueOf(random.nextInt(3) - 1)),
                                    random.nextInt(60) - 30));
        };
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder(LETTERS[random.nextInt(LETTERS.length)]);
        for (int left = random.nextInt(5); left > 0; left--) {
            text.append(LETTERS[random.nextInt(LETTERS.length)]);
        }
        return text.toString();
    }

    private static Binary binary(Random random) {
        byte[] bytes = new byte[1 + random.nextInt(5)];
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] = BYTES[random.nextInt(BYTES.length)];
        }
        return Binary.copyOf(bytes);
    }

    private static int compare(AttributeValue left, AttributeValue right) {
        if (left instanceof AttributeValue.S one && right instanceof AttributeValue.S other) {
            return Utf8.ORDER.compare(one.value(), other.value());
        }
        if (left instanceof AttributeValue.N one && right instanceof AttributeValue.N other) {
            return one.value().compareTo(other.value());
        }
        if (left instanceof AttributeValue.B one && right instanceof AttributeValue.B other) {
            return one.value().compareTo(other.value());
        }
        throw new AssertionError("not of one key type");
    }
}
