package dev.tidemark.query.table;

import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.catalog.CatalogCommand;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.pressure.BackPressure;
import dev.tidemark.query.pressure.LagBound;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Tags as a request gives them. Those that begin with {@code tidemark:} are settings. */
public record Tags(List<Tag> given) {

    /** The number of partitions of the table's log. */
    static final String PARTITIONS = "tidemark:partitions";

    static final int MOST_PARTITIONS = 256;

    private static final String CONSISTENT_READ = "tidemark:gsi-consistent-read";
    private static final String WAIT = "wait";

    private static final String SETTING = "tidemark:";
    private static final String RESERVED = "aws:";
    private static final Pattern CHARACTERS =
            Pattern.compile("[\\p{L}\\p{M}\\p{Z}\\s\\p{N}_.:/=+\\-@]*");
    private static final Pattern PARTITION_COUNT = Pattern.compile("[1-9][0-9]{0,2}");

    private static final LagBound NO_BOUND =
            new LagBound(OptionalLong.empty(), Optional.empty(), false);

    private record Tag(Optional<String> key, Optional<String> value) {}

    static Optional<Tags> read(JsonBody body) {
        return body.objects("Tags", "Tag")
                .map(
                        list ->
                                new Tags(
                                        list.stream()
                                                .map(
                                                        tag ->
                                                                new Tag(
                                                                        tag.string("Key"),
                                                                        tag.string("Value")))
                                                .toList()));
    }

    void check(Constraints constraints) {
        for (int at = 0; at < given.size(); at++) {
            String member = "tags." + (at + 1) + ".member.";
            Tag tag = given.get(at);
            constraints.required(member + "key", tag.key());
            constraints.length(member + "key", tag.key(), 1, 128);
            constraints.required(member + "value", tag.value());
            constraints.length(member + "value", tag.value(), 0, 256);
        }
    }

    boolean isEmpty() {
        return given.isEmpty();
    }

    Map<String, String> toMap() {
        Map<String, String> tags = new LinkedHashMap<>();
        for (Tag tag : given) {
            String key = tag.key().orElseThrow();
            String value = tag.value().orElseThrow();
            requireCharacters(key, value);
            if (key.startsWith(RESERVED)) {
                throw TableErrors.invalid("Tag keys must not begin with " + RESERVED);
            }
            if (key.startsWith(SETTING)) {
                requireSetting(key, value);
            }
            if (tags.put(key, value) != null) {
                throw TableErrors.invalid("Duplicate tag key: " + key);
            }
        }
        if (tags.size() > CatalogCommand.MAX_TAGS) {
            throw TableErrors.invalid(
                    "Too many Tags: The number of Tags exceeds the limit of "
                            + CatalogCommand.MAX_TAGS);
        }
        return tags;
    }

    /** Returns whether a strong read of a global index waits, where Amazon refuses it. */
    public static boolean allowConsistentReadsOfGlobalIndexes(TableDefinition table) {
        return WAIT.equals(table.tags().get(CONSISTENT_READ));
    }

    /** Returns the partitions that the tags ask for. */
    static Optional<Integer> partitions(Map<String, String> tags) {
        return Optional.ofNullable(tags.get(PARTITIONS)).map(Integer::valueOf);
    }

    private static void requireCharacters(String key, String value) {
        if (!CHARACTERS.matcher(key).matches() || !CHARACTERS.matcher(value).matches()) {
            throw TableErrors.invalid(
                    "Tag keys and values may hold letters, white space, numbers and _.:/=+-@");
        }
    }

    private static void requireSetting(String key, String value) {
        if (key.startsWith(BackPressure.TAG)) {
            if (LagBound.parse(value, NO_BOUND).isEmpty()) {
                throw TableErrors.invalid(
                        "Tag "
                                + key
                                + " can't be "
                                + value
                                + "; it is like 10000 (changes), 30s, 10000/30s, or off");
            }
            return;
        }
        boolean valid =
                switch (key) {
                    case PARTITIONS ->
                            PARTITION_COUNT.matcher(value).matches()
                                    && Integer.parseInt(value) <= MOST_PARTITIONS;
                    case CONSISTENT_READ -> value.equals(WAIT);
                    case TableDefinition.HISTORY -> value.equals("full") || value.equals("compact");
                    default -> throw TableErrors.invalid("Unknown setting in tag: " + key);
                };
        if (!valid) {
            throw TableErrors.invalid(
                    "Tag "
                            + key
                            + " can't be "
                            + value
                            + (key.equals(PARTITIONS)
                                    ? "; it is a number from 1 to " + MOST_PARTITIONS
                                    : ""));
        }
    }
}
