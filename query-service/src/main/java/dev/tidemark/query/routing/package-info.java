/**
 * Which node serves which partition, how far each has come, and sending requests there. Not what a
 * request does where it arrives, nor who assigns partitions to nodes.
 */
@NullMarked
package dev.tidemark.query.routing;

import org.jspecify.annotations.NullMarked;
