package dev.tidemark.expressions;

import dev.tidemark.expressions.tree.DocumentPath;
import dev.tidemark.expressions.tree.ExpressionMessages;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.write.Placeholders;
import java.util.Collection;

/** The rule that no path leads into a key attribute. */
final class KeyPaths {

    private KeyPaths() {}

    static void requireScalar(
            DocumentPath path,
            Placeholders placeholders,
            KeySchema table,
            Collection<String> indexKeys) {
        if (path.isTopLevel()) {
            return;
        }
        String attribute = path.attribute(placeholders);
        if (table.names().contains(attribute)) {
            throw ExpressionMessages.error(ExpressionMessages.KEY_ACCESS, attribute);
        }
        if (indexKeys.contains(attribute)) {
            throw ExpressionMessages.error(ExpressionMessages.INDEX_KEY_ACCESS, attribute);
        }
    }
}
