package dev.tidemark.model.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttributeValueTest {

    @Test
    void setsCompareWithoutOrderAndKeepASortedOne() {
        var one = new AttributeValue.SS(new LinkedHashSet<>(List.of("b", "a", "c")));
        var other = new AttributeValue.SS(new LinkedHashSet<>(List.of("c", "b", "a")));
        assertThat(one).isEqualTo(other);
        assertThat(one.values()).containsExactly("a", "b", "c");
    }

    @Test
    void emptySetsCanNotBeBuilt() {
        assertThatThrownBy(() -> new AttributeValue.NS(Set.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid set: empty");
    }

    @Test
    void itemsCompareWithoutOrder() {
        Map<String, AttributeValue> forward = new LinkedHashMap<>();
        forward.put("a", new AttributeValue.S("1"));
        forward.put("b", new AttributeValue.S("2"));
        Map<String, AttributeValue> backward = new LinkedHashMap<>();
        backward.put("b", new AttributeValue.S("2"));
        backward.put("a", new AttributeValue.S("1"));
        assertThat(new Item(forward)).isEqualTo(new Item(backward));
        assertThat(new Item(forward).attributes().keySet()).containsExactly("a", "b");
    }

    @Test
    void sizeFollowsDynamoDbsArithmetic() {
        // Given
        Item item =
                new Item(
                        Map.of(
                                "id", new AttributeValue.S("héllo"),
                                "list",
                                        new AttributeValue.L(
                                                List.of(
                                                        new AttributeValue.Bool(true),
                                                        AttributeValue.Null.INSTANCE)),
                                "map",
                                        new AttributeValue.M(
                                                Map.of(
                                                        "k",
                                                        new AttributeValue.N(Decimal.of(12))))));

        // Then: 2 + 6, 4 + 3 + 2 * (1 + 1), 3 + 3 + 1 + 1 + 2
        assertThat(item.size()).isEqualTo(8 + 11 + 10);
    }

    @Test
    void depthCountsListsAndMaps() {
        AttributeValue value = new AttributeValue.S("x");
        for (int level = 0; level < 32; level++) {
            value =
                    level % 2 == 0
                            ? new AttributeValue.L(List.of(value))
                            : new AttributeValue.M(Map.of("n", value));
        }
        assertThat(value.depth()).isEqualTo(32);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "é", "€", "😀", "a\uD800b", "\uDC00", "\uD83D\uDE00\uD83D"})
    void utf8LengthIsTheLengthOfTheBytes(String text) {
        assertThat(Utf8.length(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    }

    @Test
    void stringsOrderByTheirBytesAndNotByTheirUnits() {
        String beyond = "😀"; // U+1F600, whose UTF-16 units are below U+FFFD
        assertThat(Utf8.ORDER.compare("\uFFFD", beyond)).isNegative();
        assertThat(
                        Arrays.compareUnsigned(
                                "\uFFFD".getBytes(StandardCharsets.UTF_8),
                                beyond.getBytes(StandardCharsets.UTF_8)))
                .isNegative();
        assertThat(Utf8.ORDER.compare("a", "ab")).isNegative();
        assertThat(Utf8.ORDER.compare("b", "ab")).isPositive();
    }

    @Test
    void binariesOrderUnsigned() {
        Binary low = Binary.copyOf(new byte[] {0x7F});
        Binary high = Binary.copyOf(new byte[] {(byte) 0x80});
        assertThat(low).isLessThan(high);
        assertThat(Binary.copyOf(new byte[] {1, 2, 3}).contains(Binary.copyOf(new byte[] {2, 3})))
                .isTrue();
        assertThat(Binary.copyOf(new byte[] {1, 2, 3}).startsWith(Binary.copyOf(new byte[] {2})))
                .isFalse();
    }
}
