package dev.tidemark.base.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.base.CorruptStateException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class PartitionMarksTest {

    @Test
    void theirFormIsKeptForEver() {
        byte[] written =
                HexFormat.of()
                        .parseHex(
                                "01"
                                        + "0000000000000005"
                                        + "0000000000000009"
                                        + "0000019b76daa800");
        PartitionMarks marks = new PartitionMarks(5, 9, 1_767_225_600_000L);

        assertThat(PartitionMarks.parse(written)).isEqualTo(marks);
        assertThat(marks.toBytes()).isEqualTo(written);
    }

    @Test
    void aChangeMovesSequenceAndOffsetAndAnyOtherCommandTheOffsetAlone() {
        PartitionMarks marks = PartitionMarks.START.changed(3, 1_000).passed(4);

        assertThat(marks).isEqualTo(new PartitionMarks(1, 5, 1_000));
    }

    @Test
    void anUnknownFormIsABrokenPromise() {
        for (String form :
                new String[] {"", "01", "02" + "00".repeat(24), "01" + "00".repeat(25)}) {
            assertThatThrownBy(() -> PartitionMarks.parse(HexFormat.of().parseHex(form)))
                    .isInstanceOf(CorruptStateException.class)
                    .hasMessage("Partition marks are of an unknown form");
        }
    }
}
