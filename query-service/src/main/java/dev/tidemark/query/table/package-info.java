/**
 * The operations about tables, their indexes and tags: from request to catalog command, and from
 * definition to description. Not how the catalog is kept, nor items.
 */
@NullMarked
package dev.tidemark.query.table;

import org.jspecify.annotations.NullMarked;
