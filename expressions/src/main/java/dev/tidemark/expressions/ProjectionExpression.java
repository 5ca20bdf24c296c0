package dev.tidemark.expressions;

import dev.tidemark.expressions.tree.DocumentPath;
import dev.tidemark.expressions.tree.ExpressionKind;
import dev.tidemark.expressions.tree.PathTree;
import dev.tidemark.expressions.tree.Uses;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.write.Placeholders;
import java.util.Collection;
import java.util.List;

/** A projection expression as written. Immutable and thread-safe. */
public final class ProjectionExpression implements Expression {

    private static final ParsedCache<ProjectionExpression> CACHE = new ParsedCache<>();

    private final List<DocumentPath> paths;
    private final Uses uses;

    private ProjectionExpression(List<DocumentPath> paths) {
        this.paths = List.copyOf(paths);
        this.uses = Uses.of(this.paths);
    }

    /**
     * Returns the expression that {@code text} denotes; cheap for a text used lately.
     *
     * @throws dev.tidemark.model.error.ApiException if it denotes none
     */
    public static ProjectionExpression parse(String text) {
        return CACHE.get(
                text,
                unseen ->
                        new ProjectionExpression(
                                new TreeBuilder(
                                                ExpressionKind.PROJECTION,
                                                unseen,
                                                ExpressionLimits.OF_A_REQUEST)
                                        .projection()));
    }

    /** Returns the paths in the order of the text. */
    public List<DocumentPath> paths() {
        return paths;
    }

    /**
     * Refuses a projection that looks into a key attribute, which holds no other values.
     *
     * @throws dev.tidemark.model.error.ApiException if it does
     */
    public void requireScalarKeys(
            Placeholders placeholders, KeySchema table, Collection<String> indexKeys) {
        for (DocumentPath path : paths) {
            KeyPaths.requireScalar(path, placeholders, table, indexKeys);
        }
    }

    @Override
    public Uses uses() {
        return uses;
    }

    /**
     * Returns the projection with its placeholders filled in.
     *
     * @throws dev.tidemark.model.error.ApiException if one is undefined or two paths overlap
     */
    public BoundProjection bind(Placeholders placeholders) {
        uses.requireDefined(ExpressionKind.PROJECTION, placeholders);
        PathTree<DocumentPath> tree = new PathTree<>(ExpressionKind.PROJECTION);
        for (DocumentPath path : paths) {
            DocumentPath resolved = path.resolve(placeholders);
            tree.add(resolved, resolved);
        }
        return new BoundProjection(tree);
    }
}
