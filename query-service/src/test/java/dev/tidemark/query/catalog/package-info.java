@NullMarked
package dev.tidemark.query.catalog;

import org.jspecify.annotations.NullMarked;
