package dev.tidemark.wire;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import java.util.List;
import java.util.Map;

/** Items in DynamoDB's JSON. Stateless, thread-safe. */
public final class ItemJson {

    private ItemJson() {}

    /** Appends an object of the item's attributes. */
    public static void write(Item item, JsonBytes out) {
        write(item.attributes(), out);
    }

    /** Appends an object of these attributes. */
    public static void write(Map<String, AttributeValue> attributes, JsonBytes out) {
        out.put('{');
        boolean first = true;
        for (Map.Entry<String, AttributeValue> entry : attributes.entrySet()) {
            if (!first) {
                out.put(',');
            }
            first = false;
            out.putString(entry.getKey()).put(':');
            write(entry.getValue(), out);
        }
        out.put('}');
    }

    /** Appends an object of the value's type and the value. */
    public static void write(AttributeValue value, JsonBytes out) {
        out.putAscii("{\"").putAscii(value.type().name()).putAscii("\":");
        switch (value.type()) {
            case S -> out.putString(((AttributeValue.S) value).value());
            case N -> writeNumber(((AttributeValue.N) value).value(), out);
            case B -> writeBinary(((AttributeValue.B) value).value(), out);
            case BOOL -> out.putAscii(((AttributeValue.Bool) value).value() ? "true" : "false");
            case NULL -> out.putAscii("true");
            case L -> writeList(((AttributeValue.L) value).values(), out);
            case M -> write(((AttributeValue.M) value).values(), out);
            case SS -> {
                char before = '[';
                for (String member : ((AttributeValue.SS) value).values()) {
                    out.put(before).putString(member);
                    before = ',';
                }
                out.put(']');
            }
            case NS -> {
                char before = '[';
                for (Decimal member : ((AttributeValue.NS) value).values()) {
                    writeNumber(member, out.put(before));
                    before = ',';
                }
                out.put(']');
            }
            case BS -> {
                char before = '[';
                for (Binary member : ((AttributeValue.BS) value).values()) {
                    writeBinary(member, out.put(before));
                    before = ',';
                }
                out.put(']');
            }
        }
        out.put('}');
    }

    private static void writeList(List<AttributeValue> values, JsonBytes out) {
        out.put('[');
        boolean first = true;
        for (AttributeValue value : values) {
            if (!first) {
                out.put(',');
            }
            first = false;
            write(value, out);
        }
        out.put(']');
    }

    private static void writeNumber(Decimal number, JsonBytes out) {
        out.put('"').putAscii(number.text()).put('"');
    }

    private static void writeBinary(Binary binary, JsonBytes out) {
        byte[] bytes = binary.toByteArray();
        out.put('"').putBase64(bytes, 0, bytes.length).put('"');
    }
}
