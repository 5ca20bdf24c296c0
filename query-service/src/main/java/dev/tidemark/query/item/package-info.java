/**
 * Operations on items by their key: put, get, update, delete, and the batches of them; not reading
 * many by a condition.
 */
@NullMarked
package dev.tidemark.query.item;

import org.jspecify.annotations.NullMarked;
