package dev.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens on a connection byte for byte, which client libraries hide. */
@Timeout(60)
class ConnectionTest {

    private final Vertx vertx = HttpFrontEnd.vertx(1);
    private final WorkerPool workers = new WorkerPool(1, 100);
    private HttpFrontEnd frontEnd;
    private Socket socket;
    private DataInputStream in;
    private OutputStream out;

    private record Answer(String status, Map<String, String> headers, String body) {}

    @BeforeEach
    void connect() throws IOException {
        frontEnd =
                new HttpFrontEnd(
                        vertx,
                        HttpSettings.at("127.0.0.1", 0),
                        new OperationRegistry(
                                Map.of(
                                        "Echo",
                                        request ->
                                                CompletableFuture.completedFuture(
                                                        Reply.of(request.body())))),
                        workers,
                        Pages.NONE,
                        RequestObserver.NONE);
        socket =
                new Socket(
                        InetAddress.getLoopbackAddress(),
                        frontEnd.start().toCompletableFuture().join());
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
        frontEnd.stop().toCompletableFuture().join();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        workers.close();
    }

    @Test
    void aConnectionServesOneRequestAfterTheOther() throws IOException {
        // When
        send(echo("Content-Length: 7"), "{\"a\":1}");
        Answer first = receive();
        send(echo("Content-Length: 7"), "{\"a\":2}");
        Answer second = receive();

        // Then
        assertThat(first.body()).isEqualTo("{\"a\":1}");
        assertThat(first.headers()).doesNotContainEntry("connection", "close");
        assertThat(second.body()).isEqualTo("{\"a\":2}");
    }

    @Test
    void requestsSentTogetherAreAnsweredInTheirOrder() throws IOException {
        // When
        send(
                echo("Content-Length: 7"),
                "{\"a\":1}",
                echo("Content-Length: 2"),
                "{}",
                "GET / HTTP/1.1\r\nHost: here\r\n\r\n");

        // Then
        assertThat(receive().body()).isEqualTo("{\"a\":1}");
        assertThat(receive().body()).isEqualTo("{}");
        assertThat(receive().body()).startsWith("healthy: ");
    }

    @Test
    void aConnectionIsKeptAfterAMistakeAndAfterARefusedBody() throws IOException {
        // When
        send(echo("Content-Length: 3").replace("json", "xml"), "<a>");
        Answer refused = receive();
        send(echo("Content-Length: 2").replace("Echo", "Nothing"), "{}");
        Answer unknown = receive();
        send(echo("Content-Length: 2"), "{}");

        // Then
        assertThat(refused.status()).contains("404");
        assertThat(unknown.status()).contains("400");
        assertThat(receive().status()).contains("200");
    }

    @Test
    void aChunkedBodyIsPutTogether() throws IOException {
        // When
        send(
                echo("Transfer-Encoding: chunked"),
                "1\r\n{\r\n",
                "5;name=value\r\n\"a\":1\r\n",
                "1\r\n}\r\n0\r\n\r\n");

        // Then
        assertThat(receive().body()).isEqualTo("{\"a\":1}");
    }

    @Test
    void aClientThatWaitsToBeAskedForTheBodyIsAsked() throws IOException {
        // When
        send(echo("Content-Length: 7", "Expect: 100-continue"));
        Answer asked = receive();
        send("{\"a\":1}");
        Answer answer = receive();

        // Then
        assertThat(asked.status()).isEqualTo("HTTP/1.1 100 Continue");
        assertThat(answer.status()).isEqualTo("HTTP/1.1 200 OK");
        assertThat(answer.body()).isEqualTo("{\"a\":1}");
    }

    @Test
    void aConnectionIsClosedWhenTheClientAsksForIt() throws IOException {
        // When
        send(echo("Content-Length: 2", "Connection: close"), "{}");
        Answer answer = receive();

        // Then
        assertThat(answer.body()).isEqualTo("{}");
        assertThat(in.read()).isEqualTo(-1);
    }

    private static String echo(String... headers) {
        return "POST / HTTP/1.1\r\n"
                + "Host: here\r\n"
                + "Content-Type: application/x-amz-json-1.0\r\n"
                + "Authorization: AWS4-HMAC-SHA256 Credential=any\r\n"
                + "X-Amz-Target: DynamoDB_20120810.Echo\r\n"
                + String.join("\r\n", headers)
                + "\r\n\r\n";
    }

    private void send(String... parts) throws IOException {
        for (String part : parts) {
            out.write(part.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }
    }

    private Answer receive() throws IOException {
        String status = line();
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).trim());
        }
        byte[] body = new byte[Integer.parseInt(headers.getOrDefault("content-length", "0"))];
        in.readFully(body);
        return new Answer(status, headers, new String(body, StandardCharsets.UTF_8));
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.readUnsignedByte(); next != '\n'; next = in.readUnsignedByte()) {
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }
}
