package dev.tidemark.gsi.materialize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.gsi.MemoryEntryStore;
import dev.tidemark.gsi.TestTable;
import dev.tidemark.model.change.Position;
import dev.tidemark.model.index.IndexUpdate;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Item;
import dev.tidemark.wire.IndexUpdateCodec;
import dev.tidemark.wire.registry.InMemorySchemaRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MaterializerTest {

    private static final Binary KEY = Binary.wrap(new byte[] {5, 5, 1});
    private static final Binary OTHER_KEY = Binary.wrap(new byte[] {5, 5, 2});
    private static final Item ITEM = TestTable.item("id", "1", "place", "a");

    private final IndexUpdateCodec codec = new IndexUpdateCodec(new InMemorySchemaRegistry());
    private final MemoryEntryStore store = new MemoryEntryStore();
    private final Materializer materializer = new Materializer(store, 2);

    @Test
    void entriesComeBeforeTheirTidemarkInOneWrite() {
        // Given
        List<List<EntryWrite>> written = new ArrayList<>();
        Materializer recording =
                new Materializer(
                        new EntryStore() {
                            @Override
                            public byte @Nullable [] get(byte[] key) {
                                return null;
                            }

                            @Override
                            public void putAll(List<EntryWrite> writes) {
                                written.add(writes);
                            }
                        },
                        2);

        // When
        apply(recording, update(0, 1, Optional.of(OTHER_KEY), Optional.of(KEY)));

        // Then
        assertThat(written).hasSize(1);
        List<EntryWrite> writes = written.get(0);
        assertThat(writes).hasSize(3);
        assertThat(writes.get(0).key()).isEqualTo(OTHER_KEY.toByteArray());
        assertThat(writes.get(0).value()).isNull();
        assertThat(writes.get(1).key()).isEqualTo(KEY.toByteArray());
        assertThat(writes.get(1).value()).isNotNull();
        assertThat(writes.get(2).key()).isEqualTo(Materializer.tidemarkKey(0));
    }

    @Test
    void repeatBelowTheTidemarkIsSkipped() {
        // Given
        apply(materializer, update(0, 1, Optional.empty(), Optional.of(KEY)));
        apply(materializer, update(0, 2, Optional.of(KEY), Optional.empty()));

        // When
        boolean applied = apply(materializer, update(0, 1, Optional.empty(), Optional.of(KEY)));

        // Then
        assertThat(applied).isFalse();
        assertThat(store.entries()).isEmpty();
        assertThat(materializer.tidemarks()).containsExactly(2, 0);
    }

    @Test
    void updateAtTheTidemarkIsAppliedAgain() {
        // Given a mark that came before the update it covers
        apply(materializer, IndexUpdate.mark(new Position(0, 3), Instant.EPOCH));

        // When
        boolean applied = apply(materializer, update(0, 3, Optional.empty(), Optional.of(KEY)));

        // Then
        assertThat(applied).isTrue();
        assertThat(store.entries()).isEqualTo(Map.of(KEY, ITEM));
    }

    @Test
    void partitionsOfTheTableHaveTheirOwnTidemarks() {
        apply(materializer, update(0, 5, Optional.empty(), Optional.of(KEY)));
        boolean applied =
                apply(materializer, update(1, 1, Optional.empty(), Optional.of(OTHER_KEY)));

        assertThat(applied).isTrue();
        assertThat(materializer.tidemarks()).containsExactly(5, 1);
    }

    @Test
    void tidemarksGoOnFromTheStore() {
        // Given
        apply(materializer, update(1, 7, Optional.empty(), Optional.of(KEY)));

        // When
        Materializer restarted = new Materializer(store, 2);

        // Then
        assertThat(restarted.tidemarks()).containsExactly(0, 7);
        assertThat(restarted.times()).containsExactly(0, 70);
        assertThat(apply(restarted, IndexUpdate.mark(new Position(1, 7), Instant.EPOCH))).isFalse();
    }

    @Test
    void tidemarksAreNotEntries() {
        apply(materializer, IndexUpdate.mark(new Position(0, 3), Instant.EPOCH));

        assertThat(store.entries()).isEmpty();
        assertThat(Arrays.stream(materializer.tidemarks()).sum()).isEqualTo(3);
    }

    private boolean apply(Materializer to, IndexUpdate update) {
        return to.apply(codec.decodeRaw(codec.encode(update)));
    }

    private static IndexUpdate update(
            int base, long sequence, Optional<Binary> delete, Optional<Binary> put) {
        return new IndexUpdate(
                new Position(base, sequence),
                Instant.ofEpochMilli(sequence * 10),
                delete,
                put.map(key -> new IndexUpdate.Put(key, ITEM)));
    }
}
