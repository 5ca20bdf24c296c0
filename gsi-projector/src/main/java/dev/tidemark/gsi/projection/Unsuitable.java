package dev.tidemark.gsi.projection;

import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeyValueRule;

/**
 * Why an item that has an index key attribute still has no place in the index.
 *
 * @param attribute the attribute whose value does not suit
 * @param violation how the value fails
 */
public record Unsuitable(KeyAttribute attribute, KeyValueRule.Violation violation) {}
