package dev.tidemark.model.key;

/**
 * One attribute of a key.
 *
 * @param name the attribute's name
 * @param type the type its value must have
 */
public record KeyAttribute(String name, KeyType type) {

    public KeyAttribute {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("Invalid key attribute: empty name");
        }
    }
}
