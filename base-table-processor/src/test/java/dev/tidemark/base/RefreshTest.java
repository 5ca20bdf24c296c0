package dev.tidemark.base;

import static dev.tidemark.base.TestTables.item;
import static dev.tidemark.base.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.change.ChangeCause;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteOutcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Refreshing an item emits a change that mends indexes, and changes nothing else. */
class RefreshTest {

    private static final Item KEY = item("p", 1);
    private static final Item ITEM = item("p", 1, "a", "x", "g", "y");
    private static final Item STALE = item("p", 1, "g", "elsewhere");

    @TempDir private Path folder;

    @Test
    void theChangeHoldsTheStaleImageAndTheItem() {
        try (TestPartition partition = new TestPartition(TestTables.things(1), folder)) {
            partition.send(put(ITEM));
            List<?> local = List.copyOf(partition.storedLocalEntries().entrySet());

            WriteOutcome outcome = partition.send(new Write.RefreshItem(KEY, Optional.of(STALE)));

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            WriteOutcome.Applied.class,
                            applied -> {
                                assertThat(applied.position().sequence()).isEqualTo(2);
                                assertThat(applied.before()).contains(ITEM);
                                assertThat(applied.after()).contains(ITEM);
                            });
            ChangeRecord change = partition.changes().get(1);
            assertThat(change.origin().cause()).isEqualTo(ChangeCause.REPAIR);
            assertThat(change.origin().position().sequence()).isEqualTo(2);
            assertThat(change.before()).contains(STALE);
            assertThat(change.after()).contains(ITEM);
            assertThat(partition.storedItems()).hasSize(1);
            assertThat(List.copyOf(partition.storedLocalEntries().entrySet())).isEqualTo(local);
        }
    }

    @Test
    void anItemThatIsGoneIsARemovalOfItsStaleImage() {
        try (TestPartition partition = new TestPartition(TestTables.things(1), folder)) {
            partition.send(new Write.RefreshItem(KEY, Optional.of(STALE)));

            assertThat(partition.changes())
                    .singleElement()
                    .isInstanceOfSatisfying(
                            ChangeRecord.Removed.class,
                            removed -> {
                                assertThat(removed.oldImage()).isEqualTo(STALE);
                                assertThat(removed.origin().cause()).isEqualTo(ChangeCause.REPAIR);
                            });
            assertThat(partition.storedItems()).isEmpty();
        }
    }

    @Test
    void thereIsNoChangeIfThereIsNeitherItemNorStaleImage() {
        try (TestPartition partition = new TestPartition(TestTables.things(1), folder)) {
            partition.send(new Write.RefreshItem(KEY, Optional.empty()));

            assertThat(partition.changes()).isEmpty();
            assertThat(partition.rejects()).isEmpty();
        }
    }

    @Test
    void aKeyThatIsNoneOfTheTableIsRefused() {
        try (TestPartition partition = new TestPartition(TestTables.things(1), folder)) {
            WriteOutcome outcome =
                    partition.send(
                            new Write.RefreshItem(item("p", 1, "more", "x"), Optional.empty()));

            assertThat(outcome).isInstanceOf(WriteOutcome.Refused.class);
            assertThat(partition.changes()).isEmpty();
        }
    }
}
