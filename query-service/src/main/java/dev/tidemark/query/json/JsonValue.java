package dev.tidemark.query.json;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.InvalidNumberException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An attribute value of a request whose shape is right, but whose content may still be refused:
 * {@code {"N": "abc"}} is one.
 *
 * <p>DynamoDB complains of shapes (SerializationException) before it looks at anything else, and of
 * content (ValidationException) only later: hence two steps.
 */
public final class JsonValue {

    /** The deepest nesting of lists and maps a value may have. Source: DynamoDB limits. */
    private static final int MAX_DEPTH = 32;

    private static final String INVALID = "One or more parameter values were invalid: ";

    private final @Nullable AttributeValue value;
    private final @Nullable ApiException refusal;

    private JsonValue(@Nullable AttributeValue value, @Nullable ApiException refusal) {
        this.value = value;
        this.refusal = refusal;
    }

    /**
     * Returns the value.
     *
     * @throws ApiException a ValidationException if its content is refused
     */
    public AttributeValue value() {
        if (refusal != null) {
            throw refusal;
        }
        if (value == null) {
            throw new IllegalStateException("A value is present or refused");
        }
        return value;
    }

    static JsonValue ofElement(Object element) {
        return of(
                JsonBody.asStructure(
                        element, "AttributeValue", "Unexpected value type in payload"));
    }

    static JsonValue of(Map<String, Object> structure) {
        return of(structure, 0);
    }

    private static JsonValue ofElement(Object element, int depth) {
        return of(
                JsonBody.asStructure(element, "AttributeValue", "Unexpected value type in payload"),
                depth);
    }

    private static JsonValue of(Map<String, Object> structure, int depth) {
        JsonValue only = null;
        JsonValue refused = null;
        int members = 0;
        for (Map.Entry<String, Object> member : structure.entrySet()) {
            if (member.getValue() == JsonNull.NULL) {
                continue;
            }
            JsonValue read = read(member.getKey(), member.getValue(), depth);
            if (read != null) {
                only = read;
                members++;
                refused = refused == null && read.value == null ? read : refused;
            }
        }
        if (refused != null) {
            return refused;
        }
        if (only == null) {
            return refused(
                    "Supplied AttributeValue is empty, must contain exactly one of the supported"
                            + " datatypes");
        }
        if (members > 1) {
            return refused(
                    "Supplied AttributeValue has more than one datatypes set, must contain exactly"
                            + " one of the supported datatypes");
        }
        return only;
    }

    private static @Nullable JsonValue read(String type, Object content, int depth) {
        return switch (type) {
            case "S" -> accepted(new AttributeValue.S(JsonBody.asString(content, "String")));
            case "N" -> number(JsonBody.asString(content, "String"));
            case "B" -> accepted(new AttributeValue.B(binary(content)));
            case "BOOL" -> accepted(new AttributeValue.Bool(JsonBody.asBoolean(content)));
            case "NULL" ->
                    JsonBody.asBoolean(content)
                            ? accepted(AttributeValue.Null.INSTANCE)
                            : refused(
                                    INVALID
                                            + "Null attribute value types must have the value of"
                                            + " true");
            case "SS" ->
                    set(
                            elements(content, element -> JsonBody.asString(element, "String")),
                            "An string set  may not be empty",
                            strings -> duplicates(strings, ""),
                            AttributeValue.SS::new);
            case "NS" ->
                    numbers(elements(content, element -> JsonBody.asString(element, "String")));
            case "BS" ->
                    set(
                            elements(content, JsonValue::binary),
                            "Binary sets should not be empty",
                            binaries -> duplicates(base64(binaries), "of type BS"),
                            AttributeValue.BS::new);
            case "L" -> list(JsonBody.asList(content), depth);
            case "M" ->
                    map(
                            JsonBody.asMap(
                                    content, "com.amazonaws.dynamodb.v20120810.AttributeValue"),
                            depth);
            default -> null;
        };
    }

    private static <T> List<T> elements(Object content, Function<Object, T> element) {
        List<T> elements = new ArrayList<>();
        for (Object each : JsonBody.asList(content)) {
            elements.add(element.apply(each));
        }
        return elements;
    }

