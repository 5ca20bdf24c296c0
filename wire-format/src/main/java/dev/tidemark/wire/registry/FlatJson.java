package dev.tidemark.wire.registry;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The scalars at the top of a JSON object; what is nested is passed over. */
final class FlatJson {

    private static final JsonFactory FACTORY = new JsonFactory();

    private final Map<String, String> values;

    private FlatJson(Map<String, String> values) {
        this.values = values;
    }

    /** Reads an object; throws if the text is none. */
    static FlatJson parse(String text) throws IOException {
        Map<String, String> values = new HashMap<>();
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("Not a JSON object");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (value == null) {
                    throw new IOException("Not a JSON object");
                } else if (value.isStructStart()) {
                    parser.skipChildren();
                } else {
                    values.put(name, parser.getText());
                }
            }
        }
        return new FlatJson(values);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name));
    }

    Optional<Integer> number(String name) {
        try {
            return text(name).map(Integer::valueOf);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
