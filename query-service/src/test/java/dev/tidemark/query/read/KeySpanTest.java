package dev.tidemark.query.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeySpanTest {

    private static final KeySpan SPAN = KeySpan.between(new byte[] {2}, new byte[] {4});

    @Test
    void aSpanHasItsStartAndNotItsEnd() {
        assertThat(SPAN.contains(new byte[] {2})).isTrue();
        assertThat(SPAN.contains(new byte[] {3, (byte) 0xFF})).isTrue();
        assertThat(SPAN.contains(new byte[] {4})).isFalse();
        assertThat(SPAN.contains(new byte[] {1, 9})).isFalse();
    }

    @Test
    void whatIsAfterOrBeforeAKeyDoesNotHaveIt() {
        // Given
        byte[] key = {3};

        // Then
        assertThat(SPAN.after(key).contains(key)).isFalse();
        assertThat(SPAN.after(key).contains(new byte[] {3, 0})).isTrue();
        assertThat(SPAN.before(key).contains(key)).isFalse();
        assertThat(SPAN.before(key).contains(new byte[] {2, (byte) 0xFF})).isTrue();
    }

    @Test
    void aKeyOutsideCutsNothingOffOrEverything() {
        assertThat(SPAN.after(new byte[] {1}).from()).isEqualTo(new byte[] {2});
        assertThat(SPAN.before(new byte[] {9}).to()).isEqualTo(new byte[] {4});
        assertThat(SPAN.after(new byte[] {9}).isEmpty()).isTrue();
        assertThat(SPAN.before(new byte[] {1}).isEmpty()).isTrue();
    }

    @Test
    void aSpanWithoutEndIsNeverEmpty() {
        assertThat(KeySpan.from(new byte[] {9}).isEmpty()).isFalse();
        assertThat(KeySpan.from(new byte[] {9}).contains(new byte[] {(byte) 0xFF})).isTrue();
    }
}
