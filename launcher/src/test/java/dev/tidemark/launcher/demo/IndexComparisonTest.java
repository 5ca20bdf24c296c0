package dev.tidemark.launcher.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.client.FakeServer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IndexComparisonTest {

    private FakeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer("T", List.of("p", "s"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static JsonNode json(String text) throws IOException {
        return Endpoint.JSON.readTree(text.replace('\'', '"'));
    }

    private static JsonNode item(int number) throws IOException {
        return json(
                "{'p':{'S':'p'},'s':{'N':'"
                        + number
                        + "'},'g':{'S':'g"
                        + number % 2
                        + "'},'x':{'M':{'a':{'SS':['1','2']},'b':{'L':[{'BOOL':true}]}}},'y':{'N':'7'}}");
    }

    private IndexComparison.Found found(String projection) {
        server.describe(
                ("{'GlobalSecondaryIndexes':[{'IndexName':'byG','KeySchema':[{'AttributeName':'g'}],"
                                + "'Projection':"
                                + projection
                                + "}]}")
                        .replace('\'', '"'));
        return new IndexComparison(new Endpoint(server.uri()), "T").compare().indexes().get(0);
    }

    @Test
    void equalEntriesAgreeWhateverTheOrderOfMembersAndPages() throws IOException {
        for (int number = 0; number < 10; number++) {
            server.put(item(number));
        }
        for (int number = 9; number >= 0; number--) {
            server.entry(
                    "byG",
                    json(
                            "{'y':{'N':'7'},'x':{'M':{'b':{'L':[{'BOOL':true}]},'a':{'SS':['2','1']}}},'g':{'S':'g"
                                    + number % 2
                                    + "'},'s':{'N':'"
                                    + number
                                    + "'},'p':{'S':'p'}}"));
        }
        server.pageSize(3);
        IndexComparison.Found found = found("{'ProjectionType':'ALL'}");
        assertThat(found).isEqualTo(new IndexComparison.Found("byG", 10, 10, 0, 0, 0));
        assertThat(found.agrees()).isTrue();
    }

    @Test
    void missingDanglingAndDifferentEntriesAreCounted() throws IOException {
        for (int number = 0; number < 5; number++) {
            server.put(item(number));
        }
        server.put(json("{'p':{'S':'p'},'s':{'N':'9'}}")); // lacks the index key
        server.entry("byG", item(0));
        server.entry("byG", item(1));
        server.entry("byG", item(1)); // twice
        server.entry("byG", json("{'p':{'S':'p'},'s':{'N':'2'},'g':{'S':'g1'}}")); // old
        server.entry("byG", item(7)); // of no item
        IndexComparison.Found found = found("{'ProjectionType':'ALL'}");
        assertThat(found).isEqualTo(new IndexComparison.Found("byG", 5, 2, 2, 2, 1));
        assertThat(found.agrees()).isFalse();
    }

    @Test
    void projectionsLeaveTheOtherAttributesOut() throws IOException {
        server.put(item(1));
        server.entry("byG", json("{'p':{'S':'p'},'s':{'N':'1'},'g':{'S':'g1'}}"));
        assertThat(found("{'ProjectionType':'KEYS_ONLY'}").agrees()).isTrue();
        assertThat(found("{'ProjectionType':'INCLUDE','NonKeyAttributes':['z']}").agrees())
                .isTrue();
        assertThat(found("{'ProjectionType':'INCLUDE','NonKeyAttributes':['y']}").different())
                .isEqualTo(1);
    }
}
