package dev.tidemark.query.catalog;

/**
 * One step of the catalog.
 *
 * @param state the state after the command
 * @param outcome what the proposer is told
 */
public record Transition(CatalogState state, Outcome outcome) {}
