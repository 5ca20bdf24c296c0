package dev.tidemark.query.read;

import dev.tidemark.model.change.Position;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.http.Request;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How fresh the answer from a global index must be.
 *
 * @param after the changes it must reflect
 * @param maxStaleness how long ago the oldest change may have happened that it does not reflect;
 *     empty for as long as it takes
 * @param current whether it must reflect every write that was acknowledged before it was asked for
 */
public record Freshness(List<Position> after, Optional<Duration> maxStaleness, boolean current) {

    /** On reads of an index: the most it may trail its table, as {@code 500ms}, {@code 2s}. */
    public static final String MAX_STALENESS = "x-tidemark-max-staleness";

    /** As fresh as the index is. */
    public static final Freshness ANY = new Freshness(List.of(), Optional.empty(), false);

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s)");

    public Freshness {
        after = List.copyOf(after);
    }

    /**
     * Returns what the headers of a request for this table ask.
     *
     * @param current whether the request asks for every acknowledged write
     * @throws ApiException a ValidationException if a header is malformed or names another table
     */
    public static Freshness of(Request request, TableDefinition table, boolean current) {
        List<Position> after =
                request.header(PositionToken.AFTER)
                        .map(header -> PositionToken.parse(header, table))
                        .orElse(List.of());
        Optional<Duration> maxStaleness = request.header(MAX_STALENESS).map(Freshness::duration);
        return after.isEmpty() && maxStaleness.isEmpty() && !current
                ? ANY
                : new Freshness(after, maxStaleness, current);
    }

    private static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text.trim());
        if (!matcher.matches()) {
            throw ApiException.validation(
                    "Invalid " + MAX_STALENESS + " header: it is not like 500ms or 2s");
        }
        long number = Long.parseLong(matcher.group(1));
        return matcher.group(2).equals("s")
                ? Duration.ofSeconds(number)
                : Duration.ofMillis(number);
    }
}
