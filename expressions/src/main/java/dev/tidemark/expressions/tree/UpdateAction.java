package dev.tidemark.expressions.tree;

import dev.tidemark.model.item.AttributeType;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.write.Placeholders;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an update does to the value at one path. */
public sealed interface UpdateAction {

    /** Returns the path. */
    DocumentPath path();

    /** Returns whether this gives a missing item something to exist for. */
    boolean createsItem();

    /**
     * Returns the value that takes the place of {@code current}; null is no value.
     *
     * @param item the item before the update
     * @throws dev.tidemark.model.error.ApiException if the item does not suit the action
     */
    @Nullable AttributeValue apply(
            @Nullable AttributeValue current, Item item, Placeholders placeholders);

    /** Refuses constants of types the action does not take. */
    void check(Binding binding);

    /** Adds what this refers to. */
    void collect(Uses uses);

    /** {@code SET path = value}. */
    record Assign(DocumentPath path, Operand value) implements UpdateAction {
        @Override
        public boolean createsItem() {
            return true;
        }

        @Override
        public AttributeValue apply(
                @Nullable AttributeValue current, Item item, Placeholders placeholders) {
            return Operand.required(value, item, placeholders);
        }

        @Override
        public void check(Binding binding) {
            value.check(binding);
        }

        @Override
        public void collect(Uses uses) {
            uses.path(path);
            value.collect(uses);
        }

        @Override
        public String toString() {
            return path + " = " + value;
        }
    }

    /** {@code REMOVE path}. */
    record Remove(DocumentPath path) implements UpdateAction {
        @Override
        public boolean createsItem() {
            return false;
        }

        @Override
        public @Nullable AttributeValue apply(
                @Nullable AttributeValue current, Item item, Placeholders placeholders) {
            return null;
        }

        @Override
        public void check(Binding binding) {}

        @Override
        public void collect(Uses uses) {
            uses.path(path);
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }

    /** {@code ADD path value}: adds to a number, or members to a set. */
    record Add(DocumentPath path, Operand.Value value) implements UpdateAction {

        private static final Set<AttributeType> ALLOWED =
                Set.of(AttributeType.N, AttributeType.SS, AttributeType.NS, AttributeType.BS);

        @Override
        public boolean createsItem() {
            return true;
        }

        @Override
        public AttributeValue apply(
                @Nullable AttributeValue current, Item item, Placeholders placeholders) {
            AttributeValue more = value.constant(placeholders);
            if (current == null) {
                return more;
            }
            if (current instanceof AttributeValue.N one && more instanceof AttributeValue.N two) {
                return Operand.Arithmetic.sum(one, two);
            }
            if (current instanceof AttributeValue.SS one && more instanceof AttributeValue.SS two) {
                return new AttributeValue.SS(union(one.values(), two.values()));
            }
            if (current instanceof AttributeValue.NS one && more instanceof AttributeValue.NS two) {
                return new AttributeValue.NS(union(one.values(), two.values()));
            }
            if (current instanceof AttributeValue.BS one && more instanceof AttributeValue.BS two) {
                return new AttributeValue.BS(union(one.values(), two.values()));
            }
            throw ExpressionMessages.error(ExpressionMessages.WRONG_TYPE);
        }

        private static <T> Set<T> union(Set<T> one, Set<T> two) {
            Set<T> union = new LinkedHashSet<>(one);
            union.addAll(two);
            return union;
        }

        @Override
        public void check(Binding binding) {
            requireType(binding, "ADD", value, ALLOWED);
        }

        @Override
        public void collect(Uses uses) {
            uses.path(path);
            value.collect(uses);
        }

        @Override
        public String toString() {
            return path + " " + value;
        }
    }

    /** {@code DELETE path value}: removes members from a set, and a set left empty. */
    record Delete(DocumentPath path, Operand.Value value) implements UpdateAction {

        private static final Set<AttributeType> ALLOWED =
                Set.of(AttributeType.SS, AttributeType.NS, AttributeType.BS);

        @Override
        public boolean createsItem() {
            return false;
        }

        @Override
        public @Nullable AttributeValue apply(
                @Nullable AttributeValue current, Item item, Placeholders placeholders) {
            AttributeValue less = value.constant(placeholders);
            if (current == null) {
                return null;
            }
            if (current instanceof AttributeValue.SS one && less instanceof AttributeValue.SS two) {
                Set<String> left = difference(one.values(), two.values());
                return left.isEmpty() ? null : new AttributeValue.SS(left);
            }
            if (current instanceof AttributeValue.NS one && less instanceof AttributeValue.NS two) {
                Set<Decimal> left = difference(one.values(), two.values());
                return left.isEmpty() ? null : new AttributeValue.NS(left);
            }
            if (current instanceof AttributeValue.BS one && less instanceof AttributeValue.BS two) {
                Set<Binary> left = difference(one.values(), two.values());
                return left.isEmpty() ? null : new AttributeValue.BS(left);
            }
            throw ExpressionMessages.error(ExpressionMessages.WRONG_TYPE);
        }

        private static <T> Set<T> difference(Set<T> one, Set<T> two) {
            Set<T> difference = new LinkedHashSet<>(one);
            difference.removeAll(two);
            return difference;
        }

        @Override
        public void check(Binding binding) {
            requireType(binding, "DELETE", value, ALLOWED);
        }

        @Override
        public void collect(Uses uses) {
            uses.path(path);
            value.collect(uses);
        }

        @Override
        public String toString() {
            return path + " " + value;
        }
    }

    private static void requireType(
            Binding binding, String operator, Operand.Value value, Set<AttributeType> allowed) {
        AttributeType type = value.constantType(binding.placeholders());
        if (!allowed.contains(type)) {
            throw binding.kind()
                    .invalid(
                            ExpressionMessages.UPDATE_OPERAND_TYPE,
                            operator,
                            ExpressionMessages.longName(type),
                            operator);
        }
    }
}
