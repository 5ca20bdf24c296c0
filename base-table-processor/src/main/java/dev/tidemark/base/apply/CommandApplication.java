package dev.tidemark.base.apply;

import dev.tidemark.expressions.BoundCondition;
import dev.tidemark.expressions.BoundUpdate;
import dev.tidemark.expressions.ConditionExpression;
import dev.tidemark.expressions.ExpressionLimits;
import dev.tidemark.expressions.UpdateExpression;
import dev.tidemark.model.change.ChangeCause;
import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.rules.ItemRules;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TimeToLive;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.Write.DefineIndexKeys;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The deterministic state machine of one partition: what a command does follows from the items, the
 * definition of index keys and the time to live in force, and the command.
 *
 * <p>It reads no clock, draws nothing at random and knows no capacity, so the same log always gives
 * the same decisions, and an outcome may be told before it is committed. Not thread-safe.
 */
public final class CommandApplication {

    private final TableDefinition table;
    private final KeySchema key;
    private DefineIndexKeys definition;
    private TimeToLive timeToLive;
    private ItemRules rules;

    /**
     * Starts with what is in force.
     *
     * @param table its key and local indexes count, which never change; its global indexes do not
     * @param definition the definition of index keys in force
     * @param timeToLive the time to live in force
     */
    public CommandApplication(
            TableDefinition table, DefineIndexKeys definition, TimeToLive timeToLive) {
        this.table = table;
        this.key = table.key();
        this.definition = definition;
        this.timeToLive = timeToLive;
        this.rules = new ItemRules(table, definition.indexes());
    }

    /**
     * Returns the definition in force before the log holds any: that of the table as it was
     * created. It has version 0, so that every definition in the log replaces it.
     *
     * @param created the table with the global indexes it was created with; with others, two
     *     replays of the same log might differ
     */
    public static DefineIndexKeys definitionAtCreation(TableDefinition created) {
        return new DefineIndexKeys(0, ItemRules.indexKeysOf(created));
    }

    /** Returns the definition of index keys in force. */
    public DefineIndexKeys definition() {
        return definition;
    }

    /** Puts another definition in force, as {@link Decision.NewDefinition} decided. */
    public void define(DefineIndexKeys next) {
        this.definition = next;
        this.rules = new ItemRules(table, next.indexes());
    }

    /** Puts another time to live in force, as {@link Decision.NewTimeToLive} decided. */
    public void define(TimeToLive next) {
        this.timeToLive = next;
    }

    /**
     * Returns the key of the item the command concerns, or empty if it concerns none or names no
     * valid key.
     */
    public Optional<PrimaryKey> keyOf(Write write) {
        return write.addressed().flatMap(key::keyOf);
    }

    /**
     * Decides what {@code write} does; changes nothing.
     *
     * @param stored the item under {@link #keyOf} of the command, if there is one
     */
    public Decision decide(Write write, Optional<Item> stored) {
        try {
            return write.match(new Deciding(stored));
        } catch (ApiException e) {
            return new Decision.Refused(e.error(), e.text());
        }
    }

    private final class Deciding implements Write.Cases<Decision> {

        private final Optional<Item> before;

        Deciding(Optional<Item> stored) {
            this.before = stored;
        }

        @Override
        public Decision putItem(Write.PutItem put) {
            Optional<BoundCondition> condition = condition(put.condition(), put.placeholders());
            Optional<String> violation = rules.checkPut(put.item());
            if (violation.isPresent()) {
                return refused(violation.get());
            }
            PrimaryKey primaryKey = key.keyOf(put.item()).orElseThrow();
            if (!holds(condition, before)) {
                return new Decision.ConditionFailed(before);
            }
            return became(primaryKey, before, Optional.of(put.item()));
        }

        @Override
        public Decision deleteItem(Write.DeleteItem delete) {
            Optional<BoundCondition> condition =
                    condition(delete.condition(), delete.placeholders());
            Optional<String> violation = rules.checkKey(delete.key());
            if (violation.isPresent()) {
                return refused(violation.get());
            }
            PrimaryKey primaryKey = key.keyOf(delete.key()).orElseThrow();
            if (!holds(condition, before)) {
                return new Decision.ConditionFailed(before);
            }
            return became(primaryKey, before, Optional.empty());
        }

