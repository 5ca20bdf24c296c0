@NullMarked
package dev.tidemark.query.table;

import org.jspecify.annotations.NullMarked;
