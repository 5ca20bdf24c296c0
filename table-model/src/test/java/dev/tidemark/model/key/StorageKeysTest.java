package dev.tidemark.model.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Item;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StorageKeysTest {

    /**
     * The values are those of Kafka's own murmur2 test, so Kafka's default partitioner and we
     * agree.
     */
    @ParameterizedTest
    @CsvSource({
        "21, -973932308",
        "foobar, -790332482",
        "a-little-bit-long-string, -985981536",
        "a-little-bit-longer-string, -1486304829",
        "lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8, -58897971",
    })
    void hashIsKafkas(String key, int murmur2) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        assertThat(Partitioning.partition(bytes, 1_000)).isEqualTo((murmur2 & 0x7FFFFFFF) % 1_000);
        assertThat(Partitioning.hash16(bytes)).isEqualTo(murmur2 >>> 16);
    }

    @Test
    void recordKeyOfOneValueIsItsCanonicalBytes() {
        assertThat(Partitioning.recordKey(List.of(new AttributeValue.S("é"))))
                .isEqualTo("é".getBytes(StandardCharsets.UTF_8));
        assertThat(
                        Partitioning.recordKey(
                                List.of(
                                        new AttributeValue.N(
                                                dev.tidemark.model.item.Decimal.parse("1e3")))))
                .isEqualTo("1000".getBytes(StandardCharsets.US_ASCII));
        assertThat(
                        Partitioning.recordKey(
                                List.of(new AttributeValue.B(Binary.copyOf(new byte[] {0, 9})))))
                .isEqualTo(new byte[] {0, 9});
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 42, 0xC0FFEE})
    void entriesLieAboveMetadataAndWithinTheirHash(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 10_000; round++) {
            AttributeValue partition = RandomKeys.value(RandomKeys.type(random), random);
            AttributeValue sort = RandomKeys.value(RandomKeys.type(random), random);
            byte[] key = StorageKeys.item(new PrimaryKey(List.of(partition), List.of(sort)));
            int hash = Partitioning.hash16(Partitioning.recordKey(List.of(partition)));
            assertThat(StorageKeys.isMetadata(key)).isFalse();
            assertThat(Arrays.compareUnsigned(key, StorageKeys.metadata(127, -1))).isPositive();
            assertThat(Arrays.compareUnsigned(key, StorageKeys.hashStart(hash))).isPositive();
            if (hash + 1 < StorageKeys.HASHES) {
                assertThat(Arrays.compareUnsigned(key, StorageKeys.hashStart(hash + 1)))
                        .isNegative();
            }
            assertThat(
                            Binary.wrap(key)
                                    .startsWith(
                                            Binary.wrap(
                                                    StorageKeys.partitionPrefix(
                                                            List.of(partition)))))
                    .isTrue();
        }
    }

    @Test
    void equalIndexKeysOfTwoItemsAreTwoEntries() {
        PrimaryKey index = new PrimaryKey(List.of(new AttributeValue.S("HIGH")), List.of());
        PrimaryKey one =
                new PrimaryKey(
                        List.of(new AttributeValue.S("a")), List.of(new AttributeValue.S("1")));
        PrimaryKey other =
                new PrimaryKey(
                        List.of(new AttributeValue.S("a")), List.of(new AttributeValue.S("2")));
        assertThat(StorageKeys.globalEntry(index, one))
                .isNotEqualTo(StorageKeys.globalEntry(index, other));
        assertThat(StorageKeys.localEntry(1, index, one))
                .isNotEqualTo(StorageKeys.localEntry(1, index, other));
    }

    @Test
    void anItemWithoutAFittingKeyValueHasNoKey() {
        KeySchema schema =
                KeySchema.composite(
                        new KeyAttribute("a", KeyType.S), new KeyAttribute("b", KeyType.N));
        AttributeValue one = new AttributeValue.N(dev.tidemark.model.item.Decimal.of(1));
        assertThat(schema.keyOf(new Item(Map.of("a", new AttributeValue.S("x"), "b", one))))
                .isPresent();
        assertThat(schema.keyOf(new Item(Map.of("a", new AttributeValue.S("x"))))).isEmpty();
        assertThat(schema.keyOf(new Item(Map.of("a", new AttributeValue.S(""), "b", one))))
                .isEmpty();
        assertThat(schema.keyOf(new Item(Map.of("a", one, "b", one)))).isEmpty();
        assertThat(
                        schema.keyOf(
                                new Item(
                                        Map.of(
                                                "a",
                                                new AttributeValue.S("x".repeat(2_049)),
                                                "b",
                                                one))))
                .isEmpty();
    }
}
