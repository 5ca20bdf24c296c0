package dev.tidemark.query.table;

import dev.tidemark.model.table.Projection;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.json.JsonBody;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A Projection as a request gives it. */
record ProjectionRequest(Optional<String> type, Optional<List<String>> nonKeyAttributes) {

    private static final int MOST_NON_KEY_ATTRIBUTES = 20;

    static Optional<ProjectionRequest> read(JsonBody index) {
        return index.object("Projection", "Projection")
                .map(
                        given ->
                                new ProjectionRequest(
                                        given.string("ProjectionType"),
                                        given.strings("NonKeyAttributes")));
    }

    void check(Constraints constraints, String path) {
        constraints.oneOf(path + ".projectionType", type, List.of("ALL", "INCLUDE", "KEYS_ONLY"));
        nonKeyAttributes.ifPresent(
                names -> {
                    String namesPath = path + ".nonKeyAttributes";
                    constraints.size(namesPath, names, names.size(), 1, MOST_NON_KEY_ATTRIBUTES);
                    constraints.eachUtf8Length(namesPath, names, 1, 255);
                });
    }

    Projection projection() {
        String wanted = type.orElseThrow(() -> TableErrors.invalid("Unknown ProjectionType: null"));
        if (!wanted.equals("INCLUDE")) {
            if (nonKeyAttributes.isPresent()) {
                throw TableErrors.invalid(
                        "ProjectionType is " + wanted + ", but NonKeyAttributes is specified");
            }
            return wanted.equals("ALL") ? new Projection.All() : new Projection.KeysOnly();
        }
        List<String> names =
                nonKeyAttributes.orElseThrow(
                        () ->
                                TableErrors.invalid(
                                        "ProjectionType is INCLUDE, but NonKeyAttributes is not"
                                                + " specified"));
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (!seen.add(name)) {
                throw TableErrors.invalid("Duplicate attribute in NonKeyAttributes: " + name);
            }
        }
        return new Projection.Include(names);
    }
}
