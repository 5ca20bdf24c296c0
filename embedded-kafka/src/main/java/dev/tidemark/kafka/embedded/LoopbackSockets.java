package dev.tidemark.kafka.embedded;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.server.ServerSocketFactory;

/**
 * The listening sockets of one broker, bound before any of its parts are built.
 *
 * <p>Binding first makes a taken port fail before anything is written, and makes a free port known
 * while the settings that must name it are still being put together.
 */
final class LoopbackSockets implements ServerSocketFactory, Closeable {

    private static final int BACKLOG = 128;

    private final Map<Integer, ServerSocketChannel> unclaimed = new ConcurrentHashMap<>();

    /** Binds {@code port} on loopback, or a free one for 0, and returns the port that was bound. */
    int bind(int port) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            channel.bind(new InetSocketAddress(loopback, port), BACKLOG);
            channel.configureBlocking(false);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        int bound = channel.socket().getLocalPort();
        unclaimed.put(bound, channel);
        return bound;
    }

    @Override
    public ServerSocketChannel openServerSocket(
            String listenerName, InetSocketAddress address, int receiveBufferSize, int backlog)
            throws IOException {
        ServerSocketChannel bound = unclaimed.remove(address.getPort());
        return bound == null
                ? ServerSocketFactory.INSTANCE.openServerSocket(
                        listenerName, address, receiveBufferSize, backlog)
                : bound;
    }

    /** Closes the sockets that no listener has claimed. */
    @Override
    public void close() throws IOException {
        for (ServerSocketChannel channel : unclaimed.values()) {
            channel.close();
        }
        unclaimed.clear();
    }
}
