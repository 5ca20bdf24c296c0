package dev.tidemark.launcher.e2e;

import static dev.tidemark.launcher.e2e.Items.item;
import static dev.tidemark.launcher.e2e.Items.request;
import static dev.tidemark.launcher.e2e.Items.scan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.node.Node;
import dev.tidemark.launcher.node.StartException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What can't be taken is refused in DynamoDB's form, nothing is written, and the node lives on. */
class BadInputIT {

    private static final String TABLE = "BadInput";
    private static final int LARGEST_ITEM = 409_600;

    @RegisterExtension static final SharedNode NODE = new SharedNode();

    @TempDir Path folder;

    private static Wire wire() {
        return NODE.wire();
    }

    @BeforeAll
    static void create() {
        wire().create(TableRequest.of(TABLE, "pk:S,sk:N").global("gsi", "a:S", "ALL"));
    }

    @AfterEach
    void nothingIsWrittenAndTheNodeLives() {
        assertThat(wire().call("Scan", scan(TABLE, "").put("ConsistentRead", true)).ok().count())
                .isZero();
        assertThat(wire().call("Scan", scan(TABLE, "gsi")).ok().count()).isZero();
        assertThat(wire().get("/health/live").statusCode()).isEqualTo(200);
        assertThat(wire().get("/health/ready").statusCode()).isEqualTo(200);
    }

    @Test
    void aKeyThatMissesIsOfAnotherTypeEmptyOrTooLongIsRefused() {
        refused(item("pk", "p"), "One or more parameter values were invalid: Missing the key sk");
        refused(item("pk", "p", "sk", "s"), "Type mismatch for key sk expected: N actual: S");
        refused(item("pk", "", "sk", 1), "empty string value. Key: pk");
        refused(item("pk", "x".repeat(2_049), "sk", 1), "2048 bytes");
    }

    @Test
    void anIndexKeyOfAnotherTypeOrEmptyIsRefused() {
        refused(
                item("pk", "p", "sk", 1, "a", 1),
                "Type mismatch for Index Key a Expected: S Actual: N IndexName: gsi");
        refused(item("pk", "p", "sk", 1, "a", ""), "empty string value");
    }

    @Test
    void anItemOfOneByteTooManyIsRefused() {
        // pk and its value: 3, sk and its value: 4, the name big: 3
        int room = LARGEST_ITEM - 3 - 4 - 3;
        refused(
                item("pk", "p", "sk", 1, "big", "x".repeat(room + 1)),
                "Item size has exceeded the maximum allowed size");
        ObjectNode largest = item("pk", "p", "sk", 1, "big", "x".repeat(room));
        wire().put(TABLE, largest).ok();
        wire().delete(TABLE, item("pk", "p", "sk", 1)).ok();
    }

    @Test
    void aTableThatIsNotThereIsNotFound() {
        for (String operation : List.of("DescribeTable", "DeleteTable", "Scan")) {
            wire().call(operation, request("Nowhere")).refused("ResourceNotFoundException");
        }
        wire().put("Nowhere", item("pk", "p")).refused("ResourceNotFoundException");
    }

    @Test
    void whatIsNoJsonIsASerializationFault() {
        for (String body : List.of("", "{", "[]", "nonsense", "{\"TableName\": 5}")) {
            Wire.Answer answer = wire().call("PutItem", body);
            assertThat(answer.status()).as(body).isEqualTo(400);
            assertThat(answer.error())
                    .as(body)
                    .isIn("SerializationException", "ValidationException");
            assertThat(answer.header("x-amzn-requestid")).isNotEmpty();
            assertThat(answer.header("x-amz-crc32")).isNotEmpty();
        }
    }

    @Test
    void aHugeBodyIsTooLarge() {
        String body = "{\"TableName\": \"" + "x".repeat(17 * 1_024 * 1_024) + "\"}";
        assertThat(wire().call("PutItem", body).status()).isEqualTo(413);
    }

    @Test
    void aPortThatIsTakenAndAFolderInUseAreTold() {
        String port = Integer.toString(NODE.uri().getPort());
        assertThatExceptionOfType(StartException.class)
                .isThrownBy(
                        () ->
                                Node.start(
                                        SharedNode.RunningNode.config(
                                                folder, Map.of("http.port", port))))
                .withMessageContaining("Port " + port);
        assertThatExceptionOfType(StartException.class)
                .isThrownBy(
                        () -> Node.start(SharedNode.RunningNode.config(NODE.folder(), Map.of())))
                .withMessageContaining("is in use by another Tidemark");
    }

    private static void refused(ObjectNode item, String text) {
        assertThat(wire().put(TABLE, item).refused("ValidationException").message()).contains(text);
    }
}
