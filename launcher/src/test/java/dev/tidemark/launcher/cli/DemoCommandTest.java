package dev.tidemark.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.launcher.client.FakeServer;
import dev.tidemark.launcher.client.FakeServer.Reply;
import dev.tidemark.launcher.config.NodeConfig;
import dev.tidemark.launcher.demo.RunningServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DemoCommandTest {

    @TempDir Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<NodeConfig> started = new ArrayList<>();
    private FakeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer("SensorReadings", List.of("sensorId", "measuredAt"));
        server.describe(
                "{'GlobalSecondaryIndexes':[{'IndexName':'byDay','IndexStatus':'ACTIVE','KeySchema':"
                                .replace('\'', '"')
                        + "[{'AttributeName':'measuredDay'},{'AttributeName':'temperature'}]}]}"
                                .replace('\'', '"'));
        server.lag(
                "{'tables':[{'table':'SensorReadings','indexes':[{'index':'byDay','status':'ACTIVE',"
                                .replace('\'', '"')
                        + "'changes':0,'ageMillis':0}]}]}".replace('\'', '"'));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private int run(String... arguments) {
        CommandLine line = new CommandLine(new DemoCommand(this::startFake));
        line.setExecutionExceptionHandler(new FailureReport());
        return line.setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private RunningServer startFake(NodeConfig config) {
        started.add(config);
        return new RunningServer() {
            @Override
            public URI uri() {
                return server.uri();
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void anIndexThatLacksEntriesMakesTheExitCodeOne() {
        assertThat(run("--exit", "--readings", "100")).isEqualTo(1);
        assertThat(server.items()).hasSize(100);
        assertThat(out.toString())
                .containsPattern("byDay +100 +0 +100 +0 +0")
                .contains("NOT EVERY INDEX IS THE PROJECTION of the table's 100 items")
                .contains("NOT everything agreed.");
    }

    @Test
    void anIndexThatHoldsWhatItShouldMakesTheExitCodeZero() {
        server.next(
                "Scan",
                body -> {
                    server.items().forEach(item -> server.entry("byDay", item));
                    return Optional.empty();
                });
        assertThat(run("--exit", "--readings", "100")).isZero();
        assertThat(out.toString())
                .containsSubsequence(
                        "\n1  Start a server",
                        "\n2  Create the table",
                        "\n3  Write 70 readings of 48 simulated sensors",
                        "\n4  Add an index while writes go on",
                        "\n5  Ask one question per access pattern",
                        "\n6  Compare every index",
                        "\n7  How far the indexes trail",
                        "Everything agreed.");
    }

    @Test
    void theTemporaryFolderIsRemovedAndAGivenOneIsKept() {
        run("--exit", "--readings", "10");
        assertThat(started.get(0).dataFolder()).doesNotExist();
        run("--exit", "--readings", "10", "--data", folder.toString(), "--port", "0");
        assertThat(started.get(1).dataFolder()).isEqualTo(folder).exists();
        assertThat(started.get(1).http().port()).isZero();
    }

    @Test
    void aFolderThatHoldsTheTableAlreadyIsToldWithWhatToDo() {
        server.next(
                "CreateTable",
                body ->
                        Optional.of(
                                Reply.error(
                                        400, "ResourceInUseException", "Table already exists")));
        assertThat(run("--exit", "--data", folder.toString())).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("tidemark: the data folder holds the demonstration's table already")
                .contains("tidemark serve --data " + folder);
    }

    @Test
    void aFileThatIsNoReadingsIsToldBeforeAServerStarts() throws IOException {
        Path file = Files.writeString(folder.resolve("f.csv"), "a,b\n1,2\n");
        assertThat(run("--exit", "--from", file.toString())).isEqualTo(2);
        assertThat(run("--exit", "--from", folder.resolve("none.csv").toString())).isEqualTo(2);
        assertThat(run("--exit", "--readings", "0")).isEqualTo(2);
        assertThat(err.toString())
                .contains("needs the columns timestamp and value")
                .contains("tidemark: there is no file ")
                .contains("--readings takes 1 or more");
        assertThat(started).isEmpty();
    }
}
