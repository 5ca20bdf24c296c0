package dev.tidemark.base.apply;

import dev.tidemark.model.change.ChangeCause;
import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.table.TimeToLive;
import dev.tidemark.model.write.Write.DefineIndexKeys;
import java.util.Optional;

/** What a command does, before it is done. */
public sealed interface Decision {

    /** Calls the method of {@code cases} for this decision's kind. */
    <R> R match(Cases<R> cases);

    /** One method for each kind of decision. */
    interface Cases<R> {
        R change(Change change);

        R noChange(NoChange unchanged);

        R newDefinition(NewDefinition definition);

        R newTimeToLive(NewTimeToLive timeToLive);

        R refreshed(Refreshed refreshed);

        R conditionFailed(ConditionFailed failed);

        R refused(Refused refused);
    }

    /**
     * One item becomes another; the two images differ, and at least one is there.
     *
     * @param key the item's key
     * @param before the item so far, if there is one
     * @param after the item from here on, if there is one
     * @param cause who wants it
     */
    record Change(PrimaryKey key, Optional<Item> before, Optional<Item> after, ChangeCause cause)
            implements Decision {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.change(this);
        }
    }

    /**
     * The command is applied and leaves everything as it is.
     *
     * @param item the item it concerns, if there is one
     */
    record NoChange(Optional<Item> item) implements Decision {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.noChange(this);
        }
    }

    /**
     * Later items must suit other global indexes.
     *
     * @param definition what counts from here on
     */
    record NewDefinition(DefineIndexKeys definition) implements Decision {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.newDefinition(this);
        }
    }

    /**
     * Items expire otherwise from here on.
     *
     * @param setting what counts from here on
     */
    record NewTimeToLive(TimeToLive setting) implements Decision {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.newTimeToLive(this);
        }
    }

    /**
     * The item stays as it is, and indexes write its entry anew; at least one image is there.
     *
     * @param key the item's key
     * @param stale an image whose entry is to go, if there is one
     * @param item the item, if there is one
     */
    record Refreshed(PrimaryKey key, Optional<Item> stale, Optional<Item> item)
            implements Decision {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.refreshed(this);
        }
    }

    /**
     * The stored item does not meet the command's condition.
     *
     * @param existing the stored item, if there is one
     */
    record ConditionFailed(Optional<Item> existing) implements Decision {
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
    record Refused(ApiError error, String message) implements Decision {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.refused(this);
        }
    }
}
