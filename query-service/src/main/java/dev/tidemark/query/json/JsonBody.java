package dev.tidemark.query.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object of a request. Each accessor returns a member as one type; a member that is absent
 * or null is empty, one of another type is answered with DynamoDB's SerializationException.
 *
 * <p>An operation first reads all its parameters and only then looks at their values, so that
 * mistakes of shape come before all others, as DynamoDB has it. Long for its accessors, one for
 * each type there is.
 */
public final class JsonBody {

    private static final int MAX_DEPTH = 512;

    private static final JsonFactory FACTORY =
            new JsonFactoryBuilder()
                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(MAX_DEPTH)
                                    .maxStringLength(17 << 20)
                                    .maxNameLength(1 << 20)
                                    .build())
                    .build();

    private final Map<String, Object> members;

    JsonBody(Map<String, Object> members) {
        this.members = members;
    }

    /**
     * Parses a request body.
     *
     * @throws ApiException a SerializationException if it is no JSON object
     */
    public static JsonBody parse(byte[] body) {
        try (JsonParser parser = FACTORY.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw serialization("");
            }
            Map<String, Object> members = object(parser);
            if (parser.nextToken() != null) {
                throw serialization("");
            }
            return new JsonBody(members);
        } catch (IOException e) {
            // Jackson's text shows parts of the body; the caller knows what was sent
            throw serialization("");
        }
    }

    /** Returns the names of all members that are not null. */
    public Set<String> names() {
        Map<String, Object> present = new LinkedHashMap<>(members);
        present.values().removeIf(value -> value == JsonNull.NULL);
        return Collections.unmodifiableSet(present.keySet());
    }

    /** Returns whether there is a member with this name that is not null. */
    public boolean has(String name) {
        return member(name) != null;
    }

    public Optional<String> string(String name) {
        return Optional.ofNullable(member(name)).map(value -> asString(value, "String"));
    }

    public Optional<Boolean> bool(String name) {
        return Optional.ofNullable(member(name)).map(JsonBody::asBoolean);
    }

    /** Returns a number as an int, cut to its range; a fraction is rounded down. */
    public Optional<Integer> integer(String name) {
        return Optional.ofNullable(member(name))
                .map(
                        value ->
                                (int)
                                        Math.max(
                                                Integer.MIN_VALUE,
                                                Math.min(
                                                        Integer.MAX_VALUE,
                                                        asLong(value, "Integer"))));
    }

    /** Returns a number as a long, cut to its range; a fraction is rounded down. */
    public Optional<Long> number(String name) {
        return Optional.ofNullable(member(name)).map(value -> asLong(value, "Long"));
    }

    /** Returns an object. {@code type} is its name in DynamoDB's API, as in {@code Projection}. */
    public Optional<JsonBody> object(String name, String type) {
        return Optional.ofNullable(member(name))
                .map(value -> new JsonBody(asStructure(value, type, "Unexpected field type")));
    }

    /** Returns whole numbers; the fraction of others is dropped. */
    public Optional<List<Long>> numbers(String name) {
        return Optional.ofNullable(member(name))
                .map(
                        value ->
                                asList(value).stream()
                                        .map(number -> asLong(number, "Long"))
                                        .toList());
    }

    /** Returns a list of strings. */
    public Optional<List<String>> strings(String name) {
        return Optional.ofNullable(member(name))
                .map(
                        value ->
                                asList(value).stream()
                                        .map(element -> asString(element, "String"))
                                        .toList());
    }

    /**
     * Returns a list of objects. {@code type} is their name in DynamoDB's API, as in {@code Tag}.
     */
    public Optional<List<JsonBody>> objects(String name, String type) {
        return Optional.ofNullable(member(name))
                .map(
                        value ->
                                asList(value).stream()
                                        .map(element -> structure(element, type))
                                        .toList());
    }

    /** Returns a map from names to strings, in the order of the request. */
    public Optional<Map<String, String>> stringMap(String name) {
        return Optional.ofNullable(member(name))
                .map(
                        value -> {
                            Map<String, String> strings = new LinkedHashMap<>();
                            asMap(value, "java.lang.String")
                                    .forEach(
                                            (key, element) ->
                                                    strings.put(key, asString(element, "String")));
                            return strings;
                        });
    }

    /**
     * Returns a map from names to objects, in the order of the request. {@code type} is their name
     * in DynamoDB's API, as in {@code KeysAndAttributes}.
     */
    public Optional<Map<String, JsonBody>> objectMap(String name, String type) {
        return Optional.ofNullable(member(name))
                .map(
                        value -> {
                            Map<String, JsonBody> objects = new LinkedHashMap<>();
                            asMap(value, "com.amazonaws.dynamodb.v20120810." + type)
                                    .forEach(
                                            (key, element) ->
                                                    objects.put(key, structure(element, type)));
                            return objects;
                        });
    }

    /**
     * Returns a map from names to lists of objects, in the order of the request. {@code type} is
     * their name in DynamoDB's API, as in {@code WriteRequest}.
     */
    public Optional<Map<String, List<JsonBody>>> objectListMap(String name, String type) {
        String full = "java.util.List<com.amazonaws.dynamodb.v20120810." + type + ">";
        return Optional.ofNullable(member(name))
                .map(
                        value -> {
                            Map<String, List<JsonBody>> lists = new LinkedHashMap<>();
                            asMap(value, full)
                                    .forEach(
                                            (key, element) ->
                                                    lists.put(
                                                            key,
                                                            asList(element).stream()
                                                                    .map(
                                                                            each ->
                                                                                    structure(
                                                                                            each,
                                                                                            type))
                                                                    .toList()));
                            return lists;
                        });
    }

    /** Returns an attribute value whose shape is right; its content is not yet looked at. */
    public Optional<JsonValue> attributeValue(String name) {
        return Optional.ofNullable(member(name))
                .map(
                        value ->
                                JsonValue.of(
                                        asStructure(
                                                value, "AttributeValue", "Unexpected field type")));
    }

    /** Returns a list of attribute values whose shape is right. */
    public Optional<List<JsonValue>> attributeValues(String name) {
        return Optional.ofNullable(member(name))
                .map(value -> asList(value).stream().map(JsonValue::ofElement).toList());
    }

    /**
     * Returns a map from names to attribute values, as a Key or an Item is, whose shape is right;
     * its content is not yet looked at.
     */
    public Optional<JsonItem> item(String name) {
        return Optional.ofNullable(member(name)).map(JsonItem::of);
    }

    /** Returns a list of maps from names to attribute values, as Keys is. */
    public Optional<List<JsonItem>> items(String name) {
        return Optional.ofNullable(member(name))
                .map(value -> asList(value).stream().map(JsonItem::of).toList());
    }

    private @Nullable Object member(String name) {
        Object value = members.get(name);
        return value == JsonNull.NULL ? null : value;
    }

    private static JsonBody structure(Object value, String type) {
        return new JsonBody(asStructure(value, type, "Unexpected value type in payload"));
    }

    static String asString(Object value, String type) {
        if (value instanceof String string) {
            return string;
        }
        throw notA(value, type);
    }

    static boolean asBoolean(Object value) {
        if (value instanceof Boolean bool) {
            return bool;
        }
        if (value instanceof String string) {
            switch (string.toUpperCase(Locale.ROOT)) {
                case "TRUE", "1", "YES" -> {
                    return true;
                }
                case "FALSE", "0", "NO" -> {
                    return false;
                }
                default -> throw serialization("Unexpected token received from parser");
            }
        }
        throw notA(value, "Boolean");
    }

    private static long asLong(Object value, String type) {
        if (value instanceof Long number) {
            return number;
        }
        if (value instanceof BigDecimal decimal) {
            // bounded: only a number of some digits before the point is written out
            long wholeDigits = decimal.precision() - (long) decimal.scale();
            if (decimal.signum() == 0) {
                return 0;
            }
            if (wholeDigits > 20) {
                return decimal.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
            }
            if (wholeDigits < 1) {
                return decimal.signum() < 0 ? -1 : 0;
            }
            BigInteger whole = decimal.setScale(0, RoundingMode.FLOOR).toBigInteger();
            return whole.max(BigInteger.valueOf(Long.MIN_VALUE))
                    .min(BigInteger.valueOf(Long.MAX_VALUE))
                    .longValue();
        }
        throw notA(value, type);
    }

    static List<Object> asList(Object value) {
        if (value instanceof List<?> list) {
            @SuppressWarnings("unchecked") // the parser makes lists of objects only
            List<Object> objects = (List<Object>) list;
            return objects;
        }
        throw serialization(
                value instanceof Map
                        ? "Start of structure or map found where not expected"
                        : "Unexpected field type");
    }

    static Map<String, Object> asMap(Object value, String type) {
        if (value instanceof Map<?, ?> map) {
            @SuppressWarnings("unchecked") // the parser makes maps from names to objects only
            Map<String, Object> objects = (Map<String, Object>) map;
            return objects;
        }
        throw serialization(
                value instanceof List
                        ? "Unrecognized collection type java.util.Map<java.lang.String, "
                                + type
                                + ">"
                        : "Unexpected field type");
    }

    static Map<String, Object> asStructure(Object value, String type, String otherwise) {
        if (value instanceof Map<?, ?> map) {
            @SuppressWarnings("unchecked") // the parser makes maps from names to objects only
            Map<String, Object> objects = (Map<String, Object>) map;
            return objects;
        }
        throw serialization(
                value instanceof List
                        ? "Unrecognized collection type class com.amazonaws.dynamodb.v20120810."
                                + type
                        : otherwise);
    }

    static ApiException serialization(String message) {
        return new ApiException(ApiError.SERIALIZATION, message);
    }

    private static ApiException notA(Object value, String type) {
        if (value instanceof List) {
            return serialization("Unrecognized collection type class java.lang." + type);
        }
        if (value instanceof Map) {
            return serialization("Start of structure or map found where not expected");
        }
        String found;
        if (value instanceof Boolean bool) {
            found = bool ? "TRUE_VALUE" : "FALSE_VALUE";
        } else if (value instanceof Long) {
            found = "NUMBER_VALUE";
        } else if (value instanceof BigDecimal) {
            found = "DECIMAL_VALUE";
        } else if (value instanceof String) {
            found = "STRING_VALUE";
        } else {
            return serialization("Unexpected field type");
        }
        return serialization(found + " cannot be converted to " + type);
    }

    private static Map<String, Object> object(JsonParser parser) throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            members.put(name, value(parser));
        }
        return members;
    }

    private static List<Object> list(JsonParser parser) throws IOException {
        List<Object> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(value(parser));
        }
        return elements;
    }

    private static BigDecimal decimal(JsonParser parser) throws IOException {
        BigDecimal number;
        try {
            number = parser.getDecimalValue();
        } catch (NumberFormatException e) {
            // an exponent that is no int; its text would show parts of the body
            throw serialization("");
        }
        // whether the last exponent of all is taken differs between releases of Java
        if (number.scale() == Integer.MIN_VALUE) {
            throw serialization("");
        }
        return number;
    }

    private static Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_STRING -> parser.getText();
            case START_OBJECT -> object(parser);
            case START_ARRAY -> list(parser);
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> JsonNull.NULL;
            case VALUE_NUMBER_INT ->
                    parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                            ? new BigDecimal(parser.getBigIntegerValue())
                            : Long.valueOf(parser.getLongValue());
            case VALUE_NUMBER_FLOAT -> decimal(parser);
            default -> throw serialization("");
        };
    }
}
