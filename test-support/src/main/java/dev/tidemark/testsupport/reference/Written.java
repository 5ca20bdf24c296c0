package dev.tidemark.testsupport.reference;

import dev.tidemark.model.item.Item;
import java.util.Optional;

/**
 * What a write did to an item.
 *
 * @param before the item before, if there was one
 * @param after the item after, if there is one
 */
public record Written(Optional<Item> before, Optional<Item> after) {}
