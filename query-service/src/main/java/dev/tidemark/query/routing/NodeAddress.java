package dev.tidemark.query.routing;

/**
 * Where other nodes reach a node.
 *
 * @param node the node's id
 * @param host a name or address they can resolve
 * @param port the node's internal port
 */
public record NodeAddress(String node, String host, int port) {

    public NodeAddress {
        if (node.isEmpty() || host.isEmpty() || port < 0 || port > 65_535) {
            throw new IllegalArgumentException("Invalid node address: " + host + ":" + port);
        }
    }
}
