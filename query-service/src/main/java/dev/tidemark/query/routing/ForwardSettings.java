package dev.tidemark.query.routing;

import java.time.Duration;

/**
 * How requests are sent to other nodes.
 *
 * @param node the id of this node
 * @param connections how many connections to one node there may be
 * @param waiting how many requests may wait for a connection
 * @param connectTimeout how long connecting may take
 * @param timeout how long a request may take, sending it again included
 */
public record ForwardSettings(
        String node, int connections, int waiting, Duration connectTimeout, Duration timeout) {

    /** Returns settings with bounds that suit a front end's. */
    public static ForwardSettings of(String node) {
        return new ForwardSettings(node, 64, 2_000, Duration.ofSeconds(1), Duration.ofSeconds(25));
    }

    public ForwardSettings withTimeout(Duration next) {
        return new ForwardSettings(node, connections, waiting, connectTimeout, next);
    }
}
