package dev.tidemark.kafka.embedded;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * A broker as a process of its own, for tests that need one outside their JVM.
 *
 * <p>Takes the data folder and the port; prints one line, {@value #READY_PREFIX} and its bootstrap
 * servers, when it answers clients.
 */
public final class BrokerMain {

    /** What the line that tells of readiness begins with. */
    public static final String READY_PREFIX = "broker ready at ";

    private BrokerMain() {}

    /** Runs until the process is told to end. */
    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length != 2) {
            throw new IllegalArgumentException(
                    "Invalid arguments: give the data folder and the port");
        }
        EmbeddedKafka kafka =
                EmbeddedKafka.start(
                        new EmbeddedKafkaConfig(
                                Path.of(arguments[0]), Integer.parseInt(arguments[1]), Map.of()));
        Runtime.getRuntime().addShutdownHook(new Thread(kafka::close, "broker-close"));
        kafka.onFatal(reason -> Runtime.getRuntime().halt(1));
        announce(READY_PREFIX + kafka.bootstrapServers());
        new CountDownLatch(1).await();
    }

    @SuppressWarnings("console") // the ready line is this program's output
    private static void announce(String line) {
        new PrintStream(System.out, true, StandardCharsets.UTF_8).println(line);
    }
}
