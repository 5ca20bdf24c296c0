package dev.tidemark.launcher.e2e;

import static dev.tidemark.launcher.e2e.Items.batch;
import static dev.tidemark.launcher.e2e.Items.item;
import static dev.tidemark.launcher.e2e.Items.names;
import static dev.tidemark.launcher.e2e.Items.query;
import static dev.tidemark.launcher.e2e.Items.request;
import static dev.tidemark.launcher.e2e.Items.scan;
import static dev.tidemark.launcher.e2e.Items.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Failures that users of stores of this kind have reported in what one request stores, is refused
 * or is told: they must not happen here.
 */
class FieldFailuresInRequestsIT {

    @RegisterExtension static final SharedNode NODE = new SharedNode();

    private static Wire wire() {
        return NODE.wire();
    }

    /** moto 3055, 5950, localstack 805. */
    @Test
    void anIndexShowsItsProjectionAndNothingElse() {
        // Given
        wire().create(
                        TableRequest.of("Projected", "pk:S,sk:S")
                                .global("keys", "g:S", "KEYS_ONLY")
                                .global("some", "g:S", "x")
                                .global("all", "g:S", "ALL"));
        wire().put("Projected", item("pk", "p", "sk", "s", "g", "G", "x", 1, "y", 2)).ok();

        // Then
        assertShows("keys", "pk", "sk", "g");
        assertShows("some", "pk", "sk", "g", "x");
        assertShows("all", "pk", "sk", "g", "x", "y");
        for (String index : List.of("keys", "some")) {
            for (Wire.Answer answer :
                    List.of(
                            wire().call("Scan", all(scan("Projected", index))),
                            wire().call("Query", all(query("Projected", index, "g = :0", "G"))))) {
                assertThat(answer.refused("ValidationException").message())
                        .contains("Select type ALL_ATTRIBUTES is not supported")
                        .contains(index);
            }
        }
        wire().call("Scan", all(scan("Projected", "all"))).ok();
    }

    private static void assertShows(String index, String... attributes) {
        for (Wire.Answer answer :
                List.of(
                        wire().call("Scan", scan("Projected", index)).ok(),
                        wire().call("Query", query("Projected", index, "g = :0", "G")).ok())) {
            assertThat(answer.items()).hasSize(1);
            assertThat(names(answer.items().path(0))).containsExactlyInAnyOrder(attributes);
        }
    }

    private static ObjectNode all(ObjectNode request) {
        return request.put("Select", "ALL_ATTRIBUTES");
    }

    /** ExtendDB 184, dynalite 164, 184, moto 5830. */
    @Test
    void whatCanBeNoIndexKeyIsRefusedByEveryWrite() {
        // Given
        wire().create(TableRequest.of("BadIndexKey", "pk:S").global("gsi", "a:S", "ALL"));
        ObjectNode stored = item("pk", "stored", "a", "fine");
        wire().put("BadIndexKey", stored).ok();

        for (String bad : List.of("{\"N\": \"1\"}", "{\"S\": \"\"}", "{\"L\": []}")) {
            // When
            JsonNode value = Wire.read(bad);
            Wire.Answer put = wire().put("BadIndexKey", item("pk", "stored", "a", value));
            Wire.Answer written =
                    wire().call(
                                    "BatchWriteItem",
                                    batch(
                                            "BadIndexKey",
                                            item("pk", "new", "a", "fine"),
                                            item("pk", "bad", "a", value)));
            ObjectNode update = request("BadIndexKey").put("UpdateExpression", "SET a = :0");
            update.set("Key", item("pk", "stored"));
            update.putObject("ExpressionAttributeValues").set(":0", value);
            Wire.Answer updated = wire().call("UpdateItem", update);

            // Then
            for (Wire.Answer answer : List.of(put, written)) {
                assertThat(answer.refused("ValidationException").message())
                        .containsPattern("Index ?Key:? a")
                        .contains("IndexName: gsi");
            }
            // Amazon names no index for an empty text of an update
            assertThat(updated.refused("ValidationException").message())
                    .containsPattern("Index Key a .* IndexName: gsi|secondary index key");
        }
        assertThat(wire().call("Scan", scan("BadIndexKey", "").put("ConsistentRead", true)).items())
                .containsExactly(stored);
        assertThat(wire().call("Scan", scan("BadIndexKey", "gsi")).items()).containsExactly(stored);
    }

    /** ExtendDB 7, boto3 2500. */
    @Test
    void equalNumbersAreOneKeyAndComeBackInOneForm() {
        wire().create(TableRequest.of("EqualNumbers", "n:N"));
        Map<String, String> storedByWritten =
                Map.of(
                        "00042", "42", "-0", "0", "1.0", "1", "1.5E2", "150", "+5", "5", "0.0010",
                        "0.001");
        storedByWritten.forEach(
                (written, stored) -> {
                    wire().put("EqualNumbers", item("n", number(stored), "v", 0)).ok();
                    wire().put("EqualNumbers", item("n", number(written), "v", number(written)))
                            .ok();
                    assertThat(
                                    wire().get("EqualNumbers", item("n", number(written)))
                                            .body()
                                            .path("Item"))
                            .isEqualTo(item("n", number(stored), "v", number(stored)));
                });
        ObjectNode all = scan("EqualNumbers", "").put("ConsistentRead", true);
        assertThat(texts(wire().call("Scan", all).items(), "n"))
                .containsExactlyInAnyOrderElementsOf(storedByWritten.values());
    }

