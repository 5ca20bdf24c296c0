package dev.tidemark.gsi.projection;

import java.util.List;
import java.util.Optional;

/**
 * What a change of an item does to an index.
 *
 * @param updates what to do where: at most one update for each partition
 * @param entriesAdded how many entries more the index has then: 1, 0 or -1
 * @param before why the item had no place in the index, if it had the attributes and yet none
 * @param after why the item has no place in the index, if it has the attributes and yet none
 */
public record ProjectedChange(
        List<PlacedUpdate> updates,
        int entriesAdded,
        Optional<Unsuitable> before,
        Optional<Unsuitable> after) {

    public ProjectedChange {
        updates = List.copyOf(updates);
    }
}
