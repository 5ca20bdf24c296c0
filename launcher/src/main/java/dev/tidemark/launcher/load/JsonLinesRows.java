package dev.tidemark.launcher.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.InvalidNumberException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The rows of a file with one JSON object a line: plain objects, whose members become attributes of
 * the same shape, or objects with an {@code Item} in DynamoDB's JSON, as DynamoDB exports them.
 */
final class JsonLinesRows implements RowSource {

    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private final CountingInput input;
    private final BufferedReader reader;
    private final ItemRules rules;
    private long line;

    private JsonLinesRows(CountingInput input, BufferedReader reader, ItemRules rules) {
        this.input = input;
        this.reader = reader;
        this.rules = rules;
    }

    /**
     * Opens a file.
     *
     * @throws IOException if it can't be read
     */
    static JsonLinesRows open(Path file, ItemRules rules) throws IOException {
        CountingInput input = new CountingInput(Files.newInputStream(file));
        try {
            return new JsonLinesRows(input, Utf8Text.open(input), rules);
        } catch (IOException e) {
            input.close();
            throw e;
        }
    }

    @Override
    public Optional<Row> next() throws IOException {
        try {
            String text = reader.readLine();
            line++;
            while (text != null && text.isBlank()) {
                text = reader.readLine();
                line++;
            }
            return text == null ? Optional.empty() : Optional.of(row(text));
        } catch (CharacterCodingException e) {
            throw Utf8Text.notUtf8(line + 1, e);
        }
    }

    private Row row(String text) {
        try {
            JsonNode json = MAPPER.readTree(text);
            if (!(json instanceof ObjectNode object)) {
                return new Row.Bad(line, text, "is no JSON object");
            }
            if (object.size() == 1 && object.get("Item") instanceof ObjectNode item) {
                rules.addTo(item, Map.of());
                return new Row.Good(line, item);
            }
            ObjectNode item = MAPPER.createObjectNode();
            Map<String, String> columns = new LinkedHashMap<>();
            for (Map.Entry<String, JsonNode> member : object.properties()) {
                item.set(member.getKey(), value(member.getKey(), member.getValue()));
                columns.put(member.getKey(), member.getValue().asText(""));
            }
            rules.addTo(item, columns);
            return new Row.Good(line, item);
        } catch (JsonProcessingException e) {
            return new Row.Bad(line, text, "is no JSON: " + e.getOriginalMessage());
        } catch (IllegalArgumentException | InvalidNumberException e) {
            return new Row.Bad(line, text, String.valueOf(e.getMessage()));
        }
    }

    private ObjectNode value(String name, JsonNode json) {
        ObjectNode value = MAPPER.createObjectNode();
        if (json.isTextual()) {
            boolean number = rules.numbers().contains(name);
            return number
                    ? value.put("N", Decimal.parse(json.textValue().strip()).text())
                    : value.put("S", json.textValue());
        }
        if (json.isNumber()) {
            return value.put("N", Decimal.parse(json.asText()).text());
        }
        if (json.isBoolean()) {
            return value.put("BOOL", json.booleanValue());
        }
        if (json.isArray()) {
            var list = value.putArray("L");
            json.forEach(element -> list.add(value("", element)));
            return value;
        }
        if (json.isObject()) {
            ObjectNode map = value.putObject("M");
            json.properties()
                    .forEach(member -> map.set(member.getKey(), value("", member.getValue())));
            return value;
        }
        return value.put("NULL", true);
    }

    @Override
    public long bytesRead() {
        return input.count();
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
