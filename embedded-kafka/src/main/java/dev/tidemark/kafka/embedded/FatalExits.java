package dev.tidemark.kafka.embedded;

import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.apache.kafka.common.utils.internals.Exit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns Kafka's wish to end the process, say after its log folder failed, into news for the running
 * brokers.
 *
 * <p>Kafka knows one exit procedure per process, so each running broker is told; with none running
 * the process ends as Kafka asked.
 */
final class FatalExits {

    private static final Logger LOGGER = LoggerFactory.getLogger(FatalExits.class);
    private static final Set<FatalFaults> RUNNING = new CopyOnWriteArraySet<>();

    private FatalExits() {}

    static void reportTo(FatalFaults faults) {
        RUNNING.add(faults);
        Exit.setExitProcedure((status, message) -> ended("exit", status, message));
        Exit.setHaltProcedure((status, message) -> ended("halt", status, message));
    }

    static void forget(FatalFaults faults) {
        RUNNING.remove(faults);
    }

    private static void ended(String wish, int status, String message) {
        if (RUNNING.isEmpty()) {
            Runtime.getRuntime().halt(status);
        }
        String reason =
                message == null || message.isEmpty()
                        ? "Kafka's broker gave up; its last error in the log tells why"
                        : message;
        LOGGER.atError()
                .addKeyValue("wish", wish)
                .addKeyValue("status", status)
                .log("the embedded broker can't go on");
        RUNNING.forEach(faults -> faults.report(reason));
        throw new BrokerEndedError(reason);
    }

    /**
     * Unwinds the Kafka thread that asked to end the process: Kafka does not expect the call to
     * return.
     */
    private static final class BrokerEndedError extends Error {

        private static final long serialVersionUID = 1L;

        BrokerEndedError(String reason) {
            super(reason);
        }
    }
}
