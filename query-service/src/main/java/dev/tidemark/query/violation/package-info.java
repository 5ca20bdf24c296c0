/**
 * Listing the items that have an index's key attributes and yet no entry in it; not how they are
 * found.
 */
@NullMarked
package dev.tidemark.query.violation;

import org.jspecify.annotations.NullMarked;
