package dev.tidemark.testsupport.trial;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.testsupport.reference.IndexShape;
import dev.tidemark.testsupport.reference.IndexShape.Kind;
import dev.tidemark.testsupport.reference.TableShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The table that is tried: as many indexes as a table may have, of every projection, sparse ones
 * and dense ones, with keys of every type and of several attributes, and with attributes that are
 * keys of several.
 */
public final class TrialTable {

    private static final Optional<Set<String>> ALL = Optional.empty();
    private static final Optional<Set<String>> KEYS = Optional.of(Set.of());

    private TrialTable() {}

    /** Returns the table. The first letter of an attribute that is a key tells its type. */
    public static TableShape named(String name) {
        List<IndexShape> indexes = new ArrayList<>();
        indexes.add(local("l-all", "s1", ALL));
        indexes.add(local("l-keys", "n1", KEYS));
        indexes.add(local("l-include", "b1", include("x", "m", "count")));
        indexes.add(local("l-sparse", "n3", KEYS));
        indexes.add(local("l-same-key", "n0", include("l")));
        indexes.add(global("g-string", "s1", "", ALL));
        indexes.add(global("g-string-number", "s1", "n1", ALL));
        indexes.add(global("g-number-string", "n1", "s1", KEYS));
        indexes.add(global("g-binary", "b1", "", KEYS));
        indexes.add(global("g-binary-binary", "b1", "b2", ALL));
        indexes.add(global("g-number", "n1", "", include("x", "y")));
        indexes.add(global("g-turned-key", "n0", "s0", ALL));
        indexes.add(global("g-sort-key", "n0", "n2", KEYS));
        indexes.add(global("g-table-key", "s0", "n0", ALL));
        indexes.add(global("g-same-partition", "s0", "s2", include("m")));
        indexes.add(global("g-string-binary", "s2", "b2", include("s1", "n1", "count")));
        indexes.add(global("g-two", "s1 s2", "", ALL));
        indexes.add(global("g-one-two", "s1", "n1 s2", ALL));
        indexes.add(global("g-four-four", "s1 n1 b1 s2", "n2 b2 s3 n3", KEYS));
        indexes.add(global("g-one-two-numbers", "n2", "n3 n1", include("ss", "l")));
        indexes.add(global("g-sparse-string", "s3", "n0", ALL));
        indexes.add(global("g-sparse-number", "n3", "", KEYS));
        indexes.add(global("g-sparse-pair", "n3", "s3", ALL));
        indexes.add(global("g-binary-number", "b2", "n1", KEYS));
        indexes.add(global("g-twin", "s1", "n1", include("y")));
        return new TableShape(
                name, new IndexShape("", Kind.TABLE, key("s0"), key("n0"), ALL), indexes);
    }

    /** Returns the request that creates a table. */
    public static String creation(TableShape table) {
        ObjectNode request =
                Exchange.object()
                        .put("TableName", table.name())
                        .put("BillingMode", "PAY_PER_REQUEST");
        Map<String, KeyType> types = new TreeMap<>();
        for (IndexShape index : table.all()) {
            index.key().forEach(attribute -> types.put(attribute.name(), attribute.type()));
        }
        ArrayNode definitions = request.putArray("AttributeDefinitions");
        types.forEach(
                (name, type) ->
                        definitions
                                .addObject()
                                .put("AttributeName", name)
                                .put("AttributeType", type.name()));
        addKey(table.primary(), request);
        for (IndexShape index : table.indexes()) {
            ObjectNode one =
                    request.withArray(
                                    index.isGlobal()
                                            ? "GlobalSecondaryIndexes"
                                            : "LocalSecondaryIndexes")
                            .addObject()
                            .put("IndexName", index.name());
            addKey(index, one);
            addProjection(index, one.putObject("Projection"));
        }
        return request.toString();
    }

    private static void addKey(IndexShape index, ObjectNode request) {
        ArrayNode schema = request.putArray("KeySchema");
        for (KeyAttribute attribute : index.partition()) {
            schema.addObject().put("AttributeName", attribute.name()).put("KeyType", "HASH");
        }
        for (KeyAttribute attribute : index.sort()) {
            schema.addObject().put("AttributeName", attribute.name()).put("KeyType", "RANGE");
        }
    }

    private static void addProjection(IndexShape index, ObjectNode projection) {
        if (index.included().isEmpty()) {
            projection.put("ProjectionType", "ALL");
        } else if (index.included().get().isEmpty()) {
            projection.put("ProjectionType", "KEYS_ONLY");
        } else {
            projection.put("ProjectionType", "INCLUDE");
            ArrayNode names = projection.putArray("NonKeyAttributes");
            index.included().get().forEach(names::add);
        }
    }

    private static IndexShape local(String name, String sort, Optional<Set<String>> included) {
        return new IndexShape(name, Kind.LOCAL, key("s0"), key(sort), included);
    }

    private static IndexShape global(
            String name, String partition, String sort, Optional<Set<String>> included) {
        return new IndexShape(name, Kind.GLOBAL, key(partition), key(sort), included);
    }

    private static Optional<Set<String>> include(String... names) {
        return Optional.of(Set.of(names));
    }

    private static List<KeyAttribute> key(String names) {
        return Arrays.stream(names.split(" ", -1))
                .filter(name -> !name.isEmpty())
                .map(name -> new KeyAttribute(name, typeOf(name)))
                .toList();
    }

    private static KeyType typeOf(String attribute) {
        return KeyType.valueOf(attribute.substring(0, 1).toUpperCase(Locale.ROOT));
    }
}
