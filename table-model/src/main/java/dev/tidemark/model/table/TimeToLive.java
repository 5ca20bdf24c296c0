package dev.tidemark.model.table;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether and by which attribute the items of a table expire.
 *
 * @param version how often the setting has been changed; 0 for a table that never had one
 * @param attribute the attribute that holds an item's end in seconds since 1970, or empty if items
 *     do not expire
 */
public record TimeToLive(long version, Optional<String> attribute) {

    /** Items do not expire, and never did. */
    public static final TimeToLive NEVER = new TimeToLive(0, Optional.empty());

    /**
     * How long after its end an item may still expire: a value further back is taken for a mistake.
     * Source: the DynamoDB Developer Guide, which says five years.
     */
    public static final Duration LONGEST_PAST = Duration.ofDays(5 * 365);

    public TimeToLive {
        if (version < 0) {
            throw new IllegalArgumentException("Invalid time to live: negative version");
        }
    }

    /** Returns the next setting. */
    public TimeToLive changedTo(Optional<String> next) {
        return new TimeToLive(version + 1, next);
    }

    /** Returns whether {@code item} has expired at {@code now}. */
    public boolean isExpired(Item item, Instant now) {
        return attribute
                .map(name -> item.attributes().get(name))
                .filter(end -> isPast(end, now))
                .isPresent();
    }

    /**
     * Returns whether {@code end}, the value of the attribute, lies in the past of {@code now}, and
     * not too far; only a number can.
     */
    public static boolean isPast(AttributeValue end, Instant now) {
        if (!(end instanceof AttributeValue.N number)) {
            return false;
        }
        BigDecimal millis = number.value().toBigDecimal().movePointRight(3);
        return millis.compareTo(BigDecimal.valueOf(now.toEpochMilli())) < 0
                && millis.compareTo(BigDecimal.valueOf(now.minus(LONGEST_PAST).toEpochMilli())) > 0;
    }
}
