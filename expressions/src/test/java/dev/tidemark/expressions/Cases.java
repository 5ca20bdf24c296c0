package dev.tidemark.expressions;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Reads a table of cases: one a line, columns parted by {@code |}, {@code --} begins a comment. */
final class Cases {

    private Cases() {}

    static Stream<Arguments> of(String resource, int columns) {
        List<String> lines = read(resource);
        return java.util.stream.IntStream.range(0, lines.size())
                .filter(at -> !lines.get(at).isBlank() && !lines.get(at).startsWith("--"))
                .mapToObj(
                        at ->
                                Arguments.argumentSet(
                                        resource + ":" + (at + 1),
                                        (Object[]) columns(lines.get(at), columns)));
    }

    private static String[] columns(String line, int columns) {
        String[] given = line.split("\\|", -1);
        String[] all = Arrays.copyOf(given, columns);
        for (int at = 0; at < columns; at++) {
            all[at] = at < given.length ? given[at].strip() : "";
        }
        return all;
    }

    private static List<String> read(String resource) {
        try (InputStream in = Cases.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
