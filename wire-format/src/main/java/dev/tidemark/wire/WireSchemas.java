package dev.tidemark.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.avro.Schema;

/** The schemas this release writes. Their subjects are their full names. */
public final class WireSchemas {

    public static final Schema WRITE;
    public static final Schema CHANGE;
    public static final Schema INDEX_UPDATE;

    static {
        WRITE = load("Write");
        CHANGE = load("Change");
        INDEX_UPDATE = load("IndexUpdate");
    }

    private WireSchemas() {}

    /** Returns the schemas of all records on topics. */
    public static List<Schema> all() {
        return List.of(WRITE, CHANGE, INDEX_UPDATE);
    }

    /** Returns the subject a schema is registered under. */
    public static String subject(Schema schema) {
        return schema.getFullName();
    }

    private static Schema load(String name) {
        Schema.Parser parser = new Schema.Parser();
        parse(parser, "AttributeValue");
        return parse(parser, name);
    }

    private static Schema parse(Schema.Parser parser, String name) {
        try (InputStream in = WireSchemas.class.getResourceAsStream(name + ".avsc")) {
            if (in == null) {
                throw new IllegalStateException("Missing schema resource");
            }
            return parser.parse(in);
        } catch (IOException e) {
            throw new UncheckedIOException("Unreadable schema resource", e);
        }
    }
}
