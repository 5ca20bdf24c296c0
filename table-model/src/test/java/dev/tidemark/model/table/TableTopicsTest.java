package dev.tidemark.model.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class TableTopicsTest {

    private final TableId id = TableId.random(new Random(1));

    @Test
    void namesAreReadable() {
        TableTopics topics = new TableTopics(new TableName("SensorReadings"), id);
        assertThat(topics.writes()).isEqualTo("td.SensorReadings." + id + ".writes");
        assertThat(topics.indexApplication(new IndexName("byBuilding"), 2))
                .isEqualTo("td.SensorReadings." + id + ".gsi.byBuilding.2");
    }

    @Test
    void longNamesAreCutAndStayUniqueAndLegal() {
        TableTopics topics = new TableTopics(new TableName("t".repeat(255)), id);
        TableTopics other = new TableTopics(new TableName("t".repeat(254)), id);
        IndexName index = new IndexName("i".repeat(255));
        String name = topics.indexApplication(index, 1) + "-updates-repartition";
        assertThat(name).hasSizeLessThanOrEqualTo(249).matches("[a-zA-Z0-9._-]+");
        assertThat(topics.writes()).isNotEqualTo(other.writes()).isNotEqualTo(topics.changes());
        assertThat(topics.indexApplication(index, 1))
                .isNotEqualTo(topics.indexApplication(index, 2));
    }
}
