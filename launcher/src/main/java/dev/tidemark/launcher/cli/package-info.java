/** The command line: what it reads, prints and exits with; not the work behind it. */
@NullMarked
package dev.tidemark.launcher.cli;

import org.jspecify.annotations.NullMarked;
