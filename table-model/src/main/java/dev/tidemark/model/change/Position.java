package dev.tidemark.model.change;

/**
 * A place in the history of one partition of a table.
 *
 * @param partition the partition, from 0
 * @param sequence how many changes the partition has made up to here; 0 before the first
 */
public record Position(int partition, long sequence) {

    public Position {
        if (partition < 0 || sequence < 0) {
            throw new IllegalArgumentException("Invalid position: negative");
        }
    }
}
