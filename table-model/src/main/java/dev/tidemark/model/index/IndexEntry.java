package dev.tidemark.model.index;

import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;

/**
 * One row of an index.
 *
 * @param indexKey where it sorts
 * @param tableKey the item it stands for
 * @param projected what it carries, the keys of table and index included
 */
public record IndexEntry(PrimaryKey indexKey, PrimaryKey tableKey, Item projected) {}
