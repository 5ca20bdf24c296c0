package dev.tidemark.model.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyEncodingTest {

    private static final int ROUNDS = 20_000;

    @ParameterizedTest(name = "type {0}")
    @EnumSource(KeyType.class)
    void orderOfEncodingsIsOrderOfValues(KeyType type) {
        Random random = new Random(7);
        for (int round = 0; round < ROUNDS; round++) {
            AttributeValue left = RandomKeys.value(type, random);
            AttributeValue right = RandomKeys.value(type, random);
            assertThat(Integer.signum(Arrays.compareUnsigned(encode(left), encode(right))))
                    .as("%s against %s", left, right)
                    .isEqualTo(Integer.signum(RandomKeys.ORDER.compare(left, right)));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 42, 0xC0FFEE})
    void orderOfCompositesIsOrderOfTheirParts(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            List<KeyType> types =
                    Stream.generate(() -> RandomKeys.type(random))
                            .limit(1 + random.nextInt(4))
                            .toList();
            List<AttributeValue> left = RandomKeys.values(types, random);
            List<AttributeValue> right = RandomKeys.values(types, random);
            int order = 0;
            for (int at = 0; order == 0 && at < types.size(); at++) {
                order = RandomKeys.ORDER.compare(left.get(at), right.get(at));
            }
            assertThat(Integer.signum(Arrays.compareUnsigned(encode(left), encode(right))))
                    .as("%s against %s", left, right)
                    .isEqualTo(Integer.signum(order));
        }
    }

    @ParameterizedTest(name = "type {0}")
    @EnumSource(KeyType.class)
    void noEncodingIsAPrefixOfAnother(KeyType type) {
        Random random = new Random(100);
        for (int round = 0; round < ROUNDS; round++) {
            AttributeValue left = RandomKeys.value(type, random);
            AttributeValue right = RandomKeys.value(type, random);
            if (!left.equals(right)) {
                assertThat(Binary.wrap(encode(left)).startsWith(Binary.wrap(encode(right))))
                        .as("%s begins with %s", left, right)
                        .isFalse();
            }
        }
    }

    @ParameterizedTest(name = "type {0}")
    @EnumSource(KeyType.class)
    void whatIsWrittenIsRead(KeyType type) {
        Random random = new Random(200);
        for (int round = 0; round < ROUNDS; round++) {
            AttributeValue first = RandomKeys.value(type, random);
            AttributeValue second = RandomKeys.value(type, random);
            KeyBytes.Reader in = new KeyBytes.Reader(encode(List.of(first, second)), 0);
            assertThat(KeyEncoding.read(in)).isEqualTo(first);
            assertThat(KeyEncoding.read(in)).isEqualTo(second);
            assertThat(in.hasNext()).isFalse();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 42, 0xC0FFEE})
    void aPrefixCoversExactlyTheValuesThatBeginWithIt(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            KeyType type = random.nextBoolean() ? KeyType.S : KeyType.B;
            AttributeValue prefix = RandomKeys.value(type, random);
            AttributeValue value = RandomKeys.value(type, random);
            KeyBytes from = new KeyBytes();
            KeyEncoding.writePrefix(prefix, from);
            byte[] encoded = encode(value);
            boolean covered =
                    Arrays.compareUnsigned(encoded, from.toByteArray()) >= 0
                            && Arrays.compareUnsigned(
                                            encoded, KeyBytes.successor(from.toByteArray()))
                                    < 0;
            assertThat(covered)
                    .as("%s begins with %s", value, prefix)
                    .isEqualTo(beginsWith(value, prefix));
        }
    }

    @Test
    void aNeverFindsAb() {
        byte[] a = StorageKeys.partitionPrefix(List.of(new AttributeValue.S("a")));
        byte[] ab =
                StorageKeys.item(new PrimaryKey(List.of(new AttributeValue.S("ab")), List.of()));
        assertThat(Binary.wrap(ab).startsWith(Binary.wrap(a))).isFalse();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 42, 0xC0FFEE})
    void garbageIsRefusedInBoundedTime(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] garbage = new byte[random.nextInt(24)];
            random.nextBytes(garbage);
            if (garbage.length > 0 && random.nextBoolean()) {
                garbage[0] = (byte) "SNB".charAt(random.nextInt(3));
            }
            try {
                AttributeValue value = KeyEncoding.read(new KeyBytes.Reader(garbage, 0));
                assertThat(value.type().name()).isIn("S", "N", "B");
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageStartingWith("Invalid key encoding");
            }
        }
    }

    @Test
    void onlyKeyTypesHaveAnEncoding() {
        assertThatThrownBy(() -> encode(new AttributeValue.Bool(true)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid key value: type BOOL");
    }

    private static boolean beginsWith(AttributeValue value, AttributeValue prefix) {
        if (value instanceof AttributeValue.S text && prefix instanceof AttributeValue.S start) {
            return text.value().startsWith(start.value());
        }
        return value instanceof AttributeValue.B bytes
                && prefix instanceof AttributeValue.B start
                && bytes.value().startsWith(start.value());
    }

    private static byte[] encode(AttributeValue value) {
        return encode(List.of(value));
    }

    private static byte[] encode(List<AttributeValue> values) {
        KeyBytes out = new KeyBytes(4);
        values.forEach(value -> KeyEncoding.write(value, out));
        return out.toByteArray();
    }
}
