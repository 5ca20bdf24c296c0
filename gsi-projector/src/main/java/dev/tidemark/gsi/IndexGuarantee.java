package dev.tidemark.gsi;

/** How an index app reads changes and commits its own work. The index is exact under each. */
public enum IndexGuarantee {
    /**
     * Reads changes before they are committed, for the least lag. Exact only where no second owner
     * of a partition can exist: one process, held by a lock on its data folder.
     */
    AT_LEAST_ONCE_UNCOMMITTED,
    /** Reads committed changes and fences former owners: for clusters. */
    EXACTLY_ONCE
}
