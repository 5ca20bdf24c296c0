package dev.tidemark.launcher.demo;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Looking again until something has come about. */
final class Polling {

    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private Polling() {}

    /**
     * Returns once {@code reached} says yes.
     *
     * @throws IllegalStateException if it does not within five minutes, or the thread is
     *     interrupted
     */
    static void until(BooleanSupplier reached) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!reached.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("The demonstration waited too long");
            }
            try {
                Thread.sleep(PAUSE.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted", e);
            }
        }
    }
}
