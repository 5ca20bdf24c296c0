package dev.tidemark.testsupport.trial;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Request bodies made of good ones by damage: values of another kind, absurd numbers, nesting
 * without end, members lost or renamed, bytes flipped. Equal seeds give equal bodies. Not
 * thread-safe.
 */
public final class HostileBodies {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** Stands for text that no tree can hold. */
    private static final String MARK = "@@hostile@@";

    private static final List<String> LITERALS =
            List.of(
                    "1E999999999",
                    "-1E999999999",
                    "1E-999999999",
                    "-1E-999999999",
                    "1E2147483647",
                    "1E-2147483648",
                    "1E99999999999999999999",
                    "9223372036854775808",
                    "-9223372036854775809",
                    "18446744073709551616",
                    "2147483648",
                    "-2147483649",
                    "0.1",
                    "-0",
                    "-1",
                    "0",
                    "NaN",
                    "Infinity",
                    "01",
                    "+1",
                    "1.",
                    "'a'",
                    "\"\\ud800\"",
                    "\"\\udc00\\ud800\"",
                    "\"\\u0000\"",
                    "\"\\x\"",
                    "\"\n\"",
                    "/**/1",
                    "{\"S\":\"a\",\"S\":\"b\"}",
                    "{\"S\":null}",
                    "{\"N\":\"1E999999999\"}",
                    "{\"N\":\"1E-999999999\"}",
                    "{\"N\":\"-0E-99999999999999999999\"}",
                    "{\"NULL\":false}",
                    "{\"\":\"\"}",
                    "{\"B\":\"=\"}",
                    "{\"B\":\"A\"}",
                    "{\"BS\":[\"AA==\",\"AA==\"]}",
                    "{\"SS\":[]}",
                    "{\"NS\":[\"1\",\"1.0\"]}",
                    "{\"S\":\"\\ud83d\"}",
                    "{\"M\":{\"\":{\"S\":\"\"}}}",
                    "{\"L\":[null]}");

    private static final List<String> TEXTS =
            List.of(
                    "",
                    " ",
                    "\u0000",
                    "NaN",
                    "a".repeat(70_000),
                    "#".repeat(4_097),
                    "\ufffd\uffff",
                    "\u0130\u0131",
                    "SET a = :v REMOVE a",
                    "(((((((((a = :v)))))))))",
                    "a".repeat(255) + "." + "b".repeat(255),
                    "a[999999999999999999999]",
                    "a[2147483647]",
                    "SET a[2147483647] = :v",
                    "NOT ".repeat(1_000) + "a = :v",
                    "(".repeat(4_000),
                    "a = :v AND ".repeat(350) + "a = :v",
                    "size(".repeat(800),
                    "a." + "a.".repeat(2_000) + "a",
                    "arn:aws:dynamodb:::table/",
                    "arn:aws:dynamodb:us-east-1:000000000000:table/a/index/b",
                    "../../etc/passwd",
                    "%s%n%d",
                    "ALL_OLD",
                    "1E999999999");

    private final Random random;

    public HostileBodies(Random random) {
        this.random = random;
    }

    /** Returns a body made of {@code good}, a JSON object. */
    public byte[] of(String good) {
        ObjectNode body = tree(good);
        List<String> literals = new ArrayList<>();
        for (int damages = random.nextInt(3); damages >= 0; damages--) {
            damageWithin(body, literals);
        }
        String text = body.toString();
        for (String literal : literals) {
            int at = text.indexOf('"' + MARK + '"');
            if (at >= 0) {
                text = text.substring(0, at) + literal + text.substring(at + MARK.length() + 2);
            }
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return random.nextInt(8) == 0 ? damaged(bytes) : bytes;
    }

    private static ObjectNode tree(String json) {
        try {
            return (ObjectNode) JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Invalid body: no JSON", e);
        }
    }

    /** Changes something somewhere within. */
    private void damageWithin(JsonNode root, List<String> literals) {
        JsonNode at = root;
        while (true) {
            List<JsonNode> inner = new ArrayList<>();
            at.elements().forEachRemaining(inner::add);
            inner.removeIf(each -> each.isEmpty());
            if (inner.isEmpty() || random.nextInt(3) == 0) {
                break;
            }
            at = inner.get(random.nextInt(inner.size()));
        }
        if (at instanceof ObjectNode object) {
            damage(object, literals);
        } else if (at instanceof ArrayNode array) {
            damage(array, literals);
        }
    }

    private void damage(ObjectNode object, List<String> literals) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        if (names.isEmpty()) {
            object.set(text(), value(literals));
            return;
        }
        String name = names.get(random.nextInt(names.size()));
        switch (random.nextInt(6)) {
            case 0 -> object.remove(name);
            case 1 -> object.set(text(), object.remove(name));
            case 2 -> object.set(name, NODES.arrayNode().add(object.get(name)));
            case 3 -> object.set(text(), value(literals));
            default -> object.set(name, value(literals));
        }
    }

    private void damage(ArrayNode array, List<String> literals) {
        switch (random.nextInt(4)) {
            case 0 -> array.removeAll();
            case 1 -> array.add(value(literals));
            case 2 -> {
                JsonNode first = array.isEmpty() ? NODES.nullNode() : array.get(0);
                for (int more = random.nextInt(120); more >= 0; more--) {
                    array.add(first.deepCopy());
                }
            }
            default -> {
                if (!array.isEmpty()) {
                    array.set(random.nextInt(array.size()), value(literals));
                }
            }
        }
    }

