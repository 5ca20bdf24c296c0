package dev.tidemark.launcher.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.load.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadingsTest {

    @TempDir Path folder;

    private static List<ObjectNode> items(Readings readings) throws IOException {
        List<ObjectNode> items = new ArrayList<>();
        for (Optional<Row> row = readings.next(); row.isPresent(); row = readings.next()) {
            if (row.orElseThrow() instanceof Row.Good good) {
                items.add(good.item());
            }
        }
        return items;
    }

    private static String text(ObjectNode item, String name) {
        return item.path(name).path("S").asText("");
    }

    @Test
    void theSameSeedMakesTheSameReadingsAndAnotherMakesOthers() throws IOException {
        List<ObjectNode> first = items(Readings.simulated(500, 7));
        assertThat(items(Readings.simulated(500, 7))).isEqualTo(first);
        assertThat(items(Readings.simulated(500, 8))).isNotEqualTo(first);
    }

    @Test
    void simulatedReadingsHaveDistinctKeysAndSomeAlerts() throws IOException {
        List<ObjectNode> items = items(Readings.simulated(20_000, 42));
        assertThat(items).hasSize(20_000);
        assertThat(items.stream().map(item -> text(item, "sensorId") + text(item, "measuredAt")))
                .doesNotHaveDuplicates();
        long critical =
                items.stream().filter(item -> text(item, "severity").equals("CRITICAL")).count();
        assertThat(critical).isBetween(20L, 100L);
        assertThat(items)
                .allSatisfy(
                        item -> {
                            assertThat(item.path("temperature").path("N").asDouble())
                                    .isBetween(5.0, 60.0);
                            assertThat(item.path("qualityScore").path("N").asInt())
                                    .isBetween(0, 100);
                            assertThat(text(item, "measuredAt"))
                                    .startsWith(text(item, "measuredDay"));
                        });
    }

    @Test
    void evenTheShortestSimulationHasACriticalAlert() throws IOException {
        assertThat(items(Readings.simulated(25, 1)))
                .anySatisfy(item -> assertThat(text(item, "severity")).isEqualTo("CRITICAL"));
    }

    @Test
    void aFileIsOneSensorWhoseOutliersAreAlerts() throws IOException {
        // Given: a level series with one outlier
        StringBuilder csv = new StringBuilder("timestamp,value\n");
        for (int row = 0; row < 120; row++) {
            csv.append(String.format("2013-12-02 21:%02d:%02d,", row / 60, row % 60))
                    .append(row == 100 ? "95.5" : row % 2 == 0 ? "70.25" : "71")
                    .append('\n');
        }
        Path file = Files.writeString(folder.resolve("machine.csv"), csv);

        // When
        try (Readings readings = Readings.of(file, Long.MAX_VALUE)) {
            assertThat(readings.size()).isEqualTo(120);
            List<ObjectNode> items = items(readings);

            // Then
            assertThat(items).hasSize(120);
            assertThat(items.get(0).toString())
                    .isEqualTo(
                            "{\"sensorId\":{\"S\":\"machine\"},\"measuredAt\":{\"S\":\"2013-12-02T21:00:00Z\"},"
                                    + "\"buildingId\":{\"S\":\"building-A\"},\"measuredDay\":{\"S\":\"2013-12-02\"},"
                                    + "\"measurement\":{\"N\":\"70.25\"},\"qualityScore\":{\"N\":\"100\"}}");
            assertThat(items.stream().filter(item -> item.has("severity")))
                    .singleElement()
                    .isEqualTo(items.get(100));
            assertThat(text(items.get(100), "severity")).isEqualTo("CRITICAL");
            assertThat(items.get(100).path("qualityScore").path("N").asInt()).isZero();
            assertThat(readings.example().orElseThrow().measuredAt())
                    .isEqualTo("2013-12-02T21:01:59Z");
        }
    }

    @Test
    void onlySoManyRowsOfAFileAreTaken() throws IOException {
        Path file = Files.writeString(folder.resolve("f.csv"), "timestamp,value\n1,2\n2,3\n3,4\n");
        try (Readings readings = Readings.of(file, 2)) {
            assertThat(readings.size()).isEqualTo(2);
            assertThat(items(readings)).hasSize(2);
        }
    }

    @Test
    void aFileOfOtherColumnsIsRefused() throws IOException {
        Path other = Files.writeString(folder.resolve("other.csv"), "time,value\n1,2\n");
        assertThatThrownBy(() -> Readings.of(other, 10))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("needs the columns timestamp and value");
        Path empty = Files.writeString(folder.resolve("empty.csv"), "timestamp,value\n");
        assertThatThrownBy(() -> Readings.of(empty, 10))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("has no rows");
    }
}
