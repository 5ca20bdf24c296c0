/**
 * The processor that takes a partition's commands off the log, with what it keeps and what it
 * sends. What a command means is decided elsewhere.
 */
@NullMarked
package dev.tidemark.base.process;

import org.jspecify.annotations.NullMarked;
