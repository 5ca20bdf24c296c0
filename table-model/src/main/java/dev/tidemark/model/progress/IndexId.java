package dev.tidemark.model.progress;

import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableId;

/** One generation of one global index of one table. */
public record IndexId(TableId table, IndexName index, int generation) {}
