package dev.tidemark.model.table;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The names of one table's topics and Streams applications, as every Kafka tool shows them.
 *
 * <p>A name that would exceed what Kafka allows is cut and ends with a hash of the whole, so it
 * stays unique.
 *
 * @param table the table's name
 * @param id the table's id
 */
public record TableTopics(TableName table, TableId id) {

    /**
     * Kafka's 249 characters, less what Streams appends to an application id for its internal
     * topics and groups.
     */
    private static final int MAX_LENGTH = 249 - 64;

    /** Returns the topic of commands: the durable log. */
    public String writes() {
        return name("writes");
    }

    /** Returns the topic of changes. */
    public String changes() {
        return name("changes");
    }

    /** Returns the topic of records that could not be applied, each with its reason. */
    public String rejects() {
        return name("rejects");
    }

    /** Returns the application id of the app that applies writes: also its consumer group. */
    public String baseApplication() {
        return name("base");
    }

    /**
     * Returns the application id of the app of one generation of a global index: also its consumer
     * group.
     */
    public String indexApplication(IndexName index, int generation) {
        return name("gsi." + index + "." + generation);
    }

    private String name(String suffix) {
        String whole = "td." + table + "." + id + "." + suffix;
        if (whole.length() <= MAX_LENGTH) {
            return whole;
        }
        String head = ("td." + table).substring(0, Math.min(table.value().length() + 3, 80));
        String tail = suffix.substring(Math.max(0, suffix.length() - 40));
        return head + "_." + id + "." + digest(whole) + "." + tail;
    }

    private static String digest(String text) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return new BigInteger(1, hash).toString(36).substring(0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
