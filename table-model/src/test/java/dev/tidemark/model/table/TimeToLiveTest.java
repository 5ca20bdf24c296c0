package dev.tidemark.model.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TimeToLiveTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000, 500_000_000);
    private static final TimeToLive BY_END = TimeToLive.NEVER.changedTo(Optional.of("end"));

    static Stream<Arguments> ends() {
        return Stream.of(
                argumentSet("the second before", number("1799999999"), true),
                argumentSet("the same second", number("1800000000"), true),
                argumentSet("a fraction before", number("1800000000.4999"), true),
                argumentSet("this very moment", number("1800000000.5"), false),
                argumentSet("the next second", number("1800000001"), false),
                argumentSet("almost five years ago", number("1642320001"), true),
                argumentSet("five years ago", number("1642320000.5"), false),
                argumentSet("long ago", number("1"), false),
                argumentSet("never", number("0"), false),
                argumentSet("negative", number("-1800000000"), false),
                argumentSet("milliseconds by mistake", number("1799999999000"), false),
                argumentSet("huge", number("9.9E125"), false),
                argumentSet("tiny", number("1E-130"), false),
                argumentSet("text", new AttributeValue.S("1799999999"), false),
                argumentSet(
                        "a set", new AttributeValue.NS(Set.of(Decimal.of(1_799_999_999L))), false));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void anItemExpiresIfItsEndIsInThePastAndNotTooFar(AttributeValue end, boolean expired) {
        assertThat(BY_END.isExpired(new Item(Map.of("end", end)), NOW)).isEqualTo(expired);
    }

    @Test
    void nothingExpiresWithoutTheAttributeOrTheSetting() {
        Item item = new Item(Map.of("end", number("1799999999")));

        assertThat(TimeToLive.NEVER.isExpired(item, NOW)).isFalse();
        assertThat(BY_END.changedTo(Optional.of("other")).isExpired(item, NOW)).isFalse();
    }

    private static AttributeValue number(String text) {
        return new AttributeValue.N(Decimal.parse(text));
    }
}
