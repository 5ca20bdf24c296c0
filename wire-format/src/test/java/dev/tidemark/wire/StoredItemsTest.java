package dev.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is told straight from stored bytes is what is told of the decoded item. */
class StoredItemsTest {

    static LongStream seeds() {
        return LongStream.range(0, 1000);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void jsonAndSizeAreThoseOfTheItem(long seed) {
        Item item = new Samples(seed).item();
        byte[] stored = ItemCodec.encode(item);
        JsonBytes fast = new JsonBytes(1);
        StoredItems.writeJson(stored, fast);
        JsonBytes slow = new JsonBytes(1);
        ItemJson.write(item, slow);
        assertThat(text(fast)).isEqualTo(text(slow));
        assertThat(StoredItems.size(stored)).isEqualTo(item.size());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void partsAreThoseOfTheItem(long seed) {
        Item item = new Samples(seed).item();
        byte[] stored = ItemCodec.encode(item);
        Random random = new Random(seed);
        List<String> names = new ArrayList<>(List.of("absent"));
        for (String name : item.attributes().keySet()) {
            assertThat(StoredItems.attribute(stored, name)).isEqualTo(item.attribute(name));
            if (random.nextBoolean()) {
                names.add(name);
            }
        }
        assertThat(StoredItems.attribute(stored, "absent")).isEmpty();
        AttributeNames wanted = AttributeNames.of(names);
        assertThat(StoredItems.only(stored, wanted)).isEqualTo(item.only(names));
        JsonBytes fast = new JsonBytes(1);
        StoredItems.writeJson(stored, wanted, fast);
        JsonBytes slow = new JsonBytes(1);
        ItemJson.write(item.only(names), slow);
        assertThat(text(fast)).isEqualTo(text(slow));
    }

    @Test
    void everyTypeHasDynamoDbsJson() {
        Item item =
                new Item(
                        new TreeMap<>(
                                Map.of(
                                        "s\"\\\n\u0001", new AttributeValue.S("ä😀\u2028/\b\f\r\t"),
                                        "n", new AttributeValue.N(decimal("-1.50")),
                                        "b", binary(0xFB, 0xFF),
                                        "l",
                                                new AttributeValue.L(
                                                        List.of(
                                                                new AttributeValue.Bool(true),
                                                                AttributeValue.Null.INSTANCE)),
                                        "m", new AttributeValue.M(Map.of()),
                                        "ss", new AttributeValue.SS(Set.of("b", "a")),
                                        "ns",
                                                new AttributeValue.NS(
                                                        Set.of(decimal("10"), decimal("2"))))));
        JsonBytes out = new JsonBytes();
        StoredItems.writeJson(ItemCodec.encode(item), out);
        assertThat(text(out))
                .isEqualTo(
                        "{\"b\":{\"B\":\"+/8=\"},\"l\":{\"L\":[{\"BOOL\":true},{\"NULL\":true}]},"
                                + "\"m\":{\"M\":{}},\"n\":{\"N\":\"-1.5\"},\"ns\":{\"NS\":[\"2\",\"10\"]},"
                                + "\"s\\\"\\\\\\n\\u0001\":{\"S\":\"ä😀\u2028/\\b\\f\\r\\t\"},"
                                + "\"ss\":{\"SS\":[\"a\",\"b\"]}}");
    }

    private static Decimal decimal(String text) {
        return Decimal.parse(text);
    }

    private static AttributeValue binary(int... bytes) {
        byte[] copy = new byte[bytes.length];
        for (int at = 0; at < bytes.length; at++) {
            copy[at] = (byte) bytes[at];
        }
        return new AttributeValue.B(Binary.wrap(copy));
    }

    private static String text(JsonBytes json) {
        return new String(json.toByteArray(), StandardCharsets.UTF_8);
    }
}
