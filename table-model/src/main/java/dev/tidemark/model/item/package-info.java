/** Attribute values and items, their sizes and limits; not how they are stored or sent. */
@NullMarked
package dev.tidemark.model.item;

import org.jspecify.annotations.NullMarked;
