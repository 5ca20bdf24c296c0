package dev.tidemark.model.table;

/** How a table's storage is billed; kept and told, and without effect here. */
public enum TableClass {
    STANDARD,
    STANDARD_INFREQUENT_ACCESS
}
