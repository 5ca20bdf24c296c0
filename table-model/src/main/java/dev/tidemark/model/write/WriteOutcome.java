package dev.tidemark.model.write;

import dev.tidemark.model.change.Position;
import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.item.Item;
import java.util.Optional;
import java.util.OptionalLong;

/** What became of a command when it was applied. */
public sealed interface WriteOutcome {

    /** Calls the method of {@code cases} for this outcome's kind. */
    <R> R match(Cases<R> cases);

    /** One method for each kind of outcome. */
    interface Cases<R> {
        R applied(Applied applied);

        R conditionFailed(ConditionFailed failed);

        R refused(Refused refused);
    }

    /**
     * The command was applied, though it may have changed nothing.
     *
     * @param position the last change of the partition once the command was applied
     * @param before the item before, if there was one
     * @param after the item after, if there is one
     * @param collectionSize the bytes of all items with the item's partition key and of their
     *     entries in local indexes, if the table has any
     */
    record Applied(
            Position position,
            Optional<Item> before,
            Optional<Item> after,
            OptionalLong collectionSize)
            implements WriteOutcome {

        /** Makes the outcome of a command on a table without local indexes. */
        public Applied(Position position, Optional<Item> before, Optional<Item> after) {
            this(position, before, after, OptionalLong.empty());
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.applied(this);
        }
    }

    /**
     * The stored item did not meet the condition.
     *
     * @param existing the stored item, if there is one
     */
    record ConditionFailed(Optional<Item> existing) implements WriteOutcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.conditionFailed(this);
        }
    }

    /**
     * The command can't be applied to this table or this item.
     *
     * @param error what kind of mistake it is
     * @param message what the caller is told
     */
    record Refused(ApiError error, String message) implements WriteOutcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.refused(this);
        }
    }
}
