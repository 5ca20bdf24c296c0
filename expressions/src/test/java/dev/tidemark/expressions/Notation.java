package dev.tidemark.expressions;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.write.Placeholders;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * The notation of values in the tables of cases: {@code 'text' 12.5 true null x0aff [1, 'a'] {a:
 * 1}} and sets {@code <1, 2> <'a'> <x00>}.
 */
final class Notation {

    private final String text;
    private int at;

    private Notation(String text) {
        this.text = text;
    }

    static Item item(String text) {
        return new Item(map(text));
    }

    static Placeholders placeholders(String values, String names) {
        Map<String, AttributeValue> byValue = new LinkedHashMap<>();
        map(values).forEach((key, value) -> byValue.put(":" + key, value));
        Map<String, String> byName = new LinkedHashMap<>();
        map(names)
                .forEach((key, value) -> byName.put("#" + key, ((AttributeValue.S) value).value()));
        return new Placeholders(byName, byValue);
    }

    private static Map<String, AttributeValue> map(String text) {
        if (text.isBlank()) {
            return Map.of();
        }
        Notation notation = new Notation(text.strip());
        AttributeValue value = notation.value();
        if (notation.at != notation.text.length() || !(value instanceof AttributeValue.M map)) {
            throw new IllegalArgumentException("Invalid notation: " + text);
        }
        return map.values();
    }

    private AttributeValue value() {
        skipSpace();
        char c = text.charAt(at);
        if (c == '\'') {
            return new AttributeValue.S(string());
        }
        if (c == '[') {
            return new AttributeValue.L(list('[', ']'));
        }
        if (c == '<') {
            return set(list('<', '>'));
        }
        if (c == '{') {
            return object();
        }
        String word = word();
        return switch (word) {
            case "true" -> new AttributeValue.Bool(true);
            case "false" -> new AttributeValue.Bool(false);
            case "null" -> AttributeValue.Null.INSTANCE;
            default ->
                    word.startsWith("x")
                            ? new AttributeValue.B(
                                    Binary.wrap(HexFormat.of().parseHex(word.substring(1))))
                            : new AttributeValue.N(Decimal.parse(word));
        };
    }

    private AttributeValue object() {
        Map<String, AttributeValue> values = new LinkedHashMap<>();
        at++;
        skipSpace();
        while (text.charAt(at) != '}') {
            String key = text.charAt(at) == '\'' ? string() : word();
            skipSpace();
            expect(':');
            values.put(key, value());
            skipSpace();
            if (text.charAt(at) == ',') {
                at++;
                skipSpace();
            }
        }
        at++;
        return new AttributeValue.M(values);
    }

    private List<AttributeValue> list(char open, char close) {
        List<AttributeValue> values = new ArrayList<>();
        expect(open);
        skipSpace();
        while (text.charAt(at) != close) {
            values.add(value());
            skipSpace();
            if (text.charAt(at) == ',') {
                at++;
                skipSpace();
            }
        }
        at++;
        return values;
    }

    private static AttributeValue set(List<AttributeValue> values) {
        if (values.get(0) instanceof AttributeValue.N) {
            LinkedHashSet<Decimal> members = new LinkedHashSet<>();
            values.forEach(value -> members.add(((AttributeValue.N) value).value()));
            return new AttributeValue.NS(members);
        }
        if (values.get(0) instanceof AttributeValue.B) {
            LinkedHashSet<Binary> members = new LinkedHashSet<>();
            values.forEach(value -> members.add(((AttributeValue.B) value).value()));
            return new AttributeValue.BS(members);
        }
        LinkedHashSet<String> members = new LinkedHashSet<>();
        values.forEach(value -> members.add(((AttributeValue.S) value).value()));
        return new AttributeValue.SS(members);
    }

    private String string() {
        int end = text.indexOf('\'', at + 1);
        String string = text.substring(at + 1, end);
        at = end + 1;
        return string;
    }

    private String word() {
        int start = at;
        while (at < text.length() && " ,:]}>".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return text.substring(start, at);
    }

    private void expect(char c) {
        if (text.charAt(at) != c) {
            throw new IllegalArgumentException("Invalid notation at " + at + ": " + text);
        }
        at++;
    }

    private void skipSpace() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
    }
}
