package dev.tidemark.launcher.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The README tells the settings as they are. */
class ReadmeTest {

    private static final Path README = Path.of("..", "README.md");

    @Test
    void everySettingIsListedWithItsDefaultAndMeaning() throws IOException {
        List<String> due = Arrays.stream(Setting.values()).map(ReadmeTest::row).toList();
        List<String> listed =
                Files.readAllLines(README).stream()
                        .dropWhile(line -> !line.startsWith("| Setting |"))
                        .skip(2) // the heading
                        .takeWhile(line -> line.startsWith("|"))
                        .toList();
        assertThat(listed)
                .as(
                        "the rows of the table should be\n%s",
                        due.stream().collect(Collectors.joining("\n")))
                .isEqualTo(due);
    }

    private static String row(Setting setting) {
        String defaultText =
                setting.defaultText().isEmpty() ? "" : "`" + setting.defaultText() + "`";
        return "| `" + setting.key() + "` | " + defaultText + " | " + setting.meaning() + " |";
    }
}
