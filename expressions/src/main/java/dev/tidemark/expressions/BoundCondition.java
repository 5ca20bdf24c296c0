package dev.tidemark.expressions;

import dev.tidemark.expressions.tree.Condition;
import dev.tidemark.expressions.tree.DocumentPath;
import dev.tidemark.expressions.tree.ExpressionMessages;
import dev.tidemark.expressions.tree.Uses;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.write.Placeholders;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/** A condition that holds of an item or does not. Immutable and thread-safe. */
public final class BoundCondition {

    private final Condition condition;
    private final Uses uses;
    private final Placeholders placeholders;

    BoundCondition(Condition condition, Uses uses, Placeholders placeholders) {
        this.condition = condition;
        this.uses = uses;
        this.placeholders = placeholders;
    }

    /** Returns whether the condition holds of {@code item}; a missing item is the empty one. */
    public boolean holdsFor(Item item) {
        return condition.holds(item, placeholders);
    }

    /** Returns whether the condition holds of the stored item, if there is one. */
    public boolean holdsFor(Optional<Item> item) {
        return holdsFor(item.orElse(Item.EMPTY));
    }

    /** Returns the names of all attributes the condition refers to. */
    public Set<String> attributeNames() {
        return uses.attributes(placeholders);
    }

    /**
     * Refuses a filter that refers to a key attribute of the table or index that is queried.
     *
     * @throws dev.tidemark.model.error.ApiException if it does
     */
    public void requireNoKey(KeySchema key) {
        Set<String> names = attributeNames();
        for (KeyAttribute attribute : key.attributes()) {
            if (names.contains(attribute.name())) {
                throw ExpressionMessages.error(ExpressionMessages.FILTER_ON_KEY, attribute.name());
            }
        }
    }

    /**
     * Refuses a condition that looks into a key attribute, which holds no other values.
     *
     * @throws dev.tidemark.model.error.ApiException if it does
     */
    public void requireScalarKeys(KeySchema table, Collection<String> indexKeys) {
        for (DocumentPath path : uses.paths()) {
            KeyPaths.requireScalar(path, placeholders, table, indexKeys);
        }
    }
}
