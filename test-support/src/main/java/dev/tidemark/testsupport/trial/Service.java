package dev.tidemark.testsupport.trial;

/** A server of DynamoDB's API. */
@FunctionalInterface
public interface Service {

    /** Sends a request once and returns the reply to it. */
    Reply call(String operation, String body);

    /**
     * A reply as it came.
     *
     * @param status the HTTP status
     * @param body the JSON
     */
    record Reply(int status, String body) {}
}
