package dev.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class HttpDateTest {

    @Test
    void theTimeIsGivenToTheSecondInEnglishWithTwoDigits() {
        // Given
        AtomicReference<Instant> clock =
                new AtomicReference<>(Instant.parse("2026-03-01T04:05:06.999Z"));
        HttpDate date = new HttpDate(clock::get);

        // When / Then
        assertThat(date.now()).isEqualTo("Sun, 01 Mar 2026 04:05:06 GMT");
        clock.set(Instant.parse("2026-03-01T04:05:07Z"));
        assertThat(date.now()).isEqualTo("Sun, 01 Mar 2026 04:05:07 GMT");
    }
}
