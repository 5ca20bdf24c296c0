/**
 * The tables that exist: a state machine that every node replicates from one log of commands. Not
 * the requests that lead to commands, nor what is done about a table.
 */
@NullMarked
package dev.tidemark.query.catalog;

import org.jspecify.annotations.NullMarked;
