/**
 * What a command does to the item it names: a function of the item and the command alone. Nothing
 * here knows Kafka, stores, clocks or chance.
 */
@NullMarked
package dev.tidemark.base.apply;

import org.jspecify.annotations.NullMarked;
