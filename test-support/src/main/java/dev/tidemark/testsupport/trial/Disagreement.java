package dev.tidemark.testsupport.trial;

/** The server answered otherwise than the reference table. */
public final class Disagreement extends AssertionError {

    private static final long serialVersionUID = 1L;

    private static final int MOST_SHOWN = 6_000;

    Disagreement(String origin, String what, String operation, String request, String reply) {
        super(
                String.join(
                        "\n",
                        what,
                        "in " + origin,
                        operation + " " + cut(request),
                        "was answered " + cut(reply)));
    }

    private static String cut(String text) {
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
    }
}
