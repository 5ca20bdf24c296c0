package dev.tidemark.testsupport.reference;

import dev.tidemark.model.item.Item;
import java.util.List;
import java.util.Optional;

/**
 * What a Query answers.
 *
 * @param items what is shown of the entries that pass the filter
 * @param count how many pass it
 * @param scanned how many were looked at
 * @param last the cursor, if a limit ended the page
 * @param entryBytes the size of the entries looked at
 * @param fetched the sizes of items that had to be fetched from the table
 */
public record Page(
        List<Item> items,
        int count,
        int scanned,
        Optional<Item> last,
        long entryBytes,
        List<Integer> fetched) {

    public Page {
        items = List.copyOf(items);
        fetched = List.copyOf(fetched);
    }
}
