package dev.tidemark.query.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.SpareGeneration;
import dev.tidemark.model.table.TableClass;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.Throughput;
import dev.tidemark.query.record.InvalidRecordException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogRecordTest {

    private static final Instant AT = Instant.ofEpochMilli(1_700_000_000_123L);

    private static final TableId ID = new TableId("abcdefgh");

    static List<CatalogCommand> commands() {
        GlobalIndex wide =
                new GlobalIndex(
                        new IndexName("wide"),
                        3,
                        new KeySchema(
                                List.of(
                                        new KeyAttribute("h1", KeyType.S),
                                        new KeyAttribute("h2", KeyType.B)),
                                List.of(new KeyAttribute("r1", KeyType.N))),
                        new Projection.Include(List.of("öäü", "b")),
                        new Throughput(5, 7),
                        IndexStatus.CREATING);
        return List.of(
                new CatalogCommand.CreateTable(Tables.onDemand("readings", "abcdefgh", wide)),
                new CatalogCommand.MarkTableActive(ID),
                new CatalogCommand.StartDeletingTable(ID),
                new CatalogCommand.ForgetTable(ID),
                new CatalogCommand.UpdateTable(
                        ID,
                        List.of(
                                Tables.add("late", "a", KeyType.N),
                                new TableChange.StartDeletingIndex(new IndexName("wide"), 1),
                                new TableChange.SetBilling(
                                        BillingMode.PROVISIONED, new Throughput(1, 2), AT),
                                new TableChange.SetIndexThroughput(
                                        new IndexName("wide"), new Throughput(3, 4), AT),
                                new TableChange.SetDeletionProtection(true),
                                new TableChange.SetTimeToLive("end", true),
                                new TableChange.SetCapacity(
                                        Optional.of(new IndexName("wide")),
                                        OptionalLong.of(-1),
                                        OptionalLong.empty(),
                                        OptionalLong.empty(),
                                        OptionalLong.of(4)),
                                new TableChange.SetTableClass(
                                        TableClass.STANDARD_INFREQUENT_ACCESS, AT))),
                new CatalogCommand.MarkIndexActive(
                        ID, new IndexName("wide"), 3, Optional.empty(), false),
                new CatalogCommand.MarkIndexActive(
                        ID, new IndexName("wide"), 3, Optional.of(AT), true),
                new CatalogCommand.SetIndexTarget(
                        ID, new IndexName("wide"), 3, List.of(0L, Long.MAX_VALUE)),
                new CatalogCommand.UpdateTable(
                        ID,
                        List.of(
                                new GenerationChange.StartNextGeneration(
                                        new IndexName("wide"),
                                        Optional.of(wide.key()),
                                        Optional.of(wide.projection()),
                                        true,
                                        false,
                                        AT,
                                        2),
                                new GenerationChange.StartNextGeneration(
                                        new IndexName("wide"),
                                        Optional.empty(),
                                        Optional.empty(),
                                        false,
                                        true,
                                        AT,
                                        1),
                                new GenerationChange.SwitchGeneration(new IndexName("wide")),
                                new GenerationChange.RollBackGeneration(new IndexName("wide")),
                                new GenerationChange.DiscardGeneration(
                                        new IndexName("wide"), SpareGeneration.Purpose.PREVIOUS),
                                new GenerationChange.SetBackfill(
                                        new IndexName("wide"),
                                        Optional.of(true),
                                        OptionalLong.of(9)),
                                new GenerationChange.SetBackfill(
                                        new IndexName("wide"),
                                        Optional.empty(),
                                        OptionalLong.empty()))),
                new CatalogCommand.ForgetIndex(ID, new IndexName("wide"), 3),
                new CatalogCommand.TagTable(ID, Map.of("a", "1", "b", "")),
                new CatalogCommand.UntagTable(ID, Set.of("a", "b")));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void aCommandReadsBackAsItWasWritten(CatalogCommand command) {
        // Given
        CatalogRecord written = new CatalogRecord("some-request", command);

        // When
        CatalogRecord read = CatalogRecord.parse(written.toBytes());

        // Then
        assertThat(read).isEqualTo(written);
    }

    @Test
    void everyKindOfCommandIsCovered() {
        assertThat(commands().stream().map(Object::getClass).distinct())
                .containsExactlyInAnyOrder(CatalogCommand.class.getPermittedSubclasses());
    }

    private static List<Class<?>> kindsOf(Class<?> type) {
        return Arrays.stream(type.getPermittedSubclasses())
                .flatMap(
                        kind ->
                                kind.isSealed()
                                        ? kindsOf(kind).stream()
                                        : Stream.<Class<?>>of(kind))
                .toList();
    }

    @Test
    void everyKindOfChangeIsCovered() {
        assertThat(
                        commands().stream()
                                .filter(CatalogCommand.UpdateTable.class::isInstance)
                                .map(CatalogCommand.UpdateTable.class::cast)
                                .flatMap(update -> update.changes().stream())
                                .map(Object::getClass)
                                .distinct())
                .containsExactlyInAnyOrderElementsOf(kindsOf(TableChange.class));
    }

    @Test
    void fieldsThatAreNotKnownAreIgnored() {
        CatalogRecord read =
                parse(
                        """
                        {"v":1,"request":"r","kind":"mark-table-active","table":"abcdefgh",
                         "later":{"x":[1,null,2.5]},"none":null}
                        """
                                .replace("null,2.5", "2.5"));

        assertThat(read.command()).isEqualTo(new CatalogCommand.MarkTableActive(ID));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"v\":2,\"request\":\"r\",\"kind\":\"mark-table-active\",\"table\":\"abcdefgh\"}",
                "{\"v\":1,\"request\":\"r\",\"kind\":\"fly\",\"table\":\"abcdefgh\"}",
                "{\"v\":1,\"request\":\"r\",\"kind\":\"update-table\",\"table\":\"abcdefgh\","
                        + "\"changes\":[{\"kind\":\"fly\"}]}"
            })
    void whatANewerVersionWroteIsNotSkipped(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(NewerRecordException.class)
                .hasMessageContaining("newer version");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "garbage",
                "[]",
                "{}",
                "{\"v\":1}",
                "{\"v\":\"1\",\"request\":\"r\",\"kind\":\"forget-table\",\"table\":\"abcdefgh\"}",
                "{\"v\":1,\"request\":\"r\",\"kind\":\"forget-table\",\"table\":\"ABC\"}",
                "{\"v\":1,\"request\":\"r\",\"kind\":\"forget-table\",\"table\":\"abcdefgh\"} x"
            })
    void whatIsNoCommandIsRefused(String text) {
        assertThatThrownBy(() -> parse(text)).isInstanceOf(InvalidRecordException.class);
    }

    private static CatalogRecord parse(String text) {
        return CatalogRecord.parse(text.getBytes(StandardCharsets.UTF_8));
    }
}
