/**
 * Items whose time to live is over: finding them on the node that has their partition, and asking
 * the log to remove them. Not the decision, which falls where the log is applied.
 */
@NullMarked
package dev.tidemark.query.expiry;

import org.jspecify.annotations.NullMarked;
