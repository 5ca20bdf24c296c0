package dev.tidemark.base;

import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.REPLACE_THREAD;
import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.wire.registry.RegistryException;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;

class FailurePolicyTest {

    private Instant now = Instant.EPOCH;
    private final FailurePolicy policy = new FailurePolicy(() -> now);

    @Test
    void whatTheWorldAroundMayMendIsTriedAgain() {
        assertThat(policy.responseTo(new StreamsException(new TimeoutException())))
                .isEqualTo(REPLACE_THREAD);
        assertThat(policy.responseTo(new StreamsException(new RegistryException("no answer"))))
                .isEqualTo(REPLACE_THREAD);
        assertThat(
                        policy.responseTo(
                                new StreamsException(
                                        new InvalidReplicationFactorException(
                                                "All brokers are currently fenced"))))
                .isEqualTo(REPLACE_THREAD);
    }

    @Test
    void aBrokenPromiseStopsTheApp() {
        assertThat(
                        policy.responseTo(
                                new StreamsException(
                                        new CorruptStateException("unreadable", Map.of()))))
                .isEqualTo(SHUTDOWN_CLIENT);
        assertThat(policy.responseTo(new IllegalStateException())).isEqualTo(SHUTDOWN_CLIENT);
    }

    @Test
    void whatDoesNotMendIsNotTriedForEver() {
        for (int time = 0; time < 10; time++) {
            assertThat(policy.responseTo(new DisconnectException())).isEqualTo(REPLACE_THREAD);
        }
        assertThat(policy.responseTo(new DisconnectException())).isEqualTo(SHUTDOWN_CLIENT);
    }

    @Test
    void failuresFarApartDoNotAddUp() {
        for (int time = 0; time < 100; time++) {
            now = now.plusSeconds(10);
            assertThat(policy.responseTo(new DisconnectException())).isEqualTo(REPLACE_THREAD);
        }
    }
}
