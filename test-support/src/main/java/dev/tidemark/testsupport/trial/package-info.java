/**
 * Random requests to a server that runs, each answer compared with what the reference table says.
 *
 * <p>How the server is reached and what a table should answer do not belong here.
 */
@NullMarked
package dev.tidemark.testsupport.trial;

import org.jspecify.annotations.NullMarked;
