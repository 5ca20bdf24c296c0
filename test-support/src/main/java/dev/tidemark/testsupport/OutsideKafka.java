package dev.tidemark.testsupport;

import java.nio.file.Path;

/**
 * A Kafka outside the processes that a test is about: a container where a Docker engine runs, a
 * process of its own elsewhere.
 */
public sealed interface OutsideKafka extends AutoCloseable permits BrokerProcess, BrokerContainer {

    /**
     * Starts a broker and returns when it answers clients.
     *
     * @param folder where a broker that is a process keeps its data
     */
    static OutsideKafka start(Path folder) {
        return BrokerContainer.isPossible() ? BrokerContainer.start() : BrokerProcess.start(folder);
    }

    /** Returns what Kafka clients take as {@code bootstrap.servers}. */
    String bootstrapServers();

    /** Ends the broker at once, whatever it does. */
    void kill();

    /** Ends the broker. */
    @Override
    void close();
}
