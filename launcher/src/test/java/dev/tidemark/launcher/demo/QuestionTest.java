package dev.tidemark.launcher.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QuestionTest {

    private static final Question DOUBTFUL =
            new Question(
                    "Doubtful readings",
                    Optional.of("byQuality"),
                    "sensorId = :sensor AND qualityScore < :limit",
                    Map.of(
                            ":sensor", Question.text("it's"),
                            ":limit", Question.number(80)),
                    true,
                    true,
                    3);

    @Test
    void isReadWithItsValuesInPlace() {
        assertThat(DOUBTFUL.readable()).isEqualTo("sensorId = it's AND qualityScore < 80");
    }

    @Test
    void isAShellLineThatQuotesItsValues() {
        assertThat(DOUBTFUL.shellLine("http://127.0.0.1:1"))
                .isEqualTo(
                        """
                        aws dynamodb query --endpoint-url http://127.0.0.1:1 --table-name SensorReadings --index-name byQuality \\
                            --key-condition-expression 'sensorId = :sensor AND qualityScore < :limit' \\
                            --expression-attribute-values '{":limit":{"N":"80"},":sensor":{"S":"it'\\''s"}}' \
                        --no-scan-index-forward --consistent-read --max-items 3""");
    }
}
