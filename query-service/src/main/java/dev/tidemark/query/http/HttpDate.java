package dev.tidemark.query.http;

import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The time of day as the header {@code Date} gives it, made once a second. Not thread-safe. */
final class HttpDate {

    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC);

    private final InstantSource clock;
    private long second = Long.MIN_VALUE;
    private String text = "";

    HttpDate(InstantSource clock) {
        this.clock = clock;
    }

    String now() {
        Instant now = clock.instant();
        if (now.getEpochSecond() != second) {
            second = now.getEpochSecond();
            text = FORMAT.format(now);
        }
        return text;
    }
}
