package dev.tidemark.launcher.e2e;

import static dev.tidemark.launcher.e2e.Items.item;
import static dev.tidemark.launcher.e2e.Items.query;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who has written reads it from the indexes too (guarantee 6). */
class ReadYourWritesIT {

    @RegisterExtension static final SharedNode NODE = new SharedNode();

    private static Wire wire() {
        return NODE.wire();
    }

    @Test
    void anIndexReadSeesAtOnceWhatThisNodeHasAcknowledged() {
        wire().create(TableRequest.of("OwnWrites", "pk:S").global("gsi", "g:S,pk:S", "ALL"));
        for (int n = 0; n < 100; n++) {
            wire().put("OwnWrites", item("pk", "p" + n, "g", "g" + n)).ok();
            Wire.Answer answer =
                    wire().call("Query", query("OwnWrites", "gsi", "g = :0", "g" + n)).ok();
            assertThat(answer.count()).isEqualTo(1);
            assertThat(answer.header("x-tidemark-lag")).matches("changes=\\d+;ms=\\d+");
        }
    }

    @Test
    void anIndexReadAfterAPositionSeesTheWriteThere() {
        wire().create(TableRequest.of("After", "pk:S").global("gsi", "g:S,pk:S", "ALL"));
        for (int n = 0; n < 50; n++) {
            String position =
                    wire().put("After", item("pk", "p" + n, "g", "g" + n))
                            .ok()
                            .header("x-tidemark-position");
            assertThat(position).isNotEmpty();
            Wire.Answer answer =
                    wire().call(
                                    "Query",
                                    query("After", "gsi", "g = :0", "g" + n),
                                    "x-tidemark-after",
                                    position)
                            .ok();
            assertThat(answer.count()).isEqualTo(1);
        }
    }

    @Test
    void aPositionThatIsNoneOrOfAnotherTableIsRefused() {
        wire().create(TableRequest.of("Here", "pk:S").global("gsi", "g:S,pk:S", "ALL"));
        wire().create(TableRequest.of("Elsewhere", "pk:S"));
        String other = wire().put("Elsewhere", item("pk", "p")).ok().header("x-tidemark-position");

        for (String position : List.of("garbage", "1:2:3", "!!!", other)) {
            wire().call("Query", query("Here", "gsi", "g = :0", "g"), "x-tidemark-after", position)
                    .refused("ValidationException");
        }
    }
}
