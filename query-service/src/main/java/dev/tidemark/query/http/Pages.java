package dev.tidemark.query.http;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What a front end answers to GET: health, metrics, and whatever is mounted beside them, such as
 * the schema registry. Everything but liveness is asked for on a worker.
 *
 * @param ready whether the node answers requests
 * @param metrics the text of {@code /metrics}, in Prometheus's format
 * @param mounted finds the page for a path, which begins with a slash
 */
public record Pages(BooleanSupplier ready, Supplier<String> metrics, Mount mounted) {

    /** Finds a page. */
    @FunctionalInterface
    public interface Mount {

        /** Returns the page at {@code path}, or empty if nothing is there. */
        Optional<Page> find(String path);
    }

    /** Nothing but health, ready at once. */
    public static final Pages NONE = new Pages(() -> true, () -> "", path -> Optional.empty());

    Page page(String path) {
        return switch (path) {
            case "/health/ready" -> ready.getAsBoolean() ? Page.text(200, "ready\n") : notReady();
            case "/metrics" ->
                    new Page(
                            200,
                            "text/plain; version=0.0.4; charset=utf-8",
                            metrics.get().getBytes(StandardCharsets.UTF_8));
            default ->
                    mounted.find(path).orElseGet(() -> Page.text(404, "Nothing is at this path\n"));
        };
    }

    private static Page notReady() {
        return Page.text(503, "not ready\n");
    }
}
