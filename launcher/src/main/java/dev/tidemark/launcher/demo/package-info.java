/**
 * The demonstration: sensor readings put into a table, its indexes asked and compared, over the
 * protocol any client speaks; not how it looks on a console.
 */
@NullMarked
package dev.tidemark.launcher.demo;

import org.jspecify.annotations.NullMarked;
