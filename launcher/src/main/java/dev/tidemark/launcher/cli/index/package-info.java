/** The commands about global indexes: what they ask a server, print and exit with. */
@NullMarked
package dev.tidemark.launcher.cli.index;

import org.jspecify.annotations.NullMarked;
