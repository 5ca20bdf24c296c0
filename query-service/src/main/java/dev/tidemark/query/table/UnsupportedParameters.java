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
        Optional<Stream> stream,
        Optional<Boolean> encryption,
        Optional<String> tableClass,
        Optional<String> refused) {

    private static final List<String> REFUSED =
            List.of(
                    "OnDemandThroughput",
                    "WarmThroughput",
                    "ResourcePolicy",
                    "GlobalTableSourceArn",
                    "GlobalTableSettingsReplicationMode",
                    "ReplicaUpdates",
                    "GlobalTableWitnessUpdates",
                    "MultiRegionConsistency");

    private record Stream(Optional<Boolean> enabled, Optional<String> viewType) {}

    static UnsupportedParameters read(JsonBody body) {
        return new UnsupportedParameters(
                body.object("StreamSpecification", "StreamSpecification")
                        .map(
                                given ->
                                        new Stream(
                                                given.bool("StreamEnabled"),
                                                given.string("StreamViewType"))),
                body.object("SSESpecification", "SSESpecification")
                        .map(given -> given.bool("Enabled").orElse(false)),
                body.string("TableClass"),
                REFUSED.stream().filter(body::has).findFirst());
    }

    /** Returns whether the request has any of them. */
    boolean areGiven() {
        return stream.isPresent()
                || encryption.isPresent()
                || tableClass.isPresent()
                || refused.isPresent();
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
        constraints.oneOf(
                "tableClass", tableClass, List.of("STANDARD", "STANDARD_INFREQUENT_ACCESS"));
    }

    void refuse() {
        refused.ifPresent(
                parameter -> {
                    throw TableErrors.unsupported(parameter);
                });
        stream.ifPresent(UnsupportedParameters::refuseStream);
        if (encryption.orElse(false)) {
            throw TableErrors.unsupported("SSESpecification with Enabled true");
        }
        if (tableClass.filter(given -> !given.equals("STANDARD")).isPresent()) {
            throw TableErrors.unsupported("TableClass other than STANDARD");
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
