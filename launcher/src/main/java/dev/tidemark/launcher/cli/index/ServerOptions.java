package dev.tidemark.launcher.cli.index;

import dev.tidemark.launcher.client.Endpoint;
import java.net.URI;
import picocli.CommandLine.Option;

/** Which server is asked, and how its answers are printed. */
final class ServerOptions {

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8000",
            description = "the server (default: ${DEFAULT-VALUE})")
    private URI endpoint = URI.create("http://127.0.0.1:8000");

    @Option(names = "--json", description = "print the server's answer as JSON")
    private boolean json;

    Endpoint server() {
        return new Endpoint(endpoint);
    }

    boolean json() {
        return json;
    }
}
