package dev.tidemark.query.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SumsTest {

    @Test
    void sumDoesNotDependOnTheOrderAndTellsMembersAndRepeatsApart() {
        List<Hash128> hashes = new ArrayList<>();
        for (int each = 0; each < 500; each++) {
            hashes.add(hash("entry " + each));
        }
        EntrySum sum = sumOf(hashes);
        Collections.shuffle(hashes, new Random(1));

        assertThat(sumOf(hashes).digest()).isEqualTo(sum.digest()).hasSize(32);
        assertThat(sumOf(hashes).isSameAs(sum)).isTrue();
        hashes.set(0, hash("another"));
        assertThat(sumOf(hashes).isSameAs(sum)).isFalse();
        hashes.set(0, hashes.get(1));
        assertThat(sumOf(hashes).isSameAs(sum)).isFalse();
        assertThat(new EntrySum().digest()).isEqualTo("0".repeat(32));
    }

    @Test
    void lowHalvesCarryIntoHighOnes() {
        EntrySum sum = new EntrySum();
        sum.add(new Hash128(0, -1));
        sum.add(new Hash128(0, 1));

        assertThat(sum.digest()).isEqualTo("0".repeat(15) + "1" + "0".repeat(16));
    }

    @Test
    void setHoldsWhatWasAddedAndNothingElse() {
        HashSet128 set = new HashSet128(20_000);
        Set<Hash128> expected = new HashSet<>();
        Random random = new Random(2);
        for (int each = 0; each < 15_000; each++) {
            // few different ones, and many that fall into one slot
            Hash128 hash = new Hash128(random.nextInt(200), (long) random.nextInt(50) << 40);

            assertThat(set.contains(hash)).isEqualTo(expected.contains(hash));
            assertThat(set.add(hash)).isEqualTo(expected.add(hash));
        }
        expected.forEach(hash -> assertThat(set.contains(hash)).isTrue());
        assertThat(set.contains(new Hash128(1_000, 0))).isFalse();
    }

    @Test
    void setTakesNoMoreThanItMay() {
        HashSet128 set = new HashSet128(2);
        set.add(new Hash128(0, 0));
        set.add(new Hash128(0, 1));

        assertThat(set.isFull()).isTrue();
        assertThat(set.add(new Hash128(0, 0))).isFalse();
        assertThatIllegalStateException().isThrownBy(() -> set.add(new Hash128(0, 2)));
    }

    @Test
    void pageIsReadFromItsBytes() {
        RowPage page =
                new RowPage(
                        List.of(
                                new Row(new byte[] {1, 0}, new byte[] {}),
                                new Row(new byte[] {2}, new byte[] {3, 4, 5})),
                        true);

        RowPage read = RowPage.fromBytes(page.toBytes());

        assertThat(read.isLast()).isTrue();
        assertThat(read.rows()).hasSize(2);
        assertThat(read.rows().get(0).key()).containsExactly(1, 0);
        assertThat(read.rows().get(0).value()).isEmpty();
        assertThat(read.rows().get(1).value()).containsExactly(3, 4, 5);
        assertThat(RowPage.fromBytes(new RowPage(List.of(), false).toBytes()).isLast()).isFalse();
    }

    private static Hash128 hash(String text) {
        return Hash128.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static EntrySum sumOf(List<Hash128> hashes) {
        EntrySum sum = new EntrySum();
        hashes.forEach(sum::add);
        return sum;
    }
}