        @Override
        public Decision updateItem(Write.UpdateItem update) {
            Optional<BoundCondition> condition =
                    condition(update.condition(), update.placeholders());
            Optional<BoundUpdate> change =
                    update.update()
                            .map(
                                    text ->
                                            UpdateExpression.parse(
                                                            text, ExpressionLimits.OF_THE_LOG)
                                                    .bind(update.placeholders()));
            change.ifPresent(bound -> bound.requireNoKey(key, rules.indexKeyNames()));
            Optional<String> violation = rules.checkKey(update.key());
            if (violation.isPresent()) {
                return refused(violation.get());
            }
            PrimaryKey primaryKey = key.keyOf(update.key()).orElseThrow();
            if (!holds(condition, before)) {
                return new Decision.ConditionFailed(before);
            }
            if (before.isEmpty() && change.isPresent() && !change.get().createsItem()) {
                return new Decision.NoChange(before);
            }
            Item after = updated(update.key(), before, change);
            Set<String> checked =
                    new HashSet<>(change.map(BoundUpdate::touchedAttributes).orElse(Set.of()));
            if (before.isEmpty()) {
                checked.addAll(key.names());
            }
            Optional<String> broken = rules.checkUpdated(after, checked);
            return broken.isPresent()
                    ? refused(broken.get())
                    : became(primaryKey, before, Optional.of(after));
        }

        @Override
        public Decision defineIndexKeys(DefineIndexKeys define) {
            return define.version() > definition.version()
                    ? new Decision.NewDefinition(define)
                    : new Decision.NoChange(Optional.empty());
        }

        @Override
        public Decision barrier(Write.Barrier barrier) {
            return new Decision.NoChange(Optional.empty());
        }

        @Override
        public Decision expireItem(Write.ExpireItem expire) {
            Optional<String> violation = rules.checkKey(expire.key());
            if (violation.isPresent()) {
                return refused(violation.get());
            }
            boolean over =
                    timeToLive.attribute().equals(Optional.of(expire.attribute()))
                            && before.isPresent()
                            && timeToLive.isExpired(before.get(), expire.asOf());
            return over
                    ? new Decision.Change(
                            key.keyOf(expire.key()).orElseThrow(),
                            before,
                            Optional.empty(),
                            ChangeCause.TIME_TO_LIVE)
                    : new Decision.NoChange(before);
        }

        @Override
        public Decision defineTimeToLive(Write.DefineTimeToLive define) {
            return define.setting().version() > timeToLive.version()
                    ? new Decision.NewTimeToLive(define.setting())
                    : new Decision.NoChange(Optional.empty());
        }

        @Override
        public Decision refreshItem(Write.RefreshItem refresh) {
            Optional<String> violation = rules.checkKey(refresh.key());
            if (violation.isPresent()) {
                return refused(violation.get());
            }
            return before.isEmpty() && refresh.stale().isEmpty()
                    ? new Decision.NoChange(before)
                    : new Decision.Refreshed(
                            key.keyOf(refresh.key()).orElseThrow(), refresh.stale(), before);
        }

        private Optional<BoundCondition> condition(
                Optional<String> text, Placeholders placeholders) {
            Optional<BoundCondition> condition =
                    text.map(
                            expression ->
                                    ConditionExpression.parse(
                                                    expression,
                                                    ConditionExpression.Kind.CONDITION,
                                                    ExpressionLimits.OF_THE_LOG)
                                            .bind(placeholders));
            condition.ifPresent(bound -> bound.requireScalarKeys(key, rules.indexKeyNames()));
            return condition;
        }
    }

    private static boolean holds(Optional<BoundCondition> condition, Optional<Item> stored) {
        return condition.isEmpty() || condition.get().holdsFor(stored);
    }

    private static Decision became(PrimaryKey key, Optional<Item> before, Optional<Item> after) {
        return before.equals(after)
                ? new Decision.NoChange(before)
                : new Decision.Change(key, before, after, ChangeCause.REQUEST);
    }

    private static Decision refused(String message) {
        return new Decision.Refused(ApiError.VALIDATION, message);
    }

    /** The key of a missing item is no attribute an expression can read: it is added after. */
    private static Item updated(Item keyItem, Optional<Item> before, Optional<BoundUpdate> change) {
        if (before.isPresent()) {
            Item stored = before.get();
            return change.map(update -> update.apply(stored)).orElse(stored);
        }
        Map<String, AttributeValue> attributes = new LinkedHashMap<>(keyItem.attributes());
        change.ifPresent(update -> attributes.putAll(update.apply(Item.EMPTY).attributes()));
        return new Item(attributes);
    }
}
