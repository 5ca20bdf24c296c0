/** Reading rows from files and putting them into a table; not how the command line asks for it. */
@NullMarked
package dev.tidemark.launcher.load;

import org.jspecify.annotations.NullMarked;
