package dev.tidemark.model.write;

import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TimeToLive;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A command in a table's log. What becomes of it follows from the state of its partition and itself
 * alone.
 *
 * <p>Expressions travel as their text, in DynamoDB's language.
 */
public sealed interface Write {

    /** Calls the method of {@code cases} for this command's kind. */
    <R> R match(Cases<R> cases);

    /**
     * Returns the attributes that tell which item this command concerns, or empty if it is one that
     * concerns none. The key attributes among them need not be there, nor valid.
     */
    Optional<Item> addressed();

    /** One method for each kind of command. */
    interface Cases<R> {
        R putItem(PutItem put);

        R deleteItem(DeleteItem delete);

        R updateItem(UpdateItem update);

        R defineIndexKeys(DefineIndexKeys define);

        R barrier(Barrier barrier);

        R expireItem(ExpireItem expire);

        R defineTimeToLive(DefineTimeToLive define);

        R refreshItem(RefreshItem refresh);
    }

    /**
     * Replaces the item with the same primary key, or creates it.
     *
     * @param item the whole item
     * @param condition what must hold of the stored item, a condition expression
     * @param placeholders for the condition
     */
    record PutItem(Item item, Optional<String> condition, Placeholders placeholders)
            implements Write {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.putItem(this);
        }

        @Override
        public Optional<Item> addressed() {
            return Optional.of(item);
        }
    }

    /**
     * Removes the item with this key; a missing one is no error.
     *
     * @param key the key attributes, no others
     * @param condition what must hold of the stored item, a condition expression
     * @param placeholders for the condition
     */
    record DeleteItem(Item key, Optional<String> condition, Placeholders placeholders)
            implements Write {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.deleteItem(this);
        }

        @Override
        public Optional<Item> addressed() {
            return Optional.of(key);
        }
    }

    /**
     * Changes attributes of the item with this key, which is created if missing and the update
     * leaves it something.
     *
     * @param key the key attributes, no others
     * @param update the update expression; without one a missing item is created with its key only
     * @param condition what must hold of the stored item, a condition expression
     * @param placeholders for both expressions
     */
    record UpdateItem(
            Item key,
            Optional<String> update,
            Optional<String> condition,
            Placeholders placeholders)
            implements Write {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.updateItem(this);
        }

        @Override
        public Optional<Item> addressed() {
            return Optional.of(key);
        }
    }

    /**
     * Says which global indexes the items of this partition must suit from here on. It stands in
     * the log, and not in a side channel, so that whether a later write is refused follows from the
     * log alone.
     *
     * @param version higher than that of every earlier definition; a lower or equal one is ignored
     * @param indexes the key attributes of every global index there is
     */
    record DefineIndexKeys(long version, List<IndexKeys> indexes) implements Write {
        public DefineIndexKeys {
            indexes = List.copyOf(indexes);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.defineIndexKeys(this);
        }

        @Override
        public Optional<Item> addressed() {
            return Optional.empty();
        }
    }

    /** Changes nothing; once it is applied, so is everything before it. */
    record Barrier() implements Write {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.barrier(this);
        }

        @Override
        public Optional<Item> addressed() {
            return Optional.empty();
        }
    }

    /**
     * Removes the item with this key if its time to live is over: if {@code attribute} is the one
     * by which the items of this partition expire, as the log says so far, and its value in the
     * stored item lies in the past of {@code asOf}. Otherwise it changes nothing.
     *
     * @param key the key attributes, no others
     * @param attribute the attribute the item was found expired by
     * @param asOf when it was found expired, to the millisecond
     */
    record ExpireItem(Item key, String attribute, Instant asOf) implements Write {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.expireItem(this);
        }

        @Override
        public Optional<Item> addressed() {
            return Optional.of(key);
        }
    }

    /**
     * Says whether and how the items of this partition expire from here on; a setting whose version
     * is not higher than that of every earlier one is ignored.
     */
    record DefineTimeToLive(TimeToLive setting) implements Write {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.defineTimeToLive(this);
        }

        @Override
        public Optional<Item> addressed() {
            return Optional.empty();
        }
    }

    /**
     * Changes nothing of the item with this key, but lets every global index of the table write its
     * entry anew, and drop that of {@code stale} unless it is the same. What it leaves behind is
     * what each index should have, whatever {@code stale} is.
     *
     * @param key the key attributes, no others
     * @param stale an image of the item, or its key attributes in an index, whose entry is to go
     */
    record RefreshItem(Item key, Optional<Item> stale) implements Write {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.refreshItem(this);
        }

        @Override
        public Optional<Item> addressed() {
            return Optional.of(key);
        }
    }

    /**
     * The key attributes of one global index.
     *
     * @param name the index
     * @param partition its partition attributes
     * @param sort its sort attributes
     */
    record IndexKeys(IndexName name, List<KeyAttribute> partition, List<KeyAttribute> sort) {
        public IndexKeys {
            partition = List.copyOf(partition);
            sort = List.copyOf(sort);
        }
    }
}
