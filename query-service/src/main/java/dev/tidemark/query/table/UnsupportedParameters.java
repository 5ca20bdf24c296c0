package dev.tidemark.query.table;

import dev.tidemark.query.Constraints;
import dev.tidemark.query.json.JsonBody;
import java.util.List;
import java.util.Optional;

/**
 * Parameters about tables that are understood only where they ask for nothing special: what can't
 * be given is refused, never ignored.
 */
record UnsupportedParameters(
        Optional<Stream> stream, Optional<Encryption> encryption, Optional<String> refused) {

    private static final List<String> REFUSED =
            List.of(
                    "ResourcePolicy",
                    "GlobalTableSourceArn",
                    "GlobalTableSettingsReplicationMode",
                    "ReplicaUpdates",
                    "GlobalTableWitnessUpdates",
                    "MultiRegionConsistency");

    private record Stream(Optional<Boolean> enabled, Optional<String> viewType) {}

    private record Encryption(boolean enabled, Optional<String> type, Optional<String> key) {}

    static UnsupportedParameters read(JsonBody body) {
        return new UnsupportedParameters(
                body.object("StreamSpecification", "StreamSpecification")
                        .map(
                                given ->
                                        new Stream(
                                                given.bool("StreamEnabled"),
                                                given.string("StreamViewType"))),
                body.object("SSESpecification", "SSESpecification")
                        .map(
                                given ->
                                        new Encryption(
                                                given.bool("Enabled").orElse(false),
                                                given.string("SSEType"),
                                                given.string("KMSMasterKeyId"))),
                REFUSED.stream().filter(body::has).findFirst());
    }

    /** Returns whether the request has any of them. */
    boolean areGiven() {
        return stream.isPresent() || encryption.isPresent() || refused.isPresent();
    }

    boolean hasEncryption() {
        return encryption.isPresent();
    }

    boolean hasStream() {
        return stream.isPresent();
    }

    void check(Constraints constraints) {
        stream.ifPresent(
                given -> {
                    constraints.required("streamSpecification.streamEnabled", given.enabled());
                    constraints.oneOf(
                            "streamSpecification.streamViewType",
                            given.viewType(),
                            List.of("NEW_AND_OLD_IMAGES", "OLD_IMAGE", "NEW_IMAGE", "KEYS_ONLY"));
                });
        encryption.ifPresent(
                given ->
                        constraints.oneOf(
                                "sSESpecification.sSEType",
                                given.type(),
                                List.of("AES256", "KMS")));
    }

    /** Refuses what a table can't have. */
    void refuse() {
        refused.ifPresent(
                parameter -> {
                    throw TableErrors.unsupported(parameter);
                });
        stream.ifPresent(UnsupportedParameters::refuseStream);
        encryption.ifPresent(UnsupportedParameters::refuseEncryption);
    }

    /** Refuses, as {@link #refuse}, also what a table has no need to be told. */
    void refuseUpdate(String table) {
        refuse();
        if (stream.isPresent()) {
            throw TableErrors.noStream(table);
        }
        if (encryption.isPresent()) {
            throw TableErrors.encryptedByDefault();
        }
    }

    private static void refuseEncryption(Encryption given) {
        if (given.enabled() || given.key().isPresent()) {
            throw TableErrors.unsupported("SSESpecification with Enabled true");
        }
        if (given.type().isPresent()) {
            throw TableErrors.encryptionTypeWithoutEncryption();
        }
    }

    private static void refuseStream(Stream stream) {
        if (stream.enabled().orElseThrow()) {
            throw TableErrors.unsupported("StreamSpecification with StreamEnabled true");
        }
        if (stream.viewType().isPresent()) {
            throw TableErrors.invalid(
                    "Table is being created with a stream view type, but StreamEnabled is false");
        }
    }
}
