package dev.tidemark.testsupport.trial;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.testsupport.reference.Clause;
import dev.tidemark.testsupport.reference.Shown;
import dev.tidemark.testsupport.reference.Wording;
import java.util.Optional;
import java.util.stream.Collectors;

/** The parameters that requests which read items have in common. */
final class Reading {

    private Reading() {}

    static void addFilter(Optional<Clause> filter, Wording wording, ObjectNode request) {
        filter.ifPresent(clause -> request.put("FilterExpression", clause.text(wording)));
    }

    static void addShown(Shown shown, Wording wording, ObjectNode request) {
        if (shown instanceof Shown.Whole) {
            request.put("Select", "ALL_ATTRIBUTES");
        } else if (shown instanceof Shown.Counted) {
            request.put("Select", "COUNT");
        } else if (shown instanceof Shown.Parts parts) {
            addProjection(parts, wording, request);
        }
    }

    static void addProjection(Shown.Parts parts, Wording wording, ObjectNode request) {
        request.put(
                "ProjectionExpression",
                parts.paths().stream()
                        .map(path -> path.text(wording))
                        .collect(Collectors.joining(", ")));
    }
}
