package dev.tidemark.query.http;

import java.time.Duration;

/**
 * How a front end listens and what it bounds.
 *
 * @param host the address to listen on
 * @param port the port to listen on; 0 takes a free one
 * @param region the region it calls itself
 * @param internal whether it serves other nodes: it then also offers operations outside DynamoDB's
 *     API and asks for no authentication
 * @param eventLoops the number of event loops that share the port
 * @param maxInFlight how many requests may be under way at once; more are refused, retryably
 * @param maxBufferedBytes how many bytes of request bodies may be held at once; more are refused,
 *     retryably
 * @param requestTimeout how long a request may take; after that it is answered with a retryable
 *     error
 * @param stopTimeout how long a stop waits for requests under way
 */
public record HttpSettings(
        String host,
        int port,
        String region,
        boolean internal,
        int eventLoops,
        int maxInFlight,
        long maxBufferedBytes,
        Duration requestTimeout,
        Duration stopTimeout) {

    /** The most bytes of a request body, compressed or not. Source: DynamoDB limits. */
    public static final int MAX_BODY = 16 << 20;

    /** The most bytes of request line and headers. Source: DynamoDB limits. */
    public static final int MAX_HEADERS = 16 << 10;

    public HttpSettings {
        if (eventLoops < 1 || maxInFlight < 1 || maxBufferedBytes < 1) {
            throw new IllegalArgumentException("Invalid HTTP settings: a bound below 1");
        }
    }

    /** Returns settings for a public port with bounds that suit this machine. */
    public static HttpSettings at(String host, int port) {
        return new HttpSettings(
                host,
                port,
                "us-east-1",
                false,
                Runtime.getRuntime().availableProcessors(),
                2_000,
                Runtime.getRuntime().maxMemory() / 4,
                Duration.ofSeconds(30),
                Duration.ofSeconds(5));
    }

    public HttpSettings withRequestTimeout(Duration next) {
        return new HttpSettings(
                host,
                port,
                region,
                internal,
                eventLoops,
                maxInFlight,
                maxBufferedBytes,
                next,
                stopTimeout);
    }

    public HttpSettings withStopTimeout(Duration next) {
        return new HttpSettings(
                host,
                port,
                region,
                internal,
                eventLoops,
                maxInFlight,
                maxBufferedBytes,
                requestTimeout,
                next);
    }

    public HttpSettings withMaxInFlight(int next) {
        return new HttpSettings(
                host,
                port,
                region,
                internal,
                eventLoops,
                next,
                maxBufferedBytes,
                requestTimeout,
                stopTimeout);
    }

    public HttpSettings withRegion(String next) {
        return new HttpSettings(
                host,
                port,
                next,
                internal,
                eventLoops,
                maxInFlight,
                maxBufferedBytes,
                requestTimeout,
                stopTimeout);
    }

    /** Returns these settings for a port that serves other nodes. */
    public HttpSettings forNodes() {
        return new HttpSettings(
                host,
                port,
                region,
                true,
                eventLoops,
                maxInFlight,
                maxBufferedBytes,
                requestTimeout,
                stopTimeout);
    }
}
