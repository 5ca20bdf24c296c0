package dev.tidemark.model.write;

import java.util.Optional;

/**
 * One record of a table's log.
 *
 * @param requestId under which the outcome is told, if somebody waits for it
 * @param write what to do
 */
public record WriteCommand(Optional<RequestId> requestId, Write write) {}
