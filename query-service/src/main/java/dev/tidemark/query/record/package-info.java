/**
 * JSON records of the product's own topics: read leniently, written exactly. Not requests or
 * replies of callers.
 */
@NullMarked
package dev.tidemark.query.record;

import org.jspecify.annotations.NullMarked;
