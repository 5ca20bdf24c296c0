/** Key schemas, key values and their order-preserving bytes; not what is stored under them. */
@NullMarked
package dev.tidemark.model.key;

import org.jspecify.annotations.NullMarked;
