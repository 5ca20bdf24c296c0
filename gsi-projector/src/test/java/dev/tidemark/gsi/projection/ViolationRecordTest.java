package dev.tidemark.gsi.projection;

import static dev.tidemark.gsi.TestTable.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.gsi.TestTable;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.key.StorageKeys;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ViolationRecordTest {

    private static final GlobalIndex INDEX = TestTable.byPlace();
    private static final TableDefinition TABLE = TestTable.definition(1, INDEX);

    private final TestTable table = new TestTable(TABLE);
    private final ChangeProjection projection = new ChangeProjection(TABLE, INDEX);
    private final ViolationRecord record = new ViolationRecord(TABLE, INDEX);

    /** Programs read this from the topic: members may be added, but not renamed or removed. */
    @Test
    void textIsAsOthersReadIt() {
        // When
        ChangeRecord change =
                table.put(item("id", "say \"ß\"", "place", "x".repeat(2_049), "pin", "1234"))
                        .orElseThrow();
        Unsuitable why = projection.project(change).after().orElseThrow();

        // Then
        assertThat(ViolationRecord.key(change)).isEqualTo(StorageKeys.item(change.key()));
        assertThat(new String(record.text(change, why), StandardCharsets.UTF_8))
                .isEqualTo(
                        """
                        {"Key":{"id":{"S":"say \\"ß\\""}},"TableName":"readings",\
                        "IndexName":"by-place","Generation":1,"AttributeName":"place",\
                        "KeyType":"HASH","Violation":"TOO_LONG",\
                        "Reason":"Index Key place has 2049 bytes, of which a partition key may have \
                        at most 2048","ExpectedType":"S","ActualType":"S","Size":2049,\
                        "SizeLimit":2048,"Partition":0,"SequenceNumber":1,\
                        "Time":"1970-01-01T00:16:40.001Z"}""");
    }
}
