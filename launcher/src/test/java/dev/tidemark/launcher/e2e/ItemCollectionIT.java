package dev.tidemark.launcher.e2e;

import static dev.tidemark.launcher.e2e.Items.batch;
import static dev.tidemark.launcher.e2e.Items.item;
import static dev.tidemark.launcher.e2e.Items.request;
import static dev.tidemark.launcher.e2e.Items.scan;
import static dev.tidemark.launcher.e2e.Items.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.node.Node;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table with local indexes keeps the limit of its item collections for life. */
class ItemCollectionIT {

    private static final String TABLE = "Collections";
    private static final String LIMIT = "table.item-collection-limit";
    private static final String REFUSED = "ItemCollectionSizeLimitExceededException";

    @TempDir Path folder;

    private Node node;

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void aFullCollectionTakesNoMoreUntilItShrinksAlsoAfterARestartWithAnotherLimit() {
        // Given
        Wire wire = start("20KB");
        wire.create(TableRequest.of(TABLE, "pk:S,sk:N").local("byScore", "pk:S,score:N", "ALL"));
        wire.create(TableRequest.of("Free", "pk:S,sk:N"));
        for (int sk = 0; sk < 4; sk++) {
            wire.put(TABLE, large("full", sk)).ok();
        }

        // When
        wire.put(TABLE, large("full", 4)).refused(REFUSED);
        wire.call("UpdateItem", grow(0)).refused(REFUSED);
        wire.call("BatchWriteItem", batch(TABLE, large("full", 5))).refused(REFUSED);

        // Then nothing of them is there, and everything else goes on
        assertThat(texts(wire.call("Scan", scan(TABLE, "byScore")).ok().items(), "sk"))
                .containsExactly("0", "1", "2", "3");
        wire.put(TABLE, large("other", 0)).ok();
        wire.put(TABLE, item("pk", "full", "sk", 3, "score", 3)).ok();
        wire.put(TABLE, large("full", 4)).ok();
        for (int sk = 0; sk < 10; sk++) {
            wire.put("Free", large("full", sk)).ok();
        }

        // When the setting is another
        node.close();
        Wire again = start("10GB");

        // Then the table's limit is its own
        again.put(TABLE, large("full", 5)).refused(REFUSED);
        again.delete(TABLE, item("pk", "full", "sk", 4)).ok();
        JsonNode metrics =
                again.call(
                                "PutItem",
                                request(TABLE)
                                        .put("ReturnItemCollectionMetrics", "SIZE")
                                        .<ObjectNode>set("Item", large("full", 5)))
                        .ok()
                        .body()
                        .path("ItemCollectionMetrics");
        assertThat(metrics.at("/ItemCollectionKey/pk/S").asText()).isEqualTo("full");
        assertThat(metrics.at("/SizeEstimateRangeGB/0").asDouble(-1)).isZero();
        assertThat(metrics.at("/SizeEstimateRangeGB/1").asDouble()).isEqualTo(1);
    }

    private Wire start(String limit) {
        node = Node.start(SharedNode.RunningNode.config(folder, Map.of(LIMIT, limit)));
        return new Wire(node.uri());
    }

    /** Returns an item that takes 2.4 KB in the table and as much in the index. */
    private static ObjectNode large(String pk, int sk) {
        return item("pk", pk, "sk", sk, "score", sk, "text", "x".repeat(2_400));
    }

    private static ObjectNode grow(int sk) {
        ObjectNode update = request(TABLE).put("UpdateExpression", "SET more = :more");
        update.set("Key", item("pk", "full", "sk", sk));
        update.set("ExpressionAttributeValues", item(":more", "x".repeat(2_400)));
        return update;
    }
}
