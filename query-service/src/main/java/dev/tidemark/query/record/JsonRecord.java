package dev.tidemark.query.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON object as it stands in a record: fields in order, nulls left out. Immutable.
 *
 * <p>The readers of named fields throw {@link InvalidRecordException} if the field is missing or of
 * another type; fields nobody asks for are ignored, so that a newer writer may add some.
 */
public final class JsonRecord {

    private static final JsonFactory JSON = new JsonFactory();

    private final Map<String, Object> fields;

    private JsonRecord(Map<String, Object> fields) {
        this.fields = Collections.unmodifiableMap(fields);
    }

    /** Reads a record. */
    public static JsonRecord parse(byte[] bytes) {
        try (JsonParser parser = JSON.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new InvalidRecordException("Record is not a JSON object");
            }
            JsonRecord read = readObject(parser);
            if (parser.nextToken() != null) {
                throw new InvalidRecordException("Record goes on after its JSON object");
            }
            return read;
        } catch (IOException e) {
            throw new InvalidRecordException("Record is not JSON", e);
        }
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Returns the record as UTF-8 JSON text. */
    public byte[] toBytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        try (JsonGenerator generator = JSON.createGenerator(out)) {
            writeValue(generator, this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    public boolean has(String name) {
        return fields.containsKey(name);
    }

    /** Returns the names of all fields, in order. */
    public Collection<String> names() {
        return fields.keySet();
    }

    public String text(String name) {
        return required(name, String.class);
    }

    public Optional<String> optionalText(String name) {
        return has(name) ? Optional.of(text(name)) : Optional.empty();
    }

    public long number(String name) {
        return required(name, Long.class);
    }

    public Optional<Long> optionalNumber(String name) {
        return has(name) ? Optional.of(number(name)) : Optional.empty();
    }

    /** Returns a whole number that fits an {@code int}. */
    public int smallNumber(String name) {
        long number = number(name);
        if (number < Integer.MIN_VALUE || number > Integer.MAX_VALUE) {
            throw new InvalidRecordException("Field is too large: " + name);
        }
        return (int) number;
    }

    public boolean flag(String name) {
        return required(name, Boolean.class);
    }

    public Optional<Boolean> optionalFlag(String name) {
        return has(name) ? Optional.of(flag(name)) : Optional.empty();
    }

    public JsonRecord object(String name) {
        return required(name, JsonRecord.class);
    }

    public Optional<JsonRecord> optionalObject(String name) {
        return has(name) ? Optional.of(object(name)) : Optional.empty();
    }

    public List<JsonRecord> objects(String name) {
        return list(name, JsonRecord.class);
    }

    public List<String> texts(String name) {
        return list(name, String.class);
    }

    public List<Long> numbers(String name) {
        return list(name, Long.class);
    }

    /** Returns the fields of the object under {@code name}, all of them texts. */
    public Map<String, String> textMap(String name) {
        JsonRecord object = object(name);
        Map<String, String> map = new LinkedHashMap<>();
        object.names().forEach(key -> map.put(key, object.text(key)));
        return map;
    }

    @Override
    public String toString() {
        return fields.toString();
    }

    private <T> T required(String name, Class<T> type) {
        Object value = fields.get(name);
        if (!type.isInstance(value)) {
            throw new InvalidRecordException("Field is missing or of another type: " + name);
        }
        return type.cast(value);
    }

    private <T> List<T> list(String name, Class<T> type) {
        List<T> elements = new ArrayList<>();
        for (Object element : required(name, List.class)) {
            if (!type.isInstance(element)) {
                throw new InvalidRecordException("Field has an element of another type: " + name);
            }
            elements.add(type.cast(element));
        }
        return elements;
    }

    private static JsonRecord readObject(JsonParser parser) throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            if (token != JsonToken.VALUE_NULL) {
                fields.put(name, readValue(parser, token));
            }
        }
        return new JsonRecord(fields);
    }

    private static Object readValue(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> readObject(parser);
            case START_ARRAY -> {
                List<Object> elements = new ArrayList<>();
                JsonToken next = parser.nextToken();
                while (next != JsonToken.END_ARRAY) {
                    elements.add(readValue(parser, next));
                    next = parser.nextToken();
                }
                yield Collections.unmodifiableList(elements);
            }
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> throw new InvalidRecordException("Record has a null in an array");
            case VALUE_EMBEDDED_OBJECT, FIELD_NAME, END_ARRAY, END_OBJECT, NOT_AVAILABLE ->
                    throw new InvalidRecordException("Record is not JSON");
        };
    }

    private static void writeValue(JsonGenerator generator, Object value) throws IOException {
        if (value instanceof JsonRecord record) {
            generator.writeStartObject();
            for (Map.Entry<String, Object> field : record.fields.entrySet()) {
                generator.writeFieldName(field.getKey());
                writeValue(generator, field.getValue());
            }
            generator.writeEndObject();
        } else if (value instanceof List<?> list) {
            generator.writeStartArray();
            for (Object element : list) {
                writeValue(generator, element);
            }
            generator.writeEndArray();
        } else if (value instanceof Long number) {
            generator.writeNumber(number);
        } else if (value instanceof Double number) {
            generator.writeNumber(number);
        } else if (value instanceof Boolean flag) {
            generator.writeBoolean(flag);
        } else {
            generator.writeString((String) value);
        }
    }

    /** Collects the fields of a record. */
    public static final class Builder {

        private final Map<String, Object> fields = new LinkedHashMap<>();

        private Builder() {}

        public Builder text(String name, String value) {
            return with(name, value);
        }

        public Builder number(String name, long value) {
            return with(name, value);
        }

        public Builder flag(String name, boolean value) {
            return with(name, value);
        }

        public Builder object(String name, JsonRecord value) {
            return with(name, value);
        }

        public Builder objects(String name, List<JsonRecord> value) {
            return with(name, List.copyOf(value));
        }

        public Builder texts(String name, Collection<String> value) {
            return with(name, List.copyOf(value));
        }

        public Builder numbers(String name, Collection<Long> value) {
            return with(name, List.copyOf(value));
        }

        public Builder textMap(String name, Map<String, String> value) {
            return with(name, new JsonRecord(new LinkedHashMap<>(value)));
        }

        public JsonRecord build() {
            return new JsonRecord(new LinkedHashMap<>(fields));
        }

        private Builder with(String name, Object value) {
            fields.put(name, value);
            return this;
        }
    }
}
