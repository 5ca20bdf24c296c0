package dev.tidemark.gsi.projection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.change.Position;
import dev.tidemark.model.index.IndexUpdate;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MarkScheduleTest {

    private static final Instant TIME = Instant.ofEpochMilli(5);

    private final MarkSchedule marks = new MarkSchedule(1);

    @Test
    void nothingProjectedIsNothingToMark() {
        assertThat(marks.take()).isEmpty();
    }

    @Test
    void markSaysHowFarTheTableHasComeOnce() {
        marks.projected(1, Instant.EPOCH);
        marks.projected(2, TIME);

        assertThat(marks.take()).contains(IndexUpdate.mark(new Position(1, 2), TIME));
        assertThat(marks.take()).isEmpty();
    }

    @Test
    void repeatsOfMarkedChangesNeedNoMark() {
        // Given
        marks.projected(5, TIME);
        marks.take();

        // When
        marks.projected(4, TIME);
        marks.projected(5, TIME);

        // Then
        assertThat(marks.take()).isEmpty();
        marks.projected(6, TIME);
        assertThat(marks.take()).contains(IndexUpdate.mark(new Position(1, 6), TIME));
    }
}
