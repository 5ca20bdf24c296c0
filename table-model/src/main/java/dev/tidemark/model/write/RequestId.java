package dev.tidemark.model.write;

import java.util.UUID;

/** Tells one request from every other; the outcome of a write is told under it. */
public record RequestId(long high, long low) {

    /** Returns a new id. */
    public static RequestId random() {
        UUID uuid = UUID.randomUUID();
        return new RequestId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }

    @Override
    public String toString() {
        return new UUID(high, low).toString();
    }
}
