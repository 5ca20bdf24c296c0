/** What a caller is told when a request fails; not how it is put on the wire. */
@NullMarked
package dev.tidemark.model.error;

import org.jspecify.annotations.NullMarked;
