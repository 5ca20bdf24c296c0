package dev.tidemark.kafka.embedded;

import java.util.Locale;

/**
 * The locale in which Kafka can read its own settings.
 *
 * <p>Kafka upper-cases the names of its group protocols in the default locale, at the start and
 * whenever a setting changes. Where the upper case of i is not I, as in Turkish, it finds no
 * protocol and does not start.
 */
final class NeutralCase {

    private static final String PROTOCOL = "classic";

    private NeutralCase() {}

    /**
     * Makes the default case mapping of this process the neutral one, if the present one would keep
     * Kafka from starting. How numbers, dates and texts are shown stays as it was.
     */
    @SuppressWarnings(
            "StringCaseLocaleUsage") // the default locale's mapping is what is asked about
    static synchronized void require() {
        if (PROTOCOL.toUpperCase().equals(PROTOCOL.toUpperCase(Locale.ROOT))) {
            return;
        }
        Locale format = Locale.getDefault(Locale.Category.FORMAT);
        Locale display = Locale.getDefault(Locale.Category.DISPLAY);
        Locale.setDefault(Locale.ROOT);
        Locale.setDefault(Locale.Category.FORMAT, format);
        Locale.setDefault(Locale.Category.DISPLAY, display);
    }
}