    private String text() {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }

    private JsonNode value(List<String> literals) {
        return switch (random.nextInt(9)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.booleanNode(random.nextBoolean());
            case 2 -> NODES.objectNode();
            case 3 -> NODES.arrayNode();
            case 4, 5 -> NODES.textNode(text());
            case 6 -> {
                literals.add(nested(random.nextInt(4) == 0 ? 2_000 : 20 + random.nextInt(30)));
                yield NODES.textNode(MARK);
            }
            default -> {
                literals.add(LITERALS.get(random.nextInt(LITERALS.size())));
                yield NODES.textNode(MARK);
            }
        };
    }

    private String nested(int levels) {
        boolean lists = random.nextBoolean();
        String open = lists ? "{\"L\":[" : "{\"M\":{\"a\":";
        String close = lists ? "]}" : "}}";
        return open.repeat(levels) + "{\"BOOL\":true}" + close.repeat(levels);
    }

    private byte[] damaged(byte[] bytes) {
        if (bytes.length == 0) {
            return bytes;
        }
        byte[] bad = bytes.clone();
        if (random.nextInt(4) == 0) {
            return Arrays.copyOf(bad, random.nextInt(bad.length));
        }
        for (int flips = random.nextInt(3); flips >= 0; flips--) {
            bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
        }
        return bad;
    }

    /** Returns bodies that cost whoever reads them without bounds, each with its name. */
    public static List<Costly> costly(String table) {
        int many = 400_000;
        List<Costly> bodies = new ArrayList<>();
        bodies.add(new Costly("arrays", "Scan", "[".repeat(1_000_000)));
        bodies.add(new Costly("objects", "Scan", "{\"a\":".repeat(1_000_000)));
        bodies.add(
                new Costly(
                        "a limit that is a tiny number",
                        "Scan",
                        "{\"TableName\":\"" + table + "\",\"Limit\":1E-999999999}"));
        bodies.add(
                new Costly(
                        "a limit of many digits",
                        "Scan",
                        "{\"TableName\":\"" + table + "\",\"Limit\":" + "9".repeat(900) + "}"));
        bodies.add(
                new Costly(
                        "a limit of too many digits",
                        "Scan",
                        "{\"TableName\":\"" + table + "\",\"Limit\":" + "9".repeat(many) + "}"));
        bodies.add(put("a number of many digits", table, "{\"N\":\"" + "9".repeat(many) + "\"}"));
        bodies.add(put("a number of many zeros", table, "{\"N\":\"1" + "0".repeat(many) + "\"}"));
        bodies.add(put("a set of many numbers", table, "{\"NS\":[" + numbers(many) + "]}"));
        bodies.add(
                put(
                        "a set of many long numbers",
                        table,
                        "{\"NS\":["
                                + numbers(many).replace("\"1", "\"-0.0000000000000001")
                                + "]}"));
        bodies.add(put("a set of many texts", table, "{\"SS\":[" + numbers(many) + "]}"));
        bodies.add(
                put("a set whose texts have one hash", table, "{\"SS\":[" + equalHashes() + "]}"));
        bodies.add(
                put(
                        "a list of many nothings",
                        table,
                        "{\"L\":[" + "{\"NULL\":true},".repeat(many) + "{\"NULL\":true}]}"));
        bodies.add(
                new Costly(
                        "many names",
                        "Scan",
                        "{\"TableName\":\""
                                + table
                                + "\",\"FilterExpression\":\"a = :v\",\"ExpressionAttributeNames\":{"
                                + members(many / 2)
                                + "}}"));
        bodies.add(
                new Costly(
                        "many members",
                        "PutItem",
                        "{\"TableName\":\"" + table + "\"," + members(many / 2) + "}"));
        bodies.add(new Costly("a long name", "Scan", "{\"" + "n".repeat(2_000_000) + "\":1}"));
        return bodies;
    }

    /** A body, by what makes it costly. */
    public record Costly(String name, String operation, String body) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Costly put(String name, String table, String value) {
        return new Costly(
                name,
                "PutItem",
                "{\"TableName\":\""
                        + table
                        + "\",\"Item\":{\"pk\":{\"S\":\"p\"},\"sk\":{\"N\":\"1\"},\"v\":"
                        + value
                        + "}}");
    }

    private static String numbers(int count) {
        StringBuilder numbers = new StringBuilder(count * 9);
        for (int number = 0; number < count; number++) {
            numbers.append(number == 0 ? "\"" : ",\"").append(1_000_000 + number).append('"');
        }
        return numbers.toString();
    }

    private static String members(int count) {
        StringBuilder members = new StringBuilder(count * 16);
        for (int number = 0; number < count; number++) {
            members.append(number == 0 ? "\"#" : ",\"#").append(number).append("\":\"a\"");
        }
        return members.toString();
    }

    /** Returns 65,536 texts with one hash code. */
    private static String equalHashes() {
        StringBuilder texts = new StringBuilder();
        for (int number = 0; number < 1 << 16; number++) {
            texts.append(number == 0 ? "\"" : ",\"");
            for (int bit = 0; bit < 16; bit++) {
                texts.append((number >> bit & 1) == 0 ? "Aa" : "BB");
            }
            texts.append('"');
        }
        return texts.toString();
    }
}
