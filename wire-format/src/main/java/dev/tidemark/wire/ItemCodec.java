package dev.tidemark.wire;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.InvalidNumberException;
import dev.tidemark.model.item.Item;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Items as Avro maps of attribute values, and their <em>stored form</em>: a version byte, then that
 * map. What state stores hold and what an index update carries.
 *
 * <p>Equal items made in the same order have equal bytes. Stateless, thread-safe.
 */
public final class ItemCodec {

    /** The first byte of the stored form. */
    public static final byte VERSION = 1;

    /**
     * The most levels of lists and maps that are written or read. DynamoDB's own limit is lower,
     * and it is for those who apply writes to hold it.
     */
    public static final int MAX_DEPTH = 64;

    static final int NULL = 0;
    static final int BOOL = 1;
    static final int S = 2;
    static final int B = 3;
    static final int N = 4;
    static final int L = 5;
    static final int M = 6;
    static final int SS = 7;
    static final int NS = 8;
    static final int BS = 9;
    static final int BRANCHES = 10;

    /** The fewest bytes of a map's entry: an empty name, and a branch that holds nothing. */
    static final int SMALLEST_ENTRY = 2;

    private ItemCodec() {}

    /**
     * Returns the stored form.
     *
     * @throws IllegalArgumentException if the item has more than {@link #MAX_DEPTH} levels
     */
    public static byte[] encode(Item item) {
        AvroWriter out = new AvroWriter(estimate(item));
        out.writeByte(VERSION);
        writeMap(item.attributes(), out, 0);
        return out.toByteArray();
    }

    /**
     * Returns the item of a stored form.
     *
     * @throws WireFormatException if the bytes are none
     */
    public static Item decode(byte[] stored) {
        AvroReader in = reader(stored);
        Item item = readItem(in);
        in.expectEnd();
        return item;
    }

    /** Opens a stored form behind its version. */
    static AvroReader reader(byte[] stored) {
        if (stored.length == 0 || stored[0] != VERSION) {
            throw new WireFormatException("Invalid stored item: unknown version");
        }
        return new AvroReader(stored, 1, stored.length);
    }

    /** Returns a capacity that usually suffices. */
    static int estimate(Item item) {
        return 64 + item.attributes().size() * 48;
    }

    static Item readItem(AvroReader in) {
        return new Item(readMap(in, 0));
    }

    static void writeMap(Map<String, AttributeValue> values, AvroWriter out, int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("Invalid item: nested too deeply");
        }
        if (!values.isEmpty()) {
            out.writeLong(values.size());
            for (Map.Entry<String, AttributeValue> entry : values.entrySet()) {
                out.writeString(entry.getKey());
                writeValue(entry.getValue(), out, depth);
            }
        }
        out.writeLong(0);
    }

    static void writeValue(AttributeValue value, AvroWriter out, int depth) {
        switch (value.type()) {
            case S -> {
                out.writeLong(S);
                out.writeString(((AttributeValue.S) value).value());
            }
            case N -> {
                out.writeLong(N);
                out.writeString(((AttributeValue.N) value).value().text());
            }
            case B -> {
                out.writeLong(B);
                out.writeBytes(((AttributeValue.B) value).value().toByteArray());
            }
            case BOOL -> {
                out.writeLong(BOOL);
                out.writeBoolean(((AttributeValue.Bool) value).value());
            }
            case NULL -> out.writeLong(NULL);
            case L -> {
                out.writeLong(L);
                writeList(((AttributeValue.L) value).values(), out, depth + 1);
            }
            case M -> {
                out.writeLong(M);
                writeMap(((AttributeValue.M) value).values(), out, depth + 1);
            }
            case SS -> {
                out.writeLong(SS);
                Set<String> members = ((AttributeValue.SS) value).values();
                out.writeLong(members.size());
                members.forEach(out::writeString);
                out.writeLong(0);
            }
            case NS -> {
                out.writeLong(NS);
                Set<Decimal> members = ((AttributeValue.NS) value).values();
                out.writeLong(members.size());
                members.forEach(member -> out.writeString(member.text()));
                out.writeLong(0);
            }
            case BS -> {
                out.writeLong(BS);
                Set<Binary> members = ((AttributeValue.BS) value).values();
                out.writeLong(members.size());
                members.forEach(member -> out.writeBytes(member.toByteArray()));
                out.writeLong(0);
            }
        }
    }

    static Map<String, AttributeValue> readMap(AvroReader in, int depth) {
        checkDepth(depth);
        Map<String, AttributeValue> values = new LinkedHashMap<>();
        for (int count = in.readBlock(SMALLEST_ENTRY);
                count > 0;
                count = in.readBlock(SMALLEST_ENTRY)) {
            for (int left = count; left > 0; left--) {
                String name = in.readString();
                values.put(name, readValue(in, depth));
            }
        }
        return values;
    }

    static AttributeValue readValue(AvroReader in, int depth) {
        return switch (in.readIndex(BRANCHES)) {
            case NULL -> AttributeValue.Null.INSTANCE;
            case BOOL -> new AttributeValue.Bool(in.readBoolean());
            case S -> new AttributeValue.S(in.readString());
            case B -> new AttributeValue.B(Binary.wrap(in.readBytes()));
            case N -> new AttributeValue.N(readNumber(in));
            case L -> new AttributeValue.L(readList(in, depth + 1));
            case M -> new AttributeValue.M(readMap(in, depth + 1));
            case SS -> {
                Set<String> members = new LinkedHashSet<>();
                for (int count = in.readBlock(1); count > 0; count = in.readBlock(1)) {
                    for (int left = count; left > 0; left--) {
                        members.add(in.readString());
                    }
                }
                yield new AttributeValue.SS(notEmpty(members));
            }
            case NS -> {
                Set<Decimal> members = new LinkedHashSet<>();
                for (int count = in.readBlock(1); count > 0; count = in.readBlock(1)) {
                    for (int left = count; left > 0; left--) {
                        members.add(readNumber(in));
                    }
                }
                yield new AttributeValue.NS(notEmpty(members));
            }
            default -> {
                Set<Binary> members = new LinkedHashSet<>();
                for (int count = in.readBlock(1); count > 0; count = in.readBlock(1)) {
                    for (int left = count; left > 0; left--) {
                        members.add(Binary.wrap(in.readBytes()));
                    }
                }
                yield new AttributeValue.BS(notEmpty(members));
            }
        };
    }

    static void checkDepth(int depth) {
        if (depth > MAX_DEPTH) {
            throw new WireFormatException("Invalid item: nested too deeply");
        }
    }

    private static void writeList(List<AttributeValue> values, AvroWriter out, int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("Invalid item: nested too deeply");
        }
        if (!values.isEmpty()) {
            out.writeLong(values.size());
            for (AttributeValue value : values) {
                writeValue(value, out, depth);
            }
        }
        out.writeLong(0);
    }

    private static List<AttributeValue> readList(AvroReader in, int depth) {
        checkDepth(depth);
        List<AttributeValue> values = new ArrayList<>();
        for (int count = in.readBlock(1); count > 0; count = in.readBlock(1)) {
            for (int left = count; left > 0; left--) {
                values.add(readValue(in, depth));
            }
        }
        return values;
    }

    private static Decimal readNumber(AvroReader in) {
        try {
            return Decimal.parse(in.readString());
        } catch (InvalidNumberException e) {
            throw new WireFormatException("Invalid item: not a number");
        }
    }

    private static <T> Set<T> notEmpty(Set<T> members) {
        if (members.isEmpty()) {
            throw new WireFormatException("Invalid item: empty set");
        }
        return members;
    }
}
