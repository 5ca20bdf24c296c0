package dev.tidemark.launcher.load;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** One row of a file: an item, or the reason why it is none. */
public sealed interface Row {

    /** Returns the line of the file on which the row begins, from 1. */
    long line();

    /**
     * A row that makes an item.
     *
     * @param item in DynamoDB's JSON
     */
    record Good(long line, ObjectNode item) implements Row {}

    /**
     * A row that makes none.
     *
     * @param text the row as it stands in the file
     * @param reason what is wrong with it
     */
    record Bad(long line, String text, String reason) implements Row {}
}
