package dev.tidemark.gsi.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class ChangeOrderTest {

    @Test
    void contiguousChangesAreNewAndRepeatsAreNot() {
        ChangeOrder order = new ChangeOrder(0, 0);

        assertThat(order.isNew(1)).isTrue();
        assertThat(order.isNew(2)).isTrue();
        assertThat(order.isNew(2)).isFalse();
        assertThat(order.isNew(1)).isFalse();
        assertThat(order.isNew(2)).isFalse();
        assertThat(order.isNew(3)).isTrue();
    }

    @Test
    void forwardGapIsRefused() {
        ChangeOrder order = new ChangeOrder(0, 0);
        order.isNew(1);

        assertThatThrownBy(() -> order.isNew(3))
                .isInstanceOf(ChangeGapException.class)
                .hasMessage(
                        "Changes of the table are missing from its log; the index must be built"
                                + " anew")
                .asInstanceOf(InstanceOfAssertFactories.type(ChangeGapException.class))
                .extracting(ChangeGapException::context)
                .isEqualTo(Map.of("lastSequence", 1L, "nextSequence", 3L));
    }

    @Test
    void fullHistoryBeginsWithTheFirstChange() {
        assertThatThrownBy(() -> new ChangeOrder(0, 0).isNew(2))
                .isInstanceOf(ChangeGapException.class);
    }

    @Test
    void gapAcrossARestartIsRefused() {
        assertThatThrownBy(() -> new ChangeOrder(7, 0).isNew(9))
                .isInstanceOf(ChangeGapException.class);
    }

    @Test
    void compactedHistoryMayHaveGapsUpToWhereItWasCompacted() {
        ChangeOrder order = new ChangeOrder(0, 100);

        assertThat(order.isNew(5)).isTrue();
        assertThat(order.isNew(95)).isTrue();
        assertThat(order.isNew(101)).isTrue();
        assertThatThrownBy(() -> order.isNew(103)).isInstanceOf(ChangeGapException.class);
    }
}
