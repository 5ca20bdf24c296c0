package dev.tidemark.expressions;

import dev.tidemark.expressions.tree.DocumentPath;
import dev.tidemark.expressions.tree.PathTree;
import dev.tidemark.model.item.Item;
import java.util.Set;

/** A projection that can be applied to items. Immutable and thread-safe. */
public final class BoundProjection {

    private final PathTree<DocumentPath> tree;

    BoundProjection(PathTree<DocumentPath> tree) {
        this.tree = tree;
    }

    /**
     * Returns the part of {@code item} at the projection's paths; empty if there is nothing there.
     */
    public Item apply(Item item) {
        return tree.project(item);
    }

    /** Returns the names of the attributes that paths begin with, in the order of the text. */
    public Set<String> topLevelNames() {
        return tree.attributes();
    }

    /** Returns whether some path leads into a map or list, so that attributes are cut down. */
    public boolean isNested() {
        return tree.isNested();
    }
}