    /** moto 2760. */
    @Test
    void largeNumbersAreKeptAndTooLargeOrTooLongOnesRefused() {
        wire().create(TableRequest.of("LargeNumbers", "pk:S"));
        String most = "9".repeat(38);
        for (String kept : List.of("1" + "0".repeat(100), most, "-" + most)) {
            wire().put("LargeNumbers", item("pk", "p", "n", number(kept))).ok();
            assertThat(wire().get("LargeNumbers", item("pk", "p")).body().at("/Item/n/N").asText())
                    .isEqualTo(kept);
        }
        for (String refused : List.of(most + "9", "1E126", "-1E126", "1E-131", "NaN", "")) {
            wire().put("LargeNumbers", item("pk", "p", "n", number(refused)))
                    .refused("ValidationException");
        }
        assertThat(wire().put("LargeNumbers", item("pk", "p", "n", number(most + "9"))).message())
                .contains("more than 38 significant digits");
        assertThat(wire().get("LargeNumbers", item("pk", "p")).body().at("/Item/n/N").asText())
                .isEqualTo("-" + most);
    }

    /** moto 2384. */
    @Test
    void numbersAreInTheOrderOfTheirValues() {
        // Given
        wire().create(TableRequest.of("NumberOrder", "pk:S,n:N"));
        for (String number : List.of("10", "0", "-0.6", "2", "-0.7")) {
            wire().put("NumberOrder", item("pk", "p", "n", number(number))).ok();
        }
        ObjectNode all = query("NumberOrder", "", "pk = :0", "p").put("ConsistentRead", true);
        ObjectNode some =
                query(
                                "NumberOrder",
                                "",
                                "pk = :0 AND n BETWEEN :1 AND :2",
                                "p",
                                number("-0.65"),
                                number("2.0"))
                        .put("ConsistentRead", true);

        // Then
        assertThat(texts(wire().call("Query", all).items(), "n"))
                .containsExactly("-0.7", "-0.6", "0", "2", "10");
        assertThat(texts(wire().call("Query", some).items(), "n"))
                .containsExactly("-0.6", "0", "2");
        all.put("ScanIndexForward", false);
        some.put("ScanIndexForward", false);
        assertThat(texts(wire().call("Query", all).items(), "n"))
                .containsExactly("10", "2", "0", "-0.6", "-0.7");
        assertThat(texts(wire().call("Query", some).items(), "n"))
                .containsExactly("2", "0", "-0.6");
    }

    private static JsonNode number(String text) {
        return Wire.JSON.createObjectNode().put("N", text);
    }

    /** kumo 860, dynalite 86, 94, moto 3909. */
    @Test
    void aFilterThatNothingPassesStillSaysWhereToGoOn() {
        // Given
        wire().create(TableRequest.of("NothingPasses", "pk:S"));
        for (int n = 0; n < 3; n++) {
            wire().put("NothingPasses", item("pk", "p" + n)).ok();
        }
        ObjectNode scan =
                scan("NothingPasses", "")
                        .put("Limit", 1)
                        .put("ConsistentRead", true)
                        .put("FilterExpression", "attribute_exists(x)");

        // Then
        Set<String> seen = new HashSet<>();
        for (int page = 0; page < 3; page++) {
            Wire.Answer answer = wire().call("Scan", scan).ok();
            assertThat(answer.count()).isZero();
            assertThat(answer.items()).isEmpty();
            assertThat(answer.body().path("ScannedCount").asInt()).isEqualTo(1);
            JsonNode cursor = answer.body().path("LastEvaluatedKey");
            seen.add(cursor.at("/pk/S").asText());
            scan.set("ExclusiveStartKey", cursor);
        }
        assertThat(seen).containsExactlyInAnyOrder("p0", "p1", "p2");
        Wire.Answer end = wire().call("Scan", scan).ok();
        assertThat(end.body().path("ScannedCount").asInt()).isZero();
        assertThat(end.body().has("LastEvaluatedKey")).isFalse();
    }

    /** localstack 429, aws-sdk-java 526. */
    @Test
    void theChecksumIsOfTheBytesAsSent() throws IOException {
        // Given
        wire().create(TableRequest.of("Checksum", "pk:S"));
        wire().put("Checksum", item("pk", "large", "pad", "large ".repeat(10_000))).ok();
        wire().put("Checksum", item("pk", "small", "pad", "")).ok();

        for (String coding : List.of("gzip", "identity")) {
            for (String key : List.of("small", "large", "missing")) {
                // When
                HttpResponse<byte[]> reply =
                        get(
                                request("Checksum").set("Key", item("pk", key)),
                                "Accept-Encoding",
                                coding);

                // Then
                assertChecksum(reply);
                boolean compressed = reply.headers().firstValue("Content-Encoding").isPresent();
                assertThat(compressed).isEqualTo(coding.equals("gzip") && key.equals("large"));
                byte[] body = compressed ? gunzip(reply) : reply.body();
                assertThat(
                                Wire.read(new String(body, StandardCharsets.UTF_8))
                                        .path("Item")
                                        .has("pad"))
                        .isEqualTo(!key.equals("missing"));
            }
            assertChecksum(get(request("Nowhere"), "Accept-Encoding", coding));
        }
    }

    private static HttpResponse<byte[]> get(JsonNode request, String... headers) {
        return wire().sendForBytes(
                        "GetItem", request.toString().getBytes(StandardCharsets.UTF_8), headers)
                .join();
    }

    private static void assertChecksum(HttpResponse<byte[]> reply) {
        CRC32 crc = new CRC32();
        crc.update(reply.body());
        assertThat(reply.headers().firstValue("x-amz-crc32"))
                .contains(Long.toString(crc.getValue()));
    }

    private static byte[] gunzip(HttpResponse<byte[]> reply) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(reply.body()))) {
            return in.readAllBytes();
        }
    }
}
