package dev.tidemark.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.write.Write;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a command follows from the log alone. */
class DeterminismTest {

    private static final TableDefinition TABLE = TestTables.things(1);

    @TempDir private Path first;
    @TempDir private Path second;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void theSameLogGivesTheSameBytesAndOutcomes(long seed) {
        // Given
        List<Write> log = new ArrayList<>();
        RandomCommands commands = new RandomCommands(seed);
        for (int number = 0; number < 500; number++) {
            log.add(
                    number == 250
                            ? new Write.DefineIndexKeys(1, List.of())
                            : commands.next().write());
        }

        // When
        List<String> once = replay(log, first);
        List<String> again = replay(log, second);

        // Then
        assertThat(again).isEqualTo(once).hasSizeGreaterThan(500);
    }

    private static List<String> replay(List<Write> log, Path folder) {
        try (TestPartition partition = new TestPartition(TABLE, folder)) {
            log.forEach(partition::send);
            List<String> seen = new ArrayList<>();
            partition
                    .rawChanges()
                    .forEach(
                            change ->
                                    seen.add(
                                            HexFormat.of().formatHex(change.key())
                                                    + " "
                                                    + HexFormat.of().formatHex(change.value())
                                                    + " "
                                                    + change.timestamp()));
            partition.outcomes().forEach(outcome -> seen.add(outcome.toString()));
            return seen;
        }
    }
}
