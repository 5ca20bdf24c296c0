/**
 * Where schemas get their ids: the client of a registry that speaks Confluent's API, and the
 * product's own registry.
 *
 * <p>Nothing here knows what the schemas describe.
 */
@NullMarked
package dev.tidemark.wire.registry;

import org.jspecify.annotations.NullMarked;
