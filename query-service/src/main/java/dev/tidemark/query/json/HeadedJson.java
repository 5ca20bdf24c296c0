package dev.tidemark.query.json;

import dev.tidemark.wire.JsonBytes;
import java.nio.ByteBuffer;

/**
 * What one node answers another where a part of the answer goes on to the client as it is: a JSON
 * object that is read, and a run of JSON that is not.
 *
 * @param head the object
 * @param rest the run
 */
public record HeadedJson(JsonBody head, JsonBytes rest) {

    /** Returns both as bytes: the length of the head in 4, the head, the rest. */
    public static byte[] toBytes(JsonWriter head, JsonBytes rest) {
        ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + head.size() + rest.size());
        out.putInt(head.size());
        out.put(head.array(), 0, head.size());
        out.put(rest.array(), 0, rest.size());
        return out.array();
    }

    /** Returns what another node made these bytes of. */
    public static HeadedJson fromBytes(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte[] headBytes = new byte[in.getInt()];
        in.get(headBytes);
        JsonBytes rest = new JsonBytes(in.remaining());
        rest.put(bytes, in.position(), bytes.length);
        return new HeadedJson(JsonBody.parse(headBytes), rest);
    }
}
