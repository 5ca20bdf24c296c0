/**
 * The parameters that requests had before expressions, put into expressions; not how requests carry
 * them.
 */
@NullMarked
package dev.tidemark.expressions.legacy;

import org.jspecify.annotations.NullMarked;
