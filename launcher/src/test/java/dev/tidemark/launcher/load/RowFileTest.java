package dev.tidemark.launcher.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowFileTest {

    private static final ItemRules PLAIN = new ItemRules(Set.of("n"), Map.of(), List.of());

    @TempDir Path folder;

    private List<String> csv(String text) throws IOException {
        return rows("rows.csv", text, PLAIN);
    }

    private List<String> json(String text) throws IOException {
        return rows("rows.jsonl", text, PLAIN);
    }

    /** Returns the rows as "line: item" or "line! reason [text]". */
    private List<String> rows(String name, String text, ItemRules rules) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        List<String> rows = new ArrayList<>();
        try (RowSource source = RowFile.of(file).open(rules)) {
            for (Optional<Row> row = source.next(); row.isPresent(); row = source.next()) {
                if (row.orElseThrow() instanceof Row.Good good) {
                    rows.add(good.line() + ": " + good.item());
                } else if (row.orElseThrow() instanceof Row.Bad bad) {
                    rows.add(bad.line() + "! " + bad.reason() + " [" + bad.text() + "]");
                }
            }
            assertThat(source.bytesRead()).isEqualTo(Files.size(file));
        }
        return rows;
    }

    @Test
    void columnsAreStringsUnlessTheyAreSaidToBeNumbers() throws IOException {
        assertThat(csv("s,n\na,01.50\nb,-7e2\n"))
                .containsExactly(
                        "2: {\"s\":{\"S\":\"a\"},\"n\":{\"N\":\"1.5\"}}",
                        "3: {\"s\":{\"S\":\"b\"},\"n\":{\"N\":\"-700\"}}");
    }

    @Test
    void anEmptyValueMakesNoAttribute() throws IOException {
        assertThat(csv("s,n\n,1\nb,\n"))
                .containsExactly("2: {\"n\":{\"N\":\"1\"}}", "3: {\"s\":{\"S\":\"b\"}}");
    }

    @Test
    void quotesHoldCommasQuotesAndLineBreaks() throws IOException {
        assertThat(csv("s,t\n\"a,b\",\"say \"\"no\"\"\"\n\"x\ny\r\nz\",1\nlast,2\n"))
                .containsExactly(
                        "2: {\"s\":{\"S\":\"a,b\"},\"t\":{\"S\":\"say \\\"no\\\"\"}}",
                        "3: {\"s\":{\"S\":\"x\\ny\\r\\nz\"},\"t\":{\"S\":\"1\"}}",
                        "6: {\"s\":{\"S\":\"last\"},\"t\":{\"S\":\"2\"}}");
    }

    @ParameterizedTest(name = "line break {0}")
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void lineNumbersCountBlankLinesAndTheLastLineNeedsNoBreak(String lineBreak) throws IOException {
        String text = "s|a|||b||c".replace("|", lineBreak);
        assertThat(csv(text))
                .containsExactly(
                        "2: {\"s\":{\"S\":\"a\"}}",
                        "5: {\"s\":{\"S\":\"b\"}}",
                        "7: {\"s\":{\"S\":\"c\"}}");
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstColumn() throws IOException {
        assertThat(csv("\uFEFFs\na\n")).containsExactly("2: {\"s\":{\"S\":\"a\"}}");
        assertThat(json("\uFEFF{\"s\":\"a\"}")).containsExactly("1: {\"s\":{\"S\":\"a\"}}");
        assertThat(json("\uFEFF")).isEmpty();
    }

    @Test
    void aRowWithTooFewOrTooManyValuesIsBadAndTheOthersAreGood() throws IOException {
        assertThat(csv("s,t\na\nb,1,2\nc,3\n"))
                .containsExactly(
                        "2! has 1 values where the first line names 2 columns [a]",
                        "3! has 3 values where the first line names 2 columns [b,1,2]",
                        "4: {\"s\":{\"S\":\"c\"},\"t\":{\"S\":\"3\"}}");
    }

    @Test
    void aNumberThatIsNoneIsBadAndNamesItsColumn() throws IOException {
        assertThat(csv("s,n\na,1x\nb,NaN\nc,1e126\n"))
                .hasSize(3)
                .allSatisfy(row -> assertThat(row).contains("! column n: "))
                .satisfies(rows -> assertThat(rows.get(0)).startsWith("2! ").endsWith("[a,1x]"));
        assertThat(json("{\"n\":\"x\"}\n{\"n\":1e400}\n{\"n\":0.10}\n"))
                .hasSize(3)
                .satisfies(
                        rows -> {
                            assertThat(rows.get(0)).startsWith("1! ");
                            assertThat(rows.get(1)).startsWith("2! ");
                            assertThat(rows.get(2)).isEqualTo("3: {\"n\":{\"N\":\"0.1\"}}");
                        });
    }

    @ParameterizedTest(name = "text \"{0}\"")
    @ValueSource(strings = {"", "\uFEFF", "\n\n"})
    void aCsvFileWithoutALineIsRefused(String text) {
        assertThatThrownBy(() -> csv(text))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("is empty: its first line must name the columns");
    }

    @Test
    void aCsvFileOfColumnsOnlyHasNoRows() throws IOException {
        assertThat(csv("s,n")).isEmpty();
        assertThat(json("")).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"a,,b\n1,2,3\n", "a,b,a\n1,2,3\n"})
    void columnsWithoutANameOrWithOneTwiceAreRefused(String text) {
        assertThatThrownBy(() -> csv(text))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the first line must name every column, each once");
    }

    @Test
    void aQuoteThatNeverEndsIsRefusedWithItsLine() {
        assertThatThrownBy(() -> csv("s\na\n\"b\nc\n"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("line ")
                .hasMessageContaining("EOF");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"rows.csv", "rows.jsonl"})
    void bytesThatAreNotUtf8AreRefusedRatherThanReplaced(String name) throws IOException {
        Path file =
                Files.write(
                        folder.resolve(name), "s\nBahía\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(
                        () -> {
                            try (RowSource source = RowFile.of(file).open(PLAIN)) {
                                while (source.next().isPresent()) {
                                    // on to the wrong bytes
                                }
                            }
                        })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not UTF-8");
    }

    @Test
    void jsonMembersBecomeAttributesOfTheSameShape() throws IOException {
        assertThat(
                        json(
                                "{\"s\":\"a\",\"n\":\"1.0\",\"b\":true,\"l\":[1,\"x\",null],\"m\":{\"n\":\"t\"}}\n"))
                .containsExactly(
                        "1: {\"s\":{\"S\":\"a\"},\"n\":{\"N\":\"1\"},\"b\":{\"BOOL\":true},"
                                + "\"l\":{\"L\":[{\"N\":\"1\"},{\"S\":\"x\"},{\"NULL\":true}]},"
                                + "\"m\":{\"M\":{\"n\":{\"S\":\"t\"}}}}");
    }

    @Test
    void exportedItemsAreTakenAsTheyAre() throws IOException {
        assertThat(json("{\"Item\":{\"s\":{\"S\":\"a\"},\"b\":{\"B\":\"AA==\"}}}\n"))
                .containsExactly("1: {\"s\":{\"S\":\"a\"},\"b\":{\"B\":\"AA==\"}}");
    }

    @Test
    void linesThatAreNoJsonObjectAreBad() throws IOException {
        assertThat(json("{\"s\":\"a\"}\n\n[1]\n{\"s\":\n{\"s\":1} x\n"))
                .hasSize(4)
                .satisfies(
                        rows -> {
                            assertThat(rows.get(1)).isEqualTo("3! is no JSON object [[1]]");
                            assertThat(rows.get(2)).startsWith("4! is no JSON: ");
                            assertThat(rows.get(3)).startsWith("5! is no JSON: ");
                        });
    }

    @Test
    void constantsAndDerivedAttributesAreAdded() throws IOException {
        ItemRules rules =
                new ItemRules(
                        Set.of("year"),
                        Map.of("sensor", "s-1"),
                        List.of(
                                new ItemRules.Derived("day", "t", 0, 10),
                                new ItemRules.Derived("year", "t", 0, 4),
                                new ItemRules.Derived("rest", "t", 10, 99)));
        assertThat(rows("rows.csv", "t\n2013-12-02 21:15\n2014\n", rules))
                .containsExactly(
                        "2: {\"t\":{\"S\":\"2013-12-02 21:15\"},\"day\":{\"S\":\"2013-12-02\"},"
                                + "\"year\":{\"N\":\"2013\"},\"rest\":{\"S\":\" 21:15\"},\"sensor\":{\"S\":\"s-1\"}}",
                        "3: {\"t\":{\"S\":\"2014\"},\"day\":{\"S\":\"2014\"},\"year\":{\"N\":\"2014\"},"
                                + "\"sensor\":{\"S\":\"s-1\"}}");
        assertThat(rows("rows.jsonl", "{\"t\":\"2013-12-02\"}\n", rules))
                .containsExactly(
                        "1: {\"t\":{\"S\":\"2013-12-02\"},\"day\":{\"S\":\"2013-12-02\"},"
                                + "\"year\":{\"N\":\"2013\"},\"sensor\":{\"S\":\"s-1\"}}");
    }
}
