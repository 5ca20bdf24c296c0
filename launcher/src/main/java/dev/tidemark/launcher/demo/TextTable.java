package dev.tidemark.launcher.demo;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in aligned columns. Not thread-safe. */
final class TextTable {

    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();
    private final List<Boolean> right;

    /**
     * Makes a table.
     *
     * @param columns the headings; one that begins with {@code >} has its column aligned right
     */
    TextTable(List<String> columns) {
        right = columns.stream().map(column -> column.startsWith(">")).toList();
        rows.add(
                columns.stream()
                        .map(column -> column.startsWith(">") ? column.substring(1) : column)
                        .toList());
    }

    TextTable row(List<String> values) {
        rows.add(List.copyOf(values));
        return this;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String value = row.get(column);
                String padding = " ".repeat(width(column) - value.length());
                line.append(column == 0 ? "" : GAP)
                        .append(right.get(column) ? padding + value : value + padding);
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
