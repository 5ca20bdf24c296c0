package dev.tidemark.wire;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Answers about items straight from their stored form, without making model objects: the hot path
 * of Query and Scan. Stateless, thread-safe.
 *
 * <p>Every method throws {@link WireFormatException} for bytes that are no stored form. Numbers are
 * taken to be canonical and strings to be UTF-8, as {@link ItemCodec#encode} writes them.
 */
public final class StoredItems {

    private static final String S_HEAD = "{\"S\":";
    private static final String N_HEAD = "{\"N\":\"";
    private static final String B_HEAD = "{\"B\":\"";
    private static final String L_HEAD = "{\"L\":[";
    private static final String M_HEAD = "{\"M\":";
    private static final String SS_HEAD = "{\"SS\":[";
    private static final String NS_HEAD = "{\"NS\":[";
    private static final String BS_HEAD = "{\"BS\":[";

    private StoredItems() {}

    /** Returns the item's size in bytes by DynamoDB's arithmetic, as {@link Item#size()}. */
    public static int size(byte[] stored) {
        AvroReader in = ItemCodec.reader(stored);
        int size = entriesSize(in, 0, 0);
        in.expectEnd();
        return size;
    }

    /** Appends the item in DynamoDB's JSON: an object of its attributes. */
    public static void writeJson(byte[] stored, JsonBytes out) {
        AvroReader in = ItemCodec.reader(stored);
        writeMap(in, out, 0);
        in.expectEnd();
    }

    /**
     * Appends the item's attributes of these names in DynamoDB's JSON, in the item's own order; a
     * name the item lacks is left out.
     */
    public static void writeJson(byte[] stored, AttributeNames names, JsonBytes out) {
        AvroReader in = ItemCodec.reader(stored);
        out.put('{');
        boolean first = true;
        int left = names.size();
        for (int count = in.readBlock(ItemCodec.SMALLEST_ENTRY);
                count > 0 && left > 0;
                count = in.readBlock(ItemCodec.SMALLEST_ENTRY)) {
            for (int entry = 0; entry < count && left > 0; entry++) {
                int length = in.readLength();
                int from = in.at;
                in.at = from + length;
                if (names.contains(in.bytes, from, in.at)) {
                    if (!first) {
                        out.put(',');
                    }
                    first = false;
                    left--;
                    out.putString(in.bytes, from, in.at);
                    out.put(':');
                    writeValue(in, out, 0);
                } else {
                    skipValue(in, 0);
                }
            }
            if (left == 0) {
                break;
            }
        }
        out.put('}');
    }

    /** Returns the value of one attribute, or empty if the item lacks it. */
    public static Optional<AttributeValue> attribute(byte[] stored, String name) {
        return attribute(stored, name.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the value of the attribute with this name in UTF-8, or empty if there is none. */
    public static Optional<AttributeValue> attribute(byte[] stored, byte[] utf8Name) {
        AvroReader in = ItemCodec.reader(stored);
        for (int count = in.readBlock(ItemCodec.SMALLEST_ENTRY);
                count > 0;
                count = in.readBlock(ItemCodec.SMALLEST_ENTRY)) {
            for (int entry = 0; entry < count; entry++) {
                int length = in.readLength();
                int from = in.at;
                in.at = from + length;
                if (AttributeNames.equal(utf8Name, in.bytes, from, in.at)) {
                    return Optional.of(ItemCodec.readValue(in, 0));
                }
                skipValue(in, 0);
            }
        }
        return Optional.empty();
    }

    /** Returns the item with only the attributes of these names, as {@link Item#only}. */
    public static Item only(byte[] stored, AttributeNames names) {
        AvroReader in = ItemCodec.reader(stored);
        Map<String, AttributeValue> kept = new LinkedHashMap<>();
        for (int count = in.readBlock(ItemCodec.SMALLEST_ENTRY);
                count > 0 && kept.size() < names.size();
                count = in.readBlock(ItemCodec.SMALLEST_ENTRY)) {
            for (int entry = 0; entry < count && kept.size() < names.size(); entry++) {
                int length = in.readLength();
                int from = in.at;
                in.at = from + length;
                if (names.contains(in.bytes, from, in.at)) {
                    String name = new String(in.bytes, from, length, StandardCharsets.UTF_8);
                    kept.put(name, ItemCodec.readValue(in, 0));
                } else {
                    skipValue(in, 0);
                }
            }
            if (kept.size() == names.size()) {
                break;
            }
        }
        return new Item(kept);
    }

    static void skipMap(AvroReader in, int depth) {
        ItemCodec.checkDepth(depth);
        for (int count = in.readBlock(ItemCodec.SMALLEST_ENTRY);
                count > 0;
                count = in.readBlock(ItemCodec.SMALLEST_ENTRY)) {
            for (int left = count; left > 0; left--) {
                in.skipBytes();
                skipValue(in, depth);
            }
        }
    }

    private static void skipValue(AvroReader in, int depth) {
        switch (in.readIndex(ItemCodec.BRANCHES)) {
            case ItemCodec.NULL -> {}
            case ItemCodec.BOOL -> in.readBoolean();
            case ItemCodec.S, ItemCodec.B, ItemCodec.N -> in.skipBytes();
            case ItemCodec.L -> {
                ItemCodec.checkDepth(depth + 1);
                for (int count = in.readBlock(1); count > 0; count = in.readBlock(1)) {
                    for (int left = count; left > 0; left--) {
                        skipValue(in, depth + 1);
                    }
                }
            }
            case ItemCodec.M -> skipMap(in, depth + 1);
            default -> {
                for (int count = in.readBlock(1); count > 0; count = in.readBlock(1)) {
                    for (int left = count; left > 0; left--) {
                        in.skipBytes();
                    }
                }
            }
        }
    }

    /** Returns the sizes of a map's entries, with {@code overhead} bytes more for each. */
    private static int entriesSize(AvroReader in, int overhead, int depth) {
        ItemCodec.checkDepth(depth);
        int size = 0;
        for (int count = in.readBlock(ItemCodec.SMALLEST_ENTRY);
                count > 0;
                count = in.readBlock(ItemCodec.SMALLEST_ENTRY)) {
            for (int left = count; left > 0; left--) {
                int length = in.readLength();
                in.at += length;
                size += overhead + length + valueSize(in, depth);
            }
        }
        return size;
    }

    private static int valueSize(AvroReader in, int depth) {
        return switch (in.readIndex(ItemCodec.BRANCHES)) {
            case ItemCodec.NULL -> 1;
            case ItemCodec.BOOL -> {
                in.readBoolean();
                yield 1;
            }
            case ItemCodec.S, ItemCodec.B -> {
                int length = in.readLength();
                in.at += length;
                yield length;
            }
            case ItemCodec.N -> numberSize(in);
            case ItemCodec.L -> listSize(in, depth + 1);
            case ItemCodec.M -> 3 + entriesSize(in, 1, depth + 1);
            case ItemCodec.NS -> {
                int size = 0;
                for (int count = in.readBlock(1); count > 0; count = in.readBlock(1)) {
                    for (int left = count; left > 0; left--) {
                        size += numberSize(in);
                    }
                }
                yield size;
            }
            default -> {
                int size = 0;
                for (int count = in.readBlock(1); count > 0; count = in.readBlock(1)) {
                    for (int left = count; left > 0; left--) {
                        int length = in.readLength();
                        in.at += length;
                        size += length;
                    }
                }
                yield size;
            }
        };
    }

    private static int listSize(AvroReader in, int depth) {
        ItemCodec.checkDepth(depth);
        int size = 3;
        for (int count = in.readBlock(1); count > 0; count = in.readBlock(1)) {
            for (int left = count; left > 0; left--) {
                size += 1 + valueSize(in, depth);
            }
        }
        return size;
    }

    /** Returns what {@link dev.tidemark.model.item.Decimal#size()} says of a canonical text. */
    private static int numberSize(AvroReader in) {
        int length = in.readLength();
        byte[] text = in.bytes;
        int start = in.at;
        int end = start + length;
        in.at = end;
        if (length == 0) {
            throw new WireFormatException("Invalid item: not a number");
        }
        if (length == 1 && text[start] == '0') {
            return 1;
        }
        int sign = text[start] == '-' ? 1 : 0;
        start += sign;
        int point = start;
        while (point < end && text[point] != '.') {
            point++;
        }
        int whole = point - start;
        if (whole == 1 && text[start] == '0') {
            whole = 0;
        } else if (point == end) {
            while (whole > 0 && text[start + whole - 1] == '0') {
                whole--;
            }
        }
        int fraction = 0;
        if (point < end) {
            int first = point + 1;
            if (whole == 0) {
                while (first < end && text[first] == '0') {
                    first++;
                }
            }
            fraction = end - first;
        }
        return 1 + (whole + 1) / 2 + (fraction + 1) / 2 + sign;
    }

    private static void writeMap(AvroReader in, JsonBytes out, int depth) {
        ItemCodec.checkDepth(depth);
        out.put('{');
        boolean first = true;
        for (int count = in.readBlock(ItemCodec.SMALLEST_ENTRY);
                count > 0;
                count = in.readBlock(ItemCodec.SMALLEST_ENTRY)) {
            for (int left = count; left > 0; left--) {
                if (!first) {
                    out.put(',');
                }
                first = false;
                writeString(in, out);
                out.put(':');
                writeValue(in, out, depth);
            }
        }
        out.put('}');
    }

    private static void writeValue(AvroReader in, JsonBytes out, int depth) {
        switch (in.readIndex(ItemCodec.BRANCHES)) {
            case ItemCodec.NULL -> out.putAscii("{\"NULL\":true}");
            case ItemCodec.BOOL ->
                    out.putAscii(in.readBoolean() ? "{\"BOOL\":true}" : "{\"BOOL\":false}");
            case ItemCodec.S -> {
                out.putAscii(S_HEAD);
                writeString(in, out);
                out.put('}');
            }
            case ItemCodec.N -> {
                out.putAscii(N_HEAD);
                writeRaw(in, out);
                out.putAscii("\"}");
            }
            case ItemCodec.B -> {
                out.putAscii(B_HEAD);
                writeBase64(in, out);
                out.putAscii("\"}");
            }
            case ItemCodec.L -> {
                out.putAscii(L_HEAD);
                writeList(in, out, depth + 1);
                out.putAscii("]}");
            }
            case ItemCodec.M -> {
                out.putAscii(M_HEAD);
                writeMap(in, out, depth + 1);
                out.put('}');
            }
            case ItemCodec.SS -> writeSet(in, out, SS_HEAD, ItemCodec.S);
            case ItemCodec.NS -> writeSet(in, out, NS_HEAD, ItemCodec.N);
            default -> writeSet(in, out, BS_HEAD, ItemCodec.B);
        }
    }

    private static void writeList(AvroReader in, JsonBytes out, int depth) {
        ItemCodec.checkDepth(depth);
        boolean first = true;
        for (int count = in.readBlock(1); count > 0; count = in.readBlock(1)) {
            for (int left = count; left > 0; left--) {
                if (!first) {
                    out.put(',');
                }
                first = false;
                writeValue(in, out, depth);
            }
        }
    }

    private static void writeSet(AvroReader in, JsonBytes out, String head, int member) {
        out.putAscii(head);
        boolean first = true;
        for (int count = in.readBlock(1); count > 0; count = in.readBlock(1)) {
            for (int left = count; left > 0; left--) {
                if (!first) {
                    out.put(',');
                }
                first = false;
                if (member == ItemCodec.S) {
                    writeString(in, out);
                } else {
                    out.put('"');
                    if (member == ItemCodec.N) {
                        writeRaw(in, out);
                    } else {
                        writeBase64(in, out);
                    }
                    out.put('"');
                }
            }
        }
        out.putAscii("]}");
    }

    private static void writeString(AvroReader in, JsonBytes out) {
        int length = in.readLength();
        out.putString(in.bytes, in.at, in.at + length);
        in.at += length;
    }

    private static void writeRaw(AvroReader in, JsonBytes out) {
        int length = in.readLength();
        out.put(in.bytes, in.at, in.at + length);
        in.at += length;
    }

    private static void writeBase64(AvroReader in, JsonBytes out) {
        int length = in.readLength();
        out.putBase64(in.bytes, in.at, in.at + length);
        in.at += length;
    }
}
