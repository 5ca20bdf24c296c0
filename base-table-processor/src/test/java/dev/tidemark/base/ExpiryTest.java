package dev.tidemark.base;

import static dev.tidemark.base.TestTables.delete;
import static dev.tidemark.base.TestTables.item;
import static dev.tidemark.base.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.change.ChangeCause;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TimeToLive;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteOutcome;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An item is removed because its time to live is over only if the log says so at that place. */
class ExpiryTest {

    private static final TableDefinition TABLE = TestTables.things(1);
    private static final long NOW = 1_800_000_000;
    private static final Instant AS_OF = Instant.ofEpochSecond(NOW);
    private static final Item KEY = item("p", 1);
    private static final Item OVER = item("p", 1, "end", NOW - 10, "a", "x", "g", "y");

    @TempDir private Path folder;

    @Test
    void anExpiredItemIsRemovedFromTableAndLocalIndexesAndTheChangeSaysWhy() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            partition.send(byAttribute(1, "end"));
            partition.send(put(OVER));

            WriteOutcome outcome = partition.send(new Write.ExpireItem(KEY, "end", AS_OF));

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            WriteOutcome.Applied.class,
                            applied -> {
                                assertThat(applied.before()).contains(OVER);
                                assertThat(applied.after()).isEmpty();
                            });
            assertThat(partition.storedItems()).isEmpty();
            assertThat(partition.storedLocalEntries()).isEmpty();
            List<ChangeRecord> changes = partition.changes();
            assertThat(changes.get(0).origin().cause()).isEqualTo(ChangeCause.REQUEST);
            assertThat(changes.get(1)).isInstanceOf(ChangeRecord.Removed.class);
            assertThat(changes.get(1).origin().cause()).isEqualTo(ChangeCause.TIME_TO_LIVE);
        }
    }

    @Test
    void anItemOverwrittenSinceItWasFoundExpiredStays() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            partition.send(byAttribute(1, "end"));
            partition.send(put(OVER));
            partition.send(put(item("p", 1, "end", NOW + 10)));

            partition.send(new Write.ExpireItem(KEY, "end", AS_OF));

            assertThat(partition.storedItems()).hasSize(1);
        }
    }

    @Test
    void anExpireCommandDoesNothingOnceTheSettingIsAnother() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            Write expire = new Write.ExpireItem(KEY, "end", AS_OF);
            partition.send(put(OVER));
            partition.send(expire);
            partition.send(byAttribute(2, "other"));
            partition.send(expire);
            partition.send(new Write.DefineTimeToLive(new TimeToLive(3, Optional.empty())));
            partition.send(expire);
            assertThat(partition.storedItems()).hasSize(1);

            partition.send(byAttribute(4, "end"));
            partition.send(byAttribute(1, "old news"));
            partition.send(expire);

            assertThat(partition.storedItems()).isEmpty();
        }
    }

    @Test
    void expiringTwiceIsExpiringOnce() {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            partition.send(byAttribute(1, "end"));
            partition.send(put(OVER));
            partition.send(new Write.ExpireItem(KEY, "end", AS_OF));

            partition.send(new Write.ExpireItem(KEY, "end", AS_OF));

            assertThat(partition.changes()).hasSize(2);
            assertThat(partition.rejects()).isEmpty();
        }
    }

    /** Scans find what has expired; what happens before the command is applied decides. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void removesExactlyWhatIsOverWhereTheCommandStands(long seed) {
        Random random = new Random(seed);
        Map<Long, Item> items = new HashMap<>();
        List<Write.ExpireItem> found = new ArrayList<>();
        Optional<String> setting = Optional.empty();
        long version = 0;
        int removed = 0;
        int spared = 0;
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            for (int step = 0; step < 1_500; step++) {
                long sk = random.nextInt(6);
                switch (random.nextInt(8)) {
                    case 0, 1, 2 -> {
                        String name = random.nextInt(4) == 0 ? "other" : "end";
                        Item image = item("p", sk, name, NOW - 20 + random.nextInt(40));
                        partition.send(put(image));
                        items.put(sk, image);
                    }
                    case 3 -> {
                        partition.send(delete(item("p", sk)));
                        items.remove(sk);
                    }
                    case 4 -> {
                        version++;
                        setting =
                                random.nextInt(5) == 0
                                        ? Optional.empty()
                                        : Optional.of(random.nextInt(5) == 0 ? "other" : "end");
                        partition.send(
                                new Write.DefineTimeToLive(new TimeToLive(version, setting)));
                    }
                    case 5 ->
                            found.addAll(
                                    scan(
                                            items,
                                            new TimeToLive(version, setting),
                                            NOW - 10 + random.nextInt(20)));
                    default -> {
                        if (!found.isEmpty()) {
                            Write.ExpireItem expire = found.remove(random.nextInt(found.size()));
                            long key = number(expire.key(), "sk");
                            boolean over =
                                    setting.equals(Optional.of(expire.attribute()))
                                            && number(items.get(key), expire.attribute())
                                                    < expire.asOf().getEpochSecond();
                            partition.send(expire);
                            if (over) {
                                items.remove(key);
                                removed++;
                            } else {
                                spared++;
                            }
                        }
                    }
                }
                assertThat(partition.storedItems().values())
                        .as("after step %d", step)
                        .containsExactlyInAnyOrderElementsOf(items.values());
            }
            assertThat(partition.changes())
                    .filteredOn(change -> change.origin().cause() == ChangeCause.TIME_TO_LIVE)
                    .hasSize(removed);
        }
        assertThat(removed).isPositive();
        assertThat(spared).isPositive();
    }

    private static List<Write.ExpireItem> scan(Map<Long, Item> items, TimeToLive setting, long at) {
        Instant asOf = Instant.ofEpochSecond(at);
        return items.values().stream()
                .filter(item -> setting.isExpired(item, asOf))
                .map(
                        item ->
                                new Write.ExpireItem(
                                        item.only(TABLE.key().names()),
                                        setting.attribute().orElseThrow(),
                                        asOf))
                .toList();
    }

    /** A missing item or attribute counts as one that ends never. */
    private static long number(@Nullable Item item, String attribute) {
        return item != null && item.get(attribute) instanceof AttributeValue.N number
                ? Long.parseLong(number.value().text())
                : Long.MAX_VALUE;
    }

    private static Write byAttribute(long version, String attribute) {
        return new Write.DefineTimeToLive(new TimeToLive(version, Optional.of(attribute)));
    }
}
