package dev.tidemark.launcher.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import java.util.Optional;

/**
 * What a sensor measured at one moment.
 *
 * @param sensorId which sensor
 * @param measuredAt when, so that the order of the texts is that of the times
 * @param buildingId where
 * @param value the measured value, in DynamoDB's form of a number
 * @param qualityScore how far the value can be trusted, 0 to 100
 * @param severity how bad it is; only a reading with an open alert has one
 */
public record Reading(
        String sensorId,
        String measuredAt,
        String buildingId,
        String value,
        int qualityScore,
        Optional<String> severity) {

    /** The length of the date at the beginning of {@code measuredAt}. */
    private static final int DATE = 10;

    String day() {
        return measuredAt.substring(0, Math.min(DATE, measuredAt.length()));
    }

    /** Returns the item, its value under the name {@code valueName}. */
    ObjectNode item(String valueName) {
        ObjectNode item = Endpoint.JSON.createObjectNode();
        item.putObject(ReadingsTable.SENSOR).put("S", sensorId);
        item.putObject(ReadingsTable.TIME).put("S", measuredAt);
        item.putObject(ReadingsTable.BUILDING).put("S", buildingId);
        item.putObject(ReadingsTable.DAY).put("S", day());
        item.putObject(valueName).put("N", value);
        item.putObject(ReadingsTable.QUALITY).put("N", Integer.toString(qualityScore));
        severity.ifPresent(level -> item.putObject(ReadingsTable.SEVERITY).put("S", level));
        return item;
    }
}
