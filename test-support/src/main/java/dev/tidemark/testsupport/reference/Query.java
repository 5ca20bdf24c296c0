package dev.tidemark.testsupport.reference;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import java.util.List;
import java.util.Optional;

/**
 * One request of a Query.
 *
 * @param partition the partition key asked for
 * @param sort what is asked of the first sort attributes
 * @param forward whether in ascending order
 * @param limit how many entries to look at
 * @param filter which of those to show
 * @param shown what to show of them
 * @param start the cursor
 */
public record Query(
        List<AttributeValue> partition,
        List<KeyWish> sort,
        boolean forward,
        Optional<Integer> limit,
        Optional<Clause> filter,
        Shown shown,
        Optional<Item> start) {

    public Query {
        partition = List.copyOf(partition);
        sort = List.copyOf(sort);
    }

    /** Returns whether no table need be looked at to tell that this can't be asked. */
    public boolean isMistaken() {
        return filter.filter(Clause::isMistaken).isPresent()
                || (shown instanceof Shown.Parts parts && parts.isMistaken());
    }

    /** Returns the request that goes on where a page ended. */
    public Query from(Item cursor) {
        return new Query(partition, sort, forward, limit, filter, shown, Optional.of(cursor));
    }
}
