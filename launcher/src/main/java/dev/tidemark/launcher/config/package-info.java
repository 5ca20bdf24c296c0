/**
 * What a node is told at start: settings with their types, defaults and sources; not what is done
 * with them.
 */
@NullMarked
package dev.tidemark.launcher.config;

import org.jspecify.annotations.NullMarked;
