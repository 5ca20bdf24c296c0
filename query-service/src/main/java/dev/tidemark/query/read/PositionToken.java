package dev.tidemark.query.read;

import dev.tidemark.model.change.Position;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Positions as headers carry them: {@code <table>:<partition>:<sequence>}, several of them
 * separated by commas.
 */
public final class PositionToken {

    /** On replies to writes: the last change of the item's partition. */
    public static final String POSITION = "x-tidemark-position";

    /** On reads of an index: the changes the answer must reflect. */
    public static final String AFTER = "x-tidemark-after";

    private static final Pattern FORM =
            Pattern.compile("([a-zA-Z0-9_.-]{3,255}):([0-9]{1,9}):([0-9]{1,18})");

    private PositionToken() {}

    public static String of(TableName table, Position position) {
        return table + ":" + position.partition() + ":" + position.sequence();
    }

    /**
     * Returns the positions a header names.
     *
     * @throws ApiException a ValidationException if one is malformed, or of another table
     */
    public static List<Position> parse(String header, TableDefinition table) {
        List<Position> positions = new ArrayList<>();
        for (String part : header.split(",", -1)) {
            Matcher matcher = FORM.matcher(part.trim());
            if (!matcher.matches()) {
                throw invalid("it is not <table>:<partition>:<sequence>");
            }
            int partition = Integer.parseInt(matcher.group(2));
            if (!matcher.group(1).equals(table.name().value())) {
                throw invalid("it names another table");
            }
            if (partition >= table.partitions()) {
                throw invalid("the table has no such partition");
            }
            positions.add(new Position(partition, Long.parseLong(matcher.group(3))));
        }
        return positions;
    }

    private static ApiException invalid(String reason) {
        return ApiException.validation("Invalid " + AFTER + " header: " + reason);
    }
}
