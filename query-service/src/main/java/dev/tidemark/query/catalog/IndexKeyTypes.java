package dev.tidemark.query.catalog;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The types that the keys of a table and its indexes give to attributes.
 *
 * @param ofTable by attributes of the table's key
 * @param ofIndexes by attributes of the keys of its indexes
 */
record IndexKeyTypes(Map<String, KeyType> ofTable, Map<String, KeyType> ofIndexes) {

    static IndexKeyTypes of(TableDefinition table) {
        return new IndexKeyTypes(
                types(Stream.of(table.key())),
                types(
                        Stream.concat(
                                table.localIndexes().stream().map(index -> index.key()),
                                table.generations().stream().map(GlobalIndex::key))));
    }

    /**
     * Returns the key of a new index; a table key attribute has the table's type, whatever is said.
     *
     * @throws ApiException if an attribute would get another type than an index gives it
     */
    KeySchema typed(KeySchema key) {
        KeySchema typed = new KeySchema(typed(key.partition()), typed(key.sort()));
        List<KeyAttribute> redefined =
                typed.attributes().stream()
                        .filter(attribute -> !ofTable.containsKey(attribute.name()))
                        .filter(attribute -> !retyped(attribute, ofIndexes).equals(attribute))
                        .toList();
        if (!redefined.isEmpty()) {
            throw ApiException.validation(
                    "Attributes cannot be redefined. Please check that your attribute has the"
                            + " same type as previously defined. Existing schema: "
                            + describe(
                                    redefined.stream()
                                            .map(attribute -> retyped(attribute, ofIndexes))
                                            .toList())
                            + " New schema: "
                            + describe(redefined));
        }
        return typed;
    }

    private List<KeyAttribute> typed(List<KeyAttribute> attributes) {
        return attributes.stream().map(attribute -> retyped(attribute, ofTable)).toList();
    }

    private static Map<String, KeyType> types(Stream<KeySchema> keys) {
        Map<String, KeyType> types = new HashMap<>();
        keys.flatMap(schema -> schema.attributes().stream())
                .forEach(attribute -> types.put(attribute.name(), attribute.type()));
        return types;
    }

    private static KeyAttribute retyped(KeyAttribute attribute, Map<String, KeyType> types) {
        return new KeyAttribute(
                attribute.name(), types.getOrDefault(attribute.name(), attribute.type()));
    }

    private static String describe(List<KeyAttribute> attributes) {
        return attributes.stream()
                .map(
                        attribute ->
                                "SchemaElement: key{"
                                        + attribute.name()
                                        + ":"
                                        + attribute.type()
                                        + "}")
                .collect(Collectors.joining(", ", "Schema:[", "]"));
    }
}
