package dev.tidemark.query.table;

import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.json.JsonBody;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One element of a KeySchema as a request gives it.
 *
 * @param name the attribute
 * @param keyType HASH or RANGE
 */
record KeyElement(Optional<String> name, Optional<String> keyType) {

    private static final String HASH = "HASH";
    private static final String RANGE = "RANGE";

    static List<KeyElement> read(List<JsonBody> elements) {
        return elements.stream()
                .map(
                        element ->
                                new KeyElement(
                                        element.string("AttributeName"), element.string("KeyType")))
                .toList();
    }

    static void check(
            Constraints constraints, String path, Optional<List<KeyElement>> elements, int most) {
        constraints.required(path, elements);
        elements.ifPresent(
                given -> {
                    constraints.size(path, given, given.size(), 1, most);
                    for (int at = 0; at < given.size(); at++) {
                        String member = path + "." + (at + 1) + ".member.";
                        KeyElement element = given.get(at);
                        constraints.required(member + "attributeName", element.name());
                        constraints.utf8Length(member + "attributeName", element.name(), 1, 255);
                        constraints.required(member + "keyType", element.keyType());
                        constraints.oneOf(
                                member + "keyType", element.keyType(), List.of(HASH, RANGE));
                    }
                });
    }

    /** Returns the key of a table that the elements say. */
    static KeySchema tableKey(List<KeyElement> elements, Map<String, KeyType> types) {
        requireDefined(elements, types);
        if (!areDistinct(elements)) {
            throw TableErrors.keySchema("Some index key attribute have no definition");
        }
        return simpleKey(elements, types);
    }

    /** Returns the key of one HASH and perhaps one RANGE attribute that the elements say. */
    static KeySchema simpleKey(List<KeyElement> elements, Map<String, KeyType> types) {
        requireDefined(elements, types);
        requireDistinct(elements);
        requireHashFirst(elements);
        if (elements.size() > 1 && !elements.get(1).isRange()) {
            throw TableErrors.keySchema("The second KeySchemaElement is not a RANGE key type");
        }
        return key(elements, types);
    }

    /** Returns the key of 1 to 4 HASH and 0 to 4 RANGE attributes that the elements say. */
    static KeySchema wideKey(List<KeyElement> elements, Map<String, KeyType> types) {
        requireDefined(elements, types);
        requireDistinct(elements);
        requireHashFirst(elements);
        int hashes = (int) elements.stream().takeWhile(element -> !element.isRange()).count();
        if (elements.stream().skip(hashes).anyMatch(element -> !element.isRange())) {
            throw TableErrors.keySchema("All HASH elements must precede all RANGE elements");
        }
        requireAtMost(HASH, hashes);
        requireAtMost(RANGE, elements.size() - hashes);
        return key(elements, types);
    }

    static List<String> names(List<KeyElement> elements) {
        return elements.stream().map(element -> element.name().orElseThrow()).toList();
    }

    @Override
    public String toString() {
        return "KeySchemaElement(attributeName="
                + name.orElse("null")
                + ", keyType="
                + keyType.orElse("null")
                + ")";
    }

    private boolean isRange() {
        return keyType.equals(Optional.of(RANGE));
    }

    private static void requireDefined(List<KeyElement> elements, Map<String, KeyType> types) {
        if (!types.keySet().containsAll(names(elements))) {
            throw TableErrors.undefinedKeys(names(elements), types.keySet());
        }
    }

    private static void requireDistinct(List<KeyElement> elements) {
        if (areDistinct(elements)) {
            return;
        }
        if (elements.size() == 2) {
            throw TableErrors.sameKeyName();
        }
        throw TableErrors.keySchema("Two elements have the same name");
    }

    private static boolean areDistinct(List<KeyElement> elements) {
        return names(elements).stream().distinct().count() == elements.size();
    }

    private static void requireHashFirst(List<KeyElement> elements) {
        if (elements.get(0).isRange()) {
            throw TableErrors.keySchema("The first KeySchemaElement is not a HASH key type");
        }
    }

    private static void requireAtMost(String keyType, int count) {
        if (count > KeySchema.MAX_ATTRIBUTES) {
            throw TableErrors.keySchema(
                    "The number of "
                            + keyType
                            + " elements exceeds the limit of "
                            + KeySchema.MAX_ATTRIBUTES);
        }
    }

    private static KeySchema key(List<KeyElement> elements, Map<String, KeyType> types) {
        Stream<KeyElement> partition = elements.stream().filter(element -> !element.isRange());
        Stream<KeyElement> sort = elements.stream().filter(KeyElement::isRange);
        return new KeySchema(attributes(partition, types), attributes(sort, types));
    }

    private static List<KeyAttribute> attributes(
            Stream<KeyElement> elements, Map<String, KeyType> types) {
        return elements.map(element -> element.name().orElseThrow())
                .map(
                        name ->
                                new KeyAttribute(
                                        name, Optional.ofNullable(types.get(name)).orElseThrow()))
                .toList();
    }
}
