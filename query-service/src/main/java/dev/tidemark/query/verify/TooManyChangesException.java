package dev.tidemark.query.verify;

/** More was changed while a table was compared with an index than can be kept in mind. */
final class TooManyChangesException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TooManyChangesException() {
        super("More items were changed meanwhile than can be kept in mind; try when fewer are");
    }
}
