@NullMarked
package dev.tidemark.query.routing;

import org.jspecify.annotations.NullMarked;
