package dev.tidemark.query.http;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which coding a client that sent some {@code Accept-Encoding} is answered in.
 *
 * <p>As DynamoDB reads that header: the highest weight wins and, among equals, what is named first;
 * {@code *} stands for the codings that are not named and comes after those that are; a body as it
 * is has no weight of its own; what is no weight counts as 1.
 */
final class AcceptedCodings {

    private static final String ANY = "*";
    private static final String WEIGHT = "q=";

    private record Choice(ContentCoding coding, double weight) {}

    private AcceptedCodings() {}

    /** Returns the coding to answer in; empty if the body is to be sent as it is. */
    static Optional<ContentCoding> preferred(@Nullable String acceptEncoding) {
        if (acceptEncoding == null) {
            return Optional.empty();
        }
        Choice best = null;
        for (Choice choice : choices(acceptEncoding)) {
            if (choice.weight() > (best == null ? 0 : best.weight())) {
                best = choice;
            }
        }
        return Optional.ofNullable(best).map(Choice::coding);
    }

    private static List<Choice> choices(String acceptEncoding) {
        List<Choice> named = new ArrayList<>();
        Map<ContentCoding, Double> others = new EnumMap<>(ContentCoding.class);
        for (String element : acceptEncoding.split(",", -1)) {
            int end = element.indexOf(';');
            String name = (end < 0 ? element : element.substring(0, end)).trim();
            double weight = end < 0 ? 1 : weight(element.substring(end));
            if (name.equals(ANY)) {
                for (ContentCoding coding : ContentCoding.values()) {
                    others.merge(coding, weight, Math::max);
                }
            } else {
                ContentCoding.named(name)
                        .ifPresent(coding -> named.add(new Choice(coding, weight)));
            }
        }
        named.forEach(choice -> others.remove(choice.coding()));
        others.forEach((coding, weight) -> named.add(new Choice(coding, weight)));
        return named;
    }

    private static double weight(String parameters) {
        int start = parameters.indexOf(WEIGHT);
        if (start < 0) {
            return 1;
        }
        int end = parameters.indexOf(';', start);
        String text =
                parameters.substring(start + WEIGHT.length(), end < 0 ? parameters.length() : end);
        try {
            return Math.min(1, Double.parseDouble(text.trim()));
        } catch (NumberFormatException e) {
            return 1;
        }
    }
}
