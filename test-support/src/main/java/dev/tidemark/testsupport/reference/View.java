package dev.tidemark.testsupport.reference;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a table or an index shows at one moment. Immutable. */
public final class View {

    private static final int PAGE_BYTES = 1 << 20;

    private final TableShape table;
    private final IndexShape index;
    private final KeyOrder order;

    /** The items that have an entry, whole, in the order of the entries. */
    private final List<Item> items;

    View(TableShape table, IndexShape index, Collection<Item> all) {
        this.table = table;
        this.index = index;
        this.order = new KeyOrder(table, index);
        this.items = all.stream().filter(index::admits).sorted(order).toList();
    }

    public IndexShape index() {
        return index;
    }

    /** Returns the items that have an entry, whole. */
    public List<Item> items() {
        return items;
    }

    /** Compares the places of two items, or of what is shown of them, keys included. */
    public int compare(Item left, Item right) {
        return order.compare(left, right);
    }

    /** Returns the cursor at an item. */
    public Item cursor(Item item) {
        return item.only(index.keyNames(table));
    }

    /**
     * Returns one page.
     *
     * @throws Refusal if this can't be asked
     */
    public Page page(Query query) {
        requireSensible(query);
        List<Item> wanted =
                new ArrayList<>(items.stream().filter(one -> isIn(query, one)).toList());
        if (!query.forward()) {
            Collections.reverse(wanted);
        }
        List<Item> shown = new ArrayList<>();
        List<Integer> fetched = new ArrayList<>();
        int scanned = 0;
        int count = 0;
        long entryBytes = 0;
        long bytes = 0;
        for (Item item : wanted) {
            Item entry = index.projected(table, item);
            scanned++;
            entryBytes += entry.size();
            bytes += entry.size();
            if (fetches(query.filter(), query.shown())) {
                fetched.add(item.size());
                bytes += item.size();
            }
            if (passes(query.filter(), item)) {
                count++;
                shown(query.shown(), item).ifPresent(shown::add);
            }
            if (query.limit().filter(Integer.valueOf(scanned)::equals).isPresent()
                    || bytes >= PAGE_BYTES) {
                return new Page(
                        shown, count, scanned, Optional.of(cursor(item)), entryBytes, fetched);
            }
        }
        return new Page(shown, count, scanned, Optional.empty(), entryBytes, fetched);
    }

    /** Returns whether a filter lets an item pass: of a global index it sees only the entry. */
    public boolean passes(Optional<Clause> filter, Item item) {
        Item seen = index.isLocal() ? item : index.projected(table, item);
        return filter.isEmpty() || filter.get().holdsFor(seen);
    }

    /** Returns what is shown of an item's entry, unless entries are only counted. */
    public Optional<Item> shown(Shown shown, Item item) {
        if (shown instanceof Shown.Counted) {
            return Optional.empty();
        }
        if (shown instanceof Shown.Parts parts) {
            return Optional.of(parts.of(item));
        }
        return Optional.of(shown instanceof Shown.Whole ? item : index.projected(table, item));
    }

    /**
     * Checks what is to be shown and how entries are filtered.
     *
     * @throws Refusal if a global index does not have what is asked for
     */
    public void requireSensible(Optional<Clause> filter, Shown shown) {
        boolean isMistaken =
                filter.filter(Clause::isMistaken).isPresent()
                        || (shown instanceof Shown.Parts parts && parts.isMistaken());
        boolean lacks =
                (shown instanceof Shown.Whole && index.included().isPresent())
                        || (shown instanceof Shown.Parts parts
                                && !index.covers(table, parts.attributes()));
        if (isMistaken || (index.isGlobal() && lacks)) {
            throw Refusal.invalid("");
        }
    }

    private void requireSensible(Query query) {
        requireSensible(query.filter(), query.shown());
        Set<String> keys = new HashSet<>(index.key().stream().map(KeyAttribute::name).toList());
        boolean filtersKey =
                query.filter().stream()
                        .flatMap(filter -> filter.paths().stream())
                        .anyMatch(path -> keys.contains(path.attribute()));
        if (filtersKey) {
            throw Refusal.invalid("Filter Expression can only contain non-primary key attributes");
        }
    }

    /** Whether entries of a local index lack something that only the item has. */
    private boolean fetches(Optional<Clause> filter, Shown shown) {
        if (!index.isLocal() || index.included().isEmpty()) {
            return false;
        }
        boolean filterLacks =
                filter.stream()
                        .flatMap(clause -> clause.paths().stream())
                        .anyMatch(path -> !index.covers(table, Set.of(path.attribute())));
        return filterLacks
                || shown instanceof Shown.Whole
                || (shown instanceof Shown.Parts parts && !index.covers(table, parts.attributes()));
    }

    private boolean isIn(Query query, Item item) {
        List<AttributeValue> sort = IndexShape.values(index.sort(), item);
        for (int at = 0; at < query.sort().size(); at++) {
            if (!query.sort().get(at).admits(sort.get(at))) {
                return false;
            }
        }
        return IndexShape.values(index.partition(), item).equals(query.partition())
                && query.start().filter(start -> !isAfter(query, item, start)).isEmpty();
    }

    private boolean isAfter(Query query, Item item, Item start) {
        int comparison = order.compare(item, start);
        return query.forward() ? comparison > 0 : comparison < 0;
    }
}
