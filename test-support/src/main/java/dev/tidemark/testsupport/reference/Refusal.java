package dev.tidemark.testsupport.reference;

import dev.tidemark.model.item.Item;
import java.util.Optional;

/** What the caller is told in the place of a result. */
public final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String error;
    private final transient Optional<Item> item;

    private Refusal(String error, String text, Optional<Item> item) {
        super(text);
        this.error = error;
        this.item = item;
    }

    /** Returns the refusal of what breaks a rule; {@code text} is a part of what is told. */
    public static Refusal invalid(String text) {
        return new Refusal("ValidationException", text, Optional.empty());
    }

    /** Returns the refusal of a write whose condition does not hold of this item. */
    public static Refusal conditionFailed(Optional<Item> item) {
        return new Refusal(
                "ConditionalCheckFailedException", "The conditional request failed", item);
    }

    /** Returns the name of the error. */
    public String error() {
        return error;
    }

    /** Returns a part of what the caller is told. */
    public String text() {
        return String.valueOf(getMessage());
    }

    /** Returns the item that did not meet the condition, if there was one. */
    public Optional<Item> item() {
        return item;
    }
}
