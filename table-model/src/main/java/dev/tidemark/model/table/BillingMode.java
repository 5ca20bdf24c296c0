package dev.tidemark.model.table;

/** How a table's capacity is billed. */
public enum BillingMode {
    PROVISIONED,
    PAY_PER_REQUEST
}
