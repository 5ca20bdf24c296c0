package dev.tidemark.model.change;

import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import java.util.Optional;

/**
 * One change to one item, in the order its partition applied it.
 *
 * <p>A change always carries the images its kind implies, so a consumer never meets a change with
 * neither image.
 */
public sealed interface ChangeRecord {

    PrimaryKey key();

    ChangeOrigin origin();

    /** Returns the item before the change, if there was one. */
    Optional<Item> before();

    /** Returns the item after the change, if there is one. */
    Optional<Item> after();

    record Inserted(PrimaryKey key, ChangeOrigin origin, Item image) implements ChangeRecord {
        @Override
        public Optional<Item> before() {
            return Optional.empty();
        }

        @Override
        public Optional<Item> after() {
            return Optional.of(image);
        }
    }

    record Modified(PrimaryKey key, ChangeOrigin origin, Item oldImage, Item newImage)
            implements ChangeRecord {
        @Override
        public Optional<Item> before() {
            return Optional.of(oldImage);
        }

        @Override
        public Optional<Item> after() {
            return Optional.of(newImage);
        }
    }

    record Removed(PrimaryKey key, ChangeOrigin origin, Item oldImage) implements ChangeRecord {
        @Override
        public Optional<Item> before() {
            return Optional.of(oldImage);
        }

        @Override
        public Optional<Item> after() {
            return Optional.empty();
        }
    }
}
