package dev.tidemark.expressions.tree;

import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.AttributeType;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.InvalidNumberException;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.write.Placeholders;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What yields a value: a path, a constant, or a function of such. */
public sealed interface Operand {

    /**
     * Returns the value for {@code item}, or null if it has none.
     *
     * @throws dev.tidemark.model.error.ApiException if an update's operation meets a missing or
     *     unsuited value
     */
    @Nullable AttributeValue value(Item item, Placeholders placeholders);

    /** Returns the type if it does not depend on the item, else null. */
    @Nullable AttributeType constantType(Placeholders placeholders);

    /** Refuses constants of types the operation does not take. */
    void check(Binding binding);

    /** Adds what this refers to. */
    void collect(Uses uses);

    /** The value at a path of the item. */
    record Path(DocumentPath path) implements Operand {
        @Override
        public @Nullable AttributeValue value(Item item, Placeholders placeholders) {
            return path.find(item, placeholders);
        }

        @Override
        public @Nullable AttributeType constantType(Placeholders placeholders) {
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

    /** A constant of the request. */
    record Value(String placeholder) implements Operand {
        @Override
        public AttributeValue value(Item item, Placeholders placeholders) {
            return constant(placeholders);
        }

        /** Returns what the placeholder stands for. */
        public AttributeValue constant(Placeholders placeholders) {
            AttributeValue value = placeholders.values().get(placeholder);
            if (value == null) {
                throw new IllegalStateException("Constant was used before it was checked");
            }
            return value;
        }

        @Override
        public AttributeType constantType(Placeholders placeholders) {
            return constant(placeholders).type();
        }

        @Override
        public void check(Binding binding) {}

        @Override
        public void collect(Uses uses) {
            uses.value(placeholder);
        }

        @Override
        public String toString() {
            return placeholder;
        }
    }

    /** {@code size(operand)}: bytes of a string or binary, members of a set, list or map. */
    record Size(Operand operand) implements Operand {
        @Override
        public @Nullable AttributeValue value(Item item, Placeholders placeholders) {
            AttributeValue value = operand.value(item, placeholders);
            if (value == null || !Binding.SIZED.contains(value.type())) {
                return null;
            }
            return new AttributeValue.N(Decimal.of(size(value)));
        }

        private static int size(AttributeValue value) {
            if (value instanceof AttributeValue.L list) {
                return list.values().size();
            }
            if (value instanceof AttributeValue.M map) {
                return map.values().size();
            }
            if (value instanceof AttributeValue.SS set) {
                return set.values().size();
            }
            if (value instanceof AttributeValue.NS set) {
                return set.values().size();
            }
            if (value instanceof AttributeValue.BS set) {
                return set.values().size();
            }
            return value.size();
        }

        @Override
        public AttributeType constantType(Placeholders placeholders) {
            return AttributeType.N;
        }

        @Override
        public void check(Binding binding) {
            operand.check(binding);
            binding.requireType("size", operand, Binding.SIZED);
        }

        @Override
        public void collect(Uses uses) {
            operand.collect(uses);
        }

        @Override
        public String toString() {
            return "size(" + operand + ")";
        }
    }

    /** {@code if_not_exists(path, otherwise)}; of updates only. */
    record IfNotExists(DocumentPath path, Operand otherwise) implements Operand {
        @Override
        public @Nullable AttributeValue value(Item item, Placeholders placeholders) {
            AttributeValue value = path.find(item, placeholders);
            return value != null ? value : otherwise.value(item, placeholders);
        }

        @Override
        public @Nullable AttributeType constantType(Placeholders placeholders) {
            return null;
        }

        @Override
        public void check(Binding binding) {
            otherwise.check(binding);
        }

        @Override
        public void collect(Uses uses) {
            uses.path(path);
            otherwise.collect(uses);
        }

        @Override
        public String toString() {
            return "if_not_exists(" + path + ", " + otherwise + ")";
        }
    }

    /** {@code list_append(first, second)}; of updates only. */
    record ListAppend(Operand first, Operand second) implements Operand {
        @Override
        public AttributeValue value(Item item, Placeholders placeholders) {
            AttributeValue left = required(first, item, placeholders);
            AttributeValue right = required(second, item, placeholders);
            if (!(left instanceof AttributeValue.L head)
                    || !(right instanceof AttributeValue.L tail)) {
                throw ExpressionMessages.error(ExpressionMessages.WRONG_TYPE);
            }
            List<AttributeValue> values = new ArrayList<>(head.values());
            values.addAll(tail.values());
            return new AttributeValue.L(values);
        }

        @Override
        public AttributeType constantType(Placeholders placeholders) {
            return AttributeType.L;
        }

        @Override
        public void check(Binding binding) {
            first.check(binding);
            second.check(binding);
            binding.requireType("list_append", first, Binding.LIST);
            binding.requireType("list_append", second, Binding.LIST);
        }

        @Override
        public void collect(Uses uses) {
            first.collect(uses);
            second.collect(uses);
        }

        @Override
        public String toString() {
            return "list_append(" + first + ", " + second + ")";
        }
    }

    /** {@code left + right} or {@code left - right}; of updates only. */
    record Arithmetic(Operand left, Sign sign, Operand right) implements Operand {

        /** Which of the two. */
        public enum Sign {
            PLUS("+"),
            MINUS("-");

            private final String symbol;

            Sign(String symbol) {
                this.symbol = symbol;
            }

            /** Returns the symbol. */
            @Override
            public String toString() {
                return symbol;
            }
        }

        @Override
        public AttributeValue value(Item item, Placeholders placeholders) {
            AttributeValue one = required(left, item, placeholders);
            AttributeValue two = required(right, item, placeholders);
            if (!(one instanceof AttributeValue.N l) || !(two instanceof AttributeValue.N r)) {
                throw ExpressionMessages.error(ExpressionMessages.WRONG_TYPE);
            }
            return sign == Sign.PLUS ? sum(l, r) : difference(l, r);
        }

        static AttributeValue.N sum(AttributeValue.N left, AttributeValue.N right) {
            try {
                return new AttributeValue.N(left.value().plus(right.value()));
            } catch (InvalidNumberException e) {
                throw outOfRange(e);
            }
        }

        private static AttributeValue.N difference(AttributeValue.N left, AttributeValue.N right) {
            try {
                return new AttributeValue.N(left.value().minus(right.value()));
            } catch (InvalidNumberException e) {
                throw outOfRange(e);
            }
        }

        private static ApiException outOfRange(InvalidNumberException e) {
            String message = e.getMessage();
            return ApiException.validation(message == null ? "" : message);
        }

        @Override
        public AttributeType constantType(Placeholders placeholders) {
            return AttributeType.N;
        }

        @Override
        public void check(Binding binding) {
            left.check(binding);
            right.check(binding);
            binding.requireType(sign.toString(), left, Binding.NUMBER);
            binding.requireType(sign.toString(), right, Binding.NUMBER);
        }

        @Override
        public void collect(Uses uses) {
            left.collect(uses);
            right.collect(uses);
        }

        @Override
        public String toString() {
            return left + " " + sign + " " + right;
        }
    }

    /**
     * Returns the value of {@code operand}.
     *
     * @throws dev.tidemark.model.error.ApiException if it has none
     */
    static AttributeValue required(Operand operand, Item item, Placeholders placeholders) {
        AttributeValue value = operand.value(item, placeholders);
        if (value == null) {
            throw ExpressionMessages.error(ExpressionMessages.NO_ATTRIBUTE);
        }
        return value;
    }
}
