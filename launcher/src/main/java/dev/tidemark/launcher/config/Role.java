package dev.tidemark.launcher.config;

/** A part of the work that a node may do. */
public enum Role {
    /** Takes writes and appends them to the log. */
    INGEST,
    /** Applies writes and keeps tables with their local indexes. */
    BASE,
    /** Keeps global indexes. */
    GSI,
    /** Answers clients. */
    QUERY
}
