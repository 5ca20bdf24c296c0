package dev.tidemark.query.catalog;

/**
 * A record of the catalog that a newer version of the program wrote and this one can't apply. A
 * node that skipped it would disagree with the others, so it stops.
 */
public final class NewerRecordException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NewerRecordException(String what) {
        super(
                "The catalog was written by a newer version of this program; run that version ("
                        + what
                        + " is not known here)");
    }
}
