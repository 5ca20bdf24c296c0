package dev.tidemark.expressions;

import dev.tidemark.expressions.tree.DocumentPath;
import dev.tidemark.expressions.tree.ExpressionMessages;
import dev.tidemark.expressions.tree.PathTree;
import dev.tidemark.expressions.tree.UpdateAction;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.write.Placeholders;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** An update that can be applied to items. Immutable and thread-safe. */
public final class BoundUpdate {

    /** The most levels of lists and maps. Source: DynamoDB limits. */
    private static final int MAX_LEVELS = 32;

    private final List<UpdateAction> actions;
    private final PathTree<UpdateAction> tree;
    private final Placeholders placeholders;

    BoundUpdate(
            List<UpdateAction> actions, PathTree<UpdateAction> tree, Placeholders placeholders) {
        this.actions = actions;
        this.tree = tree;
        this.placeholders = placeholders;
    }

    /**
     * Returns {@code old} as the update leaves it; every operand is read from {@code old}. The
     * result follows from the arguments alone, the order of attributes included: those of {@code
     * old} keep theirs, new ones come last in the order of the expression. Key attributes are the
     * caller's to add: a missing item is the empty one.
     *
     * @throws dev.tidemark.model.error.ApiException if the item does not suit the update: a path
     *     leads nowhere, an operand is missing or of another type, a sum is out of range
     */
    public Item apply(Item old) {
        Item next = tree.change(old, (action, current) -> action.apply(current, old, placeholders));
        for (String attribute : tree.attributes()) {
            AttributeValue value = next.get(attribute);
            if (value != null && value.depth() > MAX_LEVELS) {
                throw ExpressionMessages.error(ExpressionMessages.NESTING);
            }
        }
        return next;
    }

    /**
     * Returns whether a missing item comes to exist by this update; one that only removes leaves it
     * missing.
     */
    public boolean createsItem() {
        for (UpdateAction action : actions) {
            if (action.createsItem()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the names of the attributes that are changed or have something within changed. */
    public Set<String> touchedAttributes() {
        return tree.attributes();
    }

    /** Returns the paths that are changed, in the order of the expression. */
    public List<DocumentPath> paths() {
        return actions.stream().map(action -> action.path().resolve(placeholders)).toList();
    }

    /**
     * Returns the part of an image at the paths that are changed: what UPDATED_OLD shows of the old
     * image and UPDATED_NEW of the new.
     */
    public Item updatedOnly(Item image) {
        return tree.project(image);
    }

    /**
     * Refuses an update of the table's key, or of something within a key attribute of an index.
     *
     * @param indexKeys the names of the key attributes of all indexes
     * @throws dev.tidemark.model.error.ApiException if this is one
     */
    public void requireNoKey(KeySchema table, Collection<String> indexKeys) {
        List<String> keyNames = table.names();
        for (UpdateAction action : actions) {
            KeyPaths.requireScalar(action.path(), placeholders, table, indexKeys);
            String attribute = action.path().attribute(placeholders);
            if (keyNames.contains(attribute)) {
                throw ExpressionMessages.error(ExpressionMessages.UPDATE_OF_KEY, attribute);
            }
        }
    }
}
