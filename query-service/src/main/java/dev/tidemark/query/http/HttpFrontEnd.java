package dev.tidemark.query.http;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Serves DynamoDB's JSON 1.0 over HTTP, and a few pages beside it.
 *
 * <p>It bounds what it takes in: the size of a request, the number of requests under way, the bytes
 * held for them and the time each may take. What is beyond is answered with a retryable error at
 * once.
 */
public final class HttpFrontEnd {

    private static final AtomicInteger FREE_PORTS = new AtomicInteger();
    private static final int BACKLOG = 4096;

    private final Vertx vertx;
    private final HttpSettings settings;
    private final OperationRegistry operations;
    private final WorkerPool workers;
    private final Pages pages;
    private final RequestObserver observer;
    private final Load load;

    /**
     * Stands for one free port, a negative number: event loops that name the same share the port,
     * so each front end must name its own.
     */
    private final int freePort = FREE_PORTS.decrementAndGet();

    private final List<Listener> listeners = new ArrayList<>();
    private volatile @Nullable String deployment;

    /** What all event loops of a front end have taken in and not yet answered. */
    static final class Load {
        final AtomicInteger requests = new AtomicInteger();
        final AtomicLong bytes = new AtomicLong();
        volatile boolean stopping;
    }

    /**
     * Makes a front end that does not listen yet.
     *
     * @param vertx whose event loops it uses; it is not closed with the front end
     * @param workers where large bodies are parsed and pages made
     */
    public HttpFrontEnd(
            Vertx vertx,
            HttpSettings settings,
            OperationRegistry operations,
            WorkerPool workers,
            Pages pages,
            RequestObserver observer) {
        this.vertx = vertx;
        this.settings = settings;
        this.operations = operations;
        this.workers = workers;
        this.pages = pages;
        this.observer = observer;
        this.load = new Load();
    }

    /** Returns a Vertx as front ends want it, with {@code eventLoops} event loops. */
    public static Vertx vertx(int eventLoops) {
        return Vertx.vertx(
                new VertxOptions().setEventLoopPoolSize(eventLoops).setPreferNativeTransport(true));
    }

    /**
     * Starts to listen. The result is the port. Fails with the cause if the port can't be had; call
     * once.
     */
    public CompletionStage<Integer> start() {
        DeploymentOptions options = new DeploymentOptions().setInstances(settings.eventLoops());
        return vertx.deployVerticle(this::newListener, options)
                .map(
                        id -> {
                            deployment = id;
                            synchronized (listeners) {
                                return listeners.get(0).actualPort();
                            }
                        })
                .toCompletionStage();
    }

    /**
     * Stops to take requests, lets those under way finish, within bounds, and closes all
     * connections. Completes normally, whatever is left.
     */
    public CompletionStage<Void> stop() {
        load.stopping = true;
        List<Future<Void>> stopped = new ArrayList<>();
        synchronized (listeners) {
            listeners.forEach(listener -> stopped.add(listener.shutDown()));
        }
        return Future.join(stopped)
                .transform(ended -> undeploy())
                .otherwiseEmpty()
                .toCompletionStage();
    }

    /** Returns how many requests are under way. */
    public int inFlight() {
        return load.requests.get();
    }

    private Listener newListener() {
        Listener listener = new Listener(settings.port() == 0 ? freePort : settings.port());
        synchronized (listeners) {
            listeners.add(listener);
        }
        return listener;
    }

    private Future<Void> undeploy() {
        String id = deployment;
        return id == null ? Future.succeededFuture() : vertx.undeploy(id);
    }

    private final class Listener extends VerticleBase {

        private final HttpServer server;
        private final RequestHandler handler;

        Listener(int port) {
            this.handler =
                    new RequestHandler(
                            HttpFrontEnd.this.vertx,
                            settings,
                            operations,
                            workers,
                            pages,
                            observer,
                            load);
            HttpServerOptions options =
                    new HttpServerOptions()
                            .setHost(settings.host())
                            .setPort(port)
                            .setTcpNoDelay(true)
                            .setReuseAddress(true)
                            .setAcceptBacklog(BACKLOG)
                            .setMaxHeaderSize(HttpSettings.MAX_HEADERS)
                            .setMaxInitialLineLength(HttpSettings.MAX_HEADERS)
                            .setHandle100ContinueAutomatically(true)
                            .setIdleTimeout(0);
            this.server = HttpFrontEnd.this.vertx.createHttpServer(options);
        }

        @Override
        public Future<?> start() {
            handler.start(context);
            return server.requestHandler(handler)
                    .invalidRequestHandler(RequestHandler::malformed)
                    .listen();
        }

        int actualPort() {
            return server.actualPort();
        }

        Future<Void> shutDown() {
            return handler.whenIdle(settings.stopTimeout())
                    .transform(idle -> server.shutdown(1, TimeUnit.SECONDS));
        }
    }
}
