package dev.tidemark.launcher.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.client.EndpointException;
import dev.tidemark.launcher.client.FakeServer;
import dev.tidemark.launcher.client.FakeServer.Reply;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BulkLoadTest {

    private static final String TABLE = "T";
    private static final int BATCHES = 4;

    private FakeServer server;
    private final Log log = new Log();

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer(TABLE, List.of("k"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Rows that a test lists. */
    private static final class Rows implements RowSource {

        private final Iterator<Row> rows;

        Rows(List<Row> rows) {
            this.rows = rows.iterator();
        }

        @Override
        public Optional<Row> next() {
            return rows.hasNext() ? Optional.of(rows.next()) : Optional.empty();
        }

        @Override
        public long bytesRead() {
            return 0;
        }

        @Override
        public void close() {}
    }

    /** Keeps what a load reports. */
    private static final class Log implements BulkLoad.Listener {

        private final List<Row.Bad> refused = new ArrayList<>();
        private final List<Long> doneLines = new ArrayList<>();

        @Override
        public void advanced(BulkLoad.Totals totals, long bytesRead, long doneLine) {
            assertThat(refused)
                    .allSatisfy(row -> assertThat(row.line()).isLessThanOrEqualTo(doneLine));
            doneLines.add(doneLine);
        }

        @Override
        public void refused(Row.Bad row) {
            refused.add(row);
        }

        long doneLine() {
            return doneLines.isEmpty() ? 0 : doneLines.get(doneLines.size() - 1);
        }
    }

    private static Row good(long line, String key, int value) {
        var item = Endpoint.JSON.createObjectNode();
        item.putObject("k").put("S", key);
        item.putObject("v").put("N", Integer.toString(value));
        return new Row.Good(line, item);
    }

    private static List<Row> distinct(int from, int to) {
        return IntStream.range(from, to).mapToObj(at -> good(at, "k" + at, at)).toList();
    }

    private BulkLoad.Totals load(List<Row> rows) throws IOException {
        return load(rows, 0);
    }

    private BulkLoad.Totals load(List<Row> rows, long afterLine) throws IOException {
        return new BulkLoad(new Endpoint(server.uri()), TABLE, List.of("k"), BATCHES, log)
                .run(new Rows(rows), afterLine);
    }

    private Map<String, Integer> stored() {
        Map<String, Integer> values = new HashMap<>();
        server.items()
                .forEach(
                        item ->
                                values.put(
                                        item.path("k").path("S").asText(),
                                        item.path("v").path("N").asInt()));
        return values;
    }

    @Test
    void everyRowIsWrittenOnceInBatches() throws IOException {
        BulkLoad.Totals totals = load(distinct(2, 1_002));
        assertThat(totals).isEqualTo(new BulkLoad.Totals(1_000, 0));
        assertThat(server.writes()).hasSize(1_000);
        assertThat(server.calls()).hasSize(40).containsOnly("BatchWriteItem");
        assertThat(log.doneLine()).isEqualTo(1_001);
        assertThat(log.doneLines).isSorted();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void rowsOfOneKeyAreWrittenInTheirOrderWhateverFails(long seed) throws IOException {
        // Given
        Random random = new Random(seed);
        List<Row> rows = new ArrayList<>();
        Map<String, Integer> last = new HashMap<>();
        for (int line = 2; line < 1_500; line++) {
            String key = "k" + random.nextInt(200);
            rows.add(good(line, key, line));
            last.put(key, line);
        }
        // some batches fail for a while, some are left undone
        for (int call = 0; call < 30; call++) {
            int choice = random.nextInt(6);
            if (choice == 0) {
                server.failNext("BatchWriteItem", 500, "InternalServerError");
            } else if (choice == 1) {
                server.failNext("BatchWriteItem", 400, "ThrottlingException");
            } else if (choice == 2) {
                server.next("BatchWriteItem", body -> Optional.of(leaveAll(body)));
            } else {
                server.next("BatchWriteItem", body -> Optional.empty());
            }
        }

        // When
        BulkLoad.Totals totals = load(rows);

        // Then
        assertThat(totals).isEqualTo(new BulkLoad.Totals(rows.size(), 0));
        assertThat(stored()).isEqualTo(last);
        Map<String, Integer> seen = new HashMap<>();
        for (JsonNode write : server.writes()) {
            int value = write.path("v").path("N").asInt();
            Integer before = seen.put(write.path("k").path("S").asText(), value);
            assertThat(before == null || before <= value).isTrue();
        }
    }

    /** Takes nothing of a batch and leaves all of it to be sent again. */
    private Reply leaveAll(JsonNode body) {
        List<JsonNode> left = new ArrayList<>();
        body.path("RequestItems").path(TABLE).forEach(left::add);
        return Reply.ok(server.unprocessed(left));
    }

    @Test
    void whatTheServerLeavesUnprocessedIsSentAgain() throws IOException {
        // Given: two of three are left, then one of two
        for (int left = 2; left > 0; left--) {
            int count = left;
            server.next(
                    "BatchWriteItem",
                    body -> {
                        List<JsonNode> requests = new ArrayList<>();
                        body.path("RequestItems").path(TABLE).forEach(requests::add);
                        int done = requests.size() - count;
                        requests.subList(0, done)
                                .forEach(put -> server.put(put.path("PutRequest").path("Item")));
                        return Optional.of(
                                Reply.ok(
                                        server.unprocessed(
                                                requests.subList(done, requests.size()))));
                    });
        }

        // When
        BulkLoad.Totals totals = load(distinct(2, 5));

        // Then
        assertThat(totals).isEqualTo(new BulkLoad.Totals(3, 0));
        assertThat(server.calls()).hasSize(3);
        assertThat(server.items()).hasSize(3);
    }

    @Test
    void aRefusedRowIsReportedAndTheOthersOfItsBatchAreWritten() throws IOException {
        server.refuse(item -> item.path("v").path("N").asInt() % 10 == 3);
        BulkLoad.Totals totals = load(distinct(2, 52));
        assertThat(totals).isEqualTo(new BulkLoad.Totals(45, 5));
        assertThat(log.refused).extracting(Row.Bad::line).containsExactly(3L, 13L, 23L, 33L, 43L);
        assertThat(log.refused)
                .allSatisfy(row -> assertThat(row.reason()).isEqualTo("The test refuses it"));
        assertThat(server.items()).hasSize(45);
    }

    @Test
    void rowsThatMakeNoItemAreReportedInOrderWithTheRefusedOnes() throws IOException {
        server.refuse(item -> item.path("v").path("N").asInt() == 4);
        List<Row> rows = new ArrayList<>(distinct(2, 30));
        rows.add(0, new Row.Bad(1, "x", "is wrong"));
        rows.add(10, new Row.Bad(9, "y", "is wrong"));
        rows.add(new Row.Bad(30, "z", "is wrong"));
        BulkLoad.Totals totals = load(rows);
        assertThat(totals).isEqualTo(new BulkLoad.Totals(27, 4));
        assertThat(log.refused).extracting(Row.Bad::line).containsExactly(1L, 4L, 9L, 30L);
        assertThat(log.doneLine()).isEqualTo(30);
    }

    @Test
    void equalNumbersAreOneKeyHoweverTheyAreWritten() throws IOException {
        // Given
        List<Row> rows = new ArrayList<>();
        for (String number : List.of("1", "1.0", "1e0")) {
            var item = Endpoint.JSON.createObjectNode();
            item.putObject("k").put("N", number);
            item.putObject("v").put("S", "at " + number);
            rows.add(new Row.Good(rows.size() + 2, item));
        }
        server.failNext("BatchWriteItem", 500, "InternalServerError");

        // When
        load(rows);

        // Then: three batches, one after the other
        assertThat(server.writes())
                .extracting(item -> item.path("v").path("S").asText())
                .containsExactly("at 1", "at 1.0", "at 1e0");
    }

    @Test
    void failuresThatPassAreTriedAgain() throws IOException {
        server.failNext("BatchWriteItem", 400, "ProvisionedThroughputExceededException")
                .failNext("BatchWriteItem", 503, "ServiceUnavailable");
        assertThat(load(distinct(2, 12))).isEqualTo(new BulkLoad.Totals(10, 0));
        assertThat(server.calls()).hasSize(3);
    }

    @Test
    void failuresThatStayEndTheLoadAndTellTheReason() {
        server.failNext("BatchWriteItem", 400, "ResourceNotFoundException");
        assertThatThrownBy(() -> load(distinct(2, 12)))
                .isInstanceOf(EndpointException.class)
                .hasMessage("as the test wants")
                .extracting(failure -> ((EndpointException) failure).type())
                .isEqualTo("ResourceNotFoundException");
        assertThat(log.doneLines).isEmpty();
    }

    @Test
    void aServerThatIsNotThereIsToldAtOnce() {
        URI uri = server.uri();
        server.close();
        Supplier<BulkLoad> load =
                () -> new BulkLoad(new Endpoint(uri), TABLE, List.of("k"), BATCHES, log);
        assertThatThrownBy(() -> load.get().run(new Rows(distinct(2, 12)), 0))
                .isInstanceOf(EndpointException.class)
                .hasMessageStartingWith("No server answers at " + uri);
    }

    @Test
    void aLoadThatWasStoppedGoesOnBehindTheLastLineThatIsDone() throws IOException {
        // Given: it stops in the middle
        List<Row> rows = new ArrayList<>(distinct(2, 302));
        rows.set(10, new Row.Bad(12, "x", "is wrong"));
        rows.set(290, new Row.Bad(292, "y", "is wrong"));
        AtomicBoolean broken = new AtomicBoolean(true);
        for (int call = 0; call < 40; call++) {
            boolean late = call >= 6;
            server.next(
                    "BatchWriteItem",
                    body ->
                            late && broken.get()
                                    ? Optional.of(Reply.error(400, "AccessDeniedException", "no"))
                                    : Optional.empty());
        }
        assertThatThrownBy(() -> load(rows)).isInstanceOf(EndpointException.class);
        long done = log.doneLine();
        assertThat(done).isBetween(26L, 200L);
        assertThat(log.refused).extracting(Row.Bad::line).containsExactly(12L);

        // When
        broken.set(false);
        BulkLoad.Totals totals = load(rows, done);

        // Then
        assertThat(totals.written() + totals.refused()).isEqualTo(301 - done);
        assertThat(server.items()).hasSize(298);
        assertThat(log.refused).extracting(Row.Bad::line).containsExactly(12L, 292L);
        assertThat(log.doneLine()).isEqualTo(301);
    }
}
