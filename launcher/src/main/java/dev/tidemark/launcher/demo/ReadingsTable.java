package dev.tidemark.launcher.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.TableSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The demonstration's table and its indexes.
 *
 * @param valueName the attribute that holds what is measured
 */
record ReadingsTable(String valueName) {

    static final String NAME = "SensorReadings";

    static final String SENSOR = "sensorId";
    static final String TIME = "measuredAt";
    static final String BUILDING = "buildingId";
    static final String DAY = "measuredDay";
    static final String QUALITY = "qualityScore";
    static final String SEVERITY = "severity";

    static final String BY_QUALITY = "byQuality";
    static final String BY_SEVERITY = "bySeverity";
    static final String BY_BUILDING = "byBuilding";

    /** The index that is added while writes go on. */
    static final String BY_DAY = "byDay";

    static final String CRITICAL = "CRITICAL";

    private static final int SHOWN = 3;
    private static final int LOW_QUALITY = 80;

    /** Returns the table as it is created, without the index that comes later. */
    TableSpec spec() {
        Map<String, List<String>> global = new LinkedHashMap<>();
        global.put(BY_SEVERITY, List.of(SEVERITY, TIME));
        global.put(BY_BUILDING, List.of(BUILDING, TIME));
        return new TableSpec(
                NAME,
                List.of(SENSOR, TIME),
                Map.of(BY_QUALITY, QUALITY),
                global,
                Map.of(QUALITY, "N", valueName, "N"));
    }

    /** Returns the body of the UpdateTable request that adds the later index. */
    ObjectNode addByDay() {
        return spec().addIndexRequest(BY_DAY, List.of(DAY, valueName));
    }

    /** Returns one question per access pattern, about what is around {@code example}. */
    List<Question> questions(Reading example) {
        return List.of(
                new Question(
                        "The latest readings of a sensor",
                        Optional.empty(),
                        "sensorId = :sensor",
                        Map.of(":sensor", Question.text(example.sensorId())),
                        true,
                        true,
                        SHOWN),
                new Question(
                        "The readings of a sensor between two times",
                        Optional.empty(),
                        "sensorId = :sensor AND measuredAt BETWEEN :from AND :to",
                        Map.of(
                                ":sensor",
                                Question.text(example.sensorId()),
                                ":from",
                                Question.text(example.day()),
                                ":to",
                                Question.text(example.measuredAt())),
                        false,
                        false,
                        SHOWN),
                new Question(
                        "The doubtful readings of a sensor, the worst first, surely up to date",
                        Optional.of(BY_QUALITY),
                        "sensorId = :sensor AND qualityScore < :limit",
                        Map.of(
                                ":sensor",
                                Question.text(example.sensorId()),
                                ":limit",
                                Question.number(LOW_QUALITY)),
                        false,
                        true,
                        SHOWN),
                new Question(
                        "The latest open critical alerts",
                        Optional.of(BY_SEVERITY),
                        "severity = :level",
                        Map.of(":level", Question.text(CRITICAL)),
                        true,
                        false,
                        SHOWN),
                new Question(
                        "The latest readings in a building",
                        Optional.of(BY_BUILDING),
                        "buildingId = :building",
                        Map.of(":building", Question.text(example.buildingId())),
                        true,
                        false,
                        SHOWN),
                new Question(
                        "The highest values of a day, from the index added just now",
                        Optional.of(BY_DAY),
                        "measuredDay = :day",
                        Map.of(":day", Question.text(example.day())),
                        true,
                        false,
                        SHOWN));
    }
}
