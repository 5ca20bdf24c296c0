/** What an item or a key must satisfy to be stored in a table; not how it comes to be there. */
@NullMarked
package dev.tidemark.model.rules;

import org.jspecify.annotations.NullMarked;
