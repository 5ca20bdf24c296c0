package dev.tidemark.model.item;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The value of an attribute, of one of DynamoDB's ten types. Values are immutable; sets and maps
 * compare without order.
 *
 * <p>Sets are kept sorted and maps keep the order they were made in, so that equal histories give
 * equal bytes.
 */
public sealed interface AttributeValue {

    /** Returns the type. */
    AttributeType type();

    /** Returns the size in bytes by DynamoDB's arithmetic, without the attribute's name. */
    int size();

    /** Returns how many levels of lists and maps this value has; 0 for a scalar or a set. */
    default int depth() {
        return 0;
    }

    /** A string; any length, also empty. */
    record S(String value) implements AttributeValue {
        @Override
        public AttributeType type() {
            return AttributeType.S;
        }

        @Override
        public int size() {
            return Utf8.length(value);
        }
    }

    /** A number. */
    record N(Decimal value) implements AttributeValue {
        @Override
        public AttributeType type() {
            return AttributeType.N;
        }

        @Override
        public int size() {
            return value.size();
        }
    }

    /** Bytes; any length, also empty. */
    record B(Binary value) implements AttributeValue {
        @Override
        public AttributeType type() {
            return AttributeType.B;
        }

        @Override
        public int size() {
            return value.size();
        }
    }

    /** A truth value. */
    record Bool(boolean value) implements AttributeValue {
        @Override
        public AttributeType type() {
            return AttributeType.BOOL;
        }

        @Override
        public int size() {
            return 1;
        }
    }

    /** The value that says there is none. */
    record Null() implements AttributeValue {
        public static final Null INSTANCE = new Null();

        @Override
        public AttributeType type() {
            return AttributeType.NULL;
        }

        @Override
        public int size() {
            return 1;
        }
    }

    /** A list of values of any types. */
    record L(List<AttributeValue> values) implements AttributeValue {
        public L {
            values = List.copyOf(values);
        }

        @Override
        public AttributeType type() {
            return AttributeType.L;
        }

        @Override
        public int size() {
            int size = 3;
            for (AttributeValue value : values) {
                size += 1 + value.size();
            }
            return size;
        }

        @Override
        public int depth() {
            int deepest = 0;
            for (AttributeValue value : values) {
                deepest = Math.max(deepest, value.depth());
            }
            return deepest + 1;
        }
    }

    /** A map from names to values of any types. */
    record M(Map<String, AttributeValue> values) implements AttributeValue {
        public M {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }

        @Override
        public AttributeType type() {
            return AttributeType.M;
        }

        @Override
        public int size() {
            int size = 3;
            for (Map.Entry<String, AttributeValue> entry : values.entrySet()) {
                size += 1 + Utf8.length(entry.getKey()) + entry.getValue().size();
            }
            return size;
        }

        @Override
        public int depth() {
            int deepest = 0;
            for (AttributeValue value : values.values()) {
                deepest = Math.max(deepest, value.depth());
            }
            return deepest + 1;
        }
    }

    /** A set of strings, not empty, in UTF-8 order. */
    record SS(Set<String> values) implements AttributeValue {
        public SS {
            values = sorted(values, Utf8.ORDER);
        }

        @Override
        public AttributeType type() {
            return AttributeType.SS;
        }

        @Override
        public int size() {
            int size = 0;
            for (String value : values) {
                size += Utf8.length(value);
            }
            return size;
        }
    }

    /** A set of numbers, not empty, ascending. */
    record NS(Set<Decimal> values) implements AttributeValue {
        public NS {
            values = sorted(values, java.util.Comparator.naturalOrder());
        }

        @Override
        public AttributeType type() {
            return AttributeType.NS;
        }

        @Override
        public int size() {
            int size = 0;
            for (Decimal value : values) {
                size += value.size();
            }
            return size;
        }
    }

    /** A set of binaries, not empty, in unsigned byte order. */
    record BS(Set<Binary> values) implements AttributeValue {
        public BS {
            values = sorted(values, java.util.Comparator.naturalOrder());
        }

        @Override
        public AttributeType type() {
            return AttributeType.BS;
        }

        @Override
        public int size() {
            int size = 0;
            for (Binary value : values) {
                size += value.size();
            }
            return size;
        }
    }

    private static <T> Set<T> sorted(Collection<T> values, java.util.Comparator<T> order) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("Invalid set: empty");
        }
        TreeSet<T> sorted = new TreeSet<>(order);
        sorted.addAll(values);
        return Collections.unmodifiableSet(new LinkedHashSet<>(new ArrayList<>(sorted)));
    }
}