    private static JsonValue number(String text) {
        try {
            return accepted(new AttributeValue.N(Decimal.parse(text)));
        } catch (InvalidNumberException e) {
            return refused(String.valueOf(e.getMessage()));
        }
    }

    private static JsonValue numbers(List<String> texts) {
        List<Decimal> numbers = new ArrayList<>(texts.size());
        for (String text : texts) {
            try {
                numbers.add(Decimal.parse(text));
            } catch (InvalidNumberException e) {
                return refused(String.valueOf(e.getMessage()));
            }
        }
        return set(
                numbers,
                "An number set  may not be empty",
                found -> "Input collection contains duplicates",
                AttributeValue.NS::new);
    }

    private static <T> JsonValue set(
            List<T> elements,
            String empty,
            Function<List<T>, String> duplicates,
            Function<Set<T>, AttributeValue> make) {
        if (elements.isEmpty()) {
            return refused(INVALID + empty);
        }
        Set<T> distinct = new LinkedHashSet<>(elements);
        if (distinct.size() < elements.size()) {
            return refused(duplicates.apply(elements));
        }
        return accepted(make.apply(distinct));
    }

    private static String duplicates(List<String> elements, String type) {
        return INVALID
                + "Input collection ["
                + String.join(", ", elements)
                + "]"
                + type
                + " contains duplicates.";
    }

    private static List<String> base64(List<Binary> binaries) {
        return binaries.stream()
                .map(binary -> Base64.getEncoder().encodeToString(binary.toByteArray()))
                .toList();
    }

    private static JsonValue list(List<Object> elements, int depth) {
        if (depth >= MAX_DEPTH) {
            return tooDeep();
        }
        JsonValue refused = null;
        List<AttributeValue> values = new ArrayList<>(elements.size());
        for (Object element : elements) {
            JsonValue each = ofElement(element, depth + 1);
            if (each.value == null) {
                refused = refused == null ? each : refused;
            } else {
                values.add(each.value);
            }
        }
        return refused == null ? accepted(new AttributeValue.L(values)) : refused;
    }

    private static JsonValue map(Map<String, Object> members, int depth) {
        if (depth >= MAX_DEPTH) {
            return tooDeep();
        }
        JsonValue refused = null;
        Map<String, AttributeValue> values = new LinkedHashMap<>();
        for (Map.Entry<String, Object> member : members.entrySet()) {
            JsonValue each = ofElement(member.getValue(), depth + 1);
            if (each.value == null) {
                refused = refused == null ? each : refused;
            } else {
                values.put(member.getKey(), each.value);
            }
        }
        return refused == null ? accepted(new AttributeValue.M(values)) : refused;
    }

    private static Binary binary(Object content) {
        if (content instanceof String text) {
            if (text.length() % 4 != 0) {
                throw JsonBody.serialization(
                        "Base64 encoded length is expected a multiple of 4 bytes but found: "
                                + text.length());
            }
            return Binary.wrap(base64(text));
        }
        if (content instanceof List) {
            throw JsonBody.serialization("Unrecognized collection type class java.nio.ByteBuffer");
        }
        if (content instanceof Map) {
            throw JsonBody.serialization("Start of structure or map found where not expected");
        }
        throw JsonBody.serialization("only base-64-encoded strings are convertible to bytes");
    }

    /** Decodes strictly: bits that stand for nothing must be zero, so a value has one form. */
    private static byte[] base64(String text) {
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            byte[] rest = Arrays.copyOfRange(bytes, bytes.length - bytes.length % 3, bytes.length);
            if (text.endsWith(Base64.getEncoder().encodeToString(rest))) {
                return bytes;
            }
        } catch (IllegalArgumentException e) {
            // not Base64 at all; told in the same words
        }
        throw JsonBody.serialization("Invalid last non-pad Base64 character dectected");
    }

    private static JsonValue accepted(AttributeValue value) {
        return new JsonValue(value, null);
    }

    private static JsonValue tooDeep() {
        return refused(
                "Nesting Levels have exceeded supported limits: Attributes in the item have nested"
                        + " levels beyond supported limit");
    }

    private static JsonValue refused(String message) {
        return new JsonValue(null, ApiException.validation(message));
    }
}
