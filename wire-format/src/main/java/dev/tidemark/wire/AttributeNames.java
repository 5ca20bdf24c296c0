package dev.tidemark.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;

/** A set of attribute names, made ready to be found in stored items. Immutable. */
public final class AttributeNames {

    private final byte[][] names;

    private AttributeNames(byte[][] names) {
        this.names = names;
    }

    public static AttributeNames of(Collection<String> names) {
        return new AttributeNames(
                new LinkedHashSet<>(names)
                        .stream()
                                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                                .toArray(byte[][]::new));
    }

    public int size() {
        return names.length;
    }

    boolean contains(byte[] bytes, int from, int to) {
        for (byte[] name : names) {
            if (equal(name, bytes, from, to)) {
                return true;
            }
        }
        return false;
    }

    static boolean equal(byte[] name, byte[] bytes, int from, int to) {
        return name.length == to - from && Arrays.equals(name, 0, name.length, bytes, from, to);
    }
}
