package dev.tidemark.expressions.tree;

import dev.tidemark.model.item.AttributeType;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.write.Placeholders;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What holds of an item or does not. Its text, {@code toString}, parses to an equal condition.
 * Long, since every kind of condition stands here, so that the compiler knows them all.
 */
public sealed interface Condition {

    /** Returns whether this holds; a missing item is the empty one. */
    boolean holds(Item item, Placeholders placeholders);

    /** Refuses constants of types the operators do not take, and operands that must differ. */
    void check(Binding binding);

    /** Adds what this refers to. */
    void collect(Uses uses);

    /** All of two or more conditions. */
    record And(List<Condition> conditions) implements Condition {
        public And {
            conditions = List.copyOf(conditions);
        }

        @Override
        public boolean holds(Item item, Placeholders placeholders) {
            for (Condition condition : conditions) {
                if (!condition.holds(item, placeholders)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void check(Binding binding) {
            conditions.forEach(condition -> condition.check(binding));
        }

        @Override
        public void collect(Uses uses) {
            conditions.forEach(condition -> condition.collect(uses));
        }

        @Override
        public String toString() {
            return conditions.stream().map(Condition::nested).collect(Collectors.joining(" AND "));
        }
    }

    /** At least one of two or more conditions. */
    record Or(List<Condition> conditions) implements Condition {
        public Or {
            conditions = List.copyOf(conditions);
        }

        @Override
        public boolean holds(Item item, Placeholders placeholders) {
            for (Condition condition : conditions) {
                if (condition.holds(item, placeholders)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void check(Binding binding) {
            conditions.forEach(condition -> condition.check(binding));
        }

        @Override
        public void collect(Uses uses) {
            conditions.forEach(condition -> condition.collect(uses));
        }

        @Override
        public String toString() {
            return conditions.stream()
                    .map(condition -> condition instanceof Or ? nested(condition) : "" + condition)
                    .collect(Collectors.joining(" OR "));
        }
    }

    /** The opposite. */
    record Not(Condition condition) implements Condition {
        @Override
        public boolean holds(Item item, Placeholders placeholders) {
            return !condition.holds(item, placeholders);
        }

        @Override
        public void check(Binding binding) {
            condition.check(binding);
        }

        @Override
        public void collect(Uses uses) {
            condition.collect(uses);
        }

        @Override
        public String toString() {
            return "NOT " + nested(condition);
        }
    }

    /** Two operands compared. */
    record Comparison(Operand left, Comparator comparator, Operand right) implements Condition {
        @Override
        public boolean holds(Item item, Placeholders placeholders) {
            AttributeValue one = left.value(item, placeholders);
            AttributeValue two = right.value(item, placeholders);
            if ((one == null && left instanceof Operand.Size)
                    || (two == null && right instanceof Operand.Size)) {
                return false;
            }
            return comparator.holds(one, two);
        }

        @Override
        public void check(Binding binding) {
            left.check(binding);
            right.check(binding);
            if (comparator.isOrdering()) {
                binding.requireType(comparator.toString(), left, Binding.ORDERED);
                binding.requireType(comparator.toString(), right, Binding.ORDERED);
            }
            binding.requireDistinct(comparator.toString(), left, right);
        }

        @Override
        public void collect(Uses uses) {
            left.collect(uses);
            right.collect(uses);
        }

        @Override
        public String toString() {
            return left + " " + comparator + " " + right;
        }
    }

    /** An operand within bounds, both included. */
    record Between(Operand operand, Operand low, Operand high) implements Condition {
        @Override
        public boolean holds(Item item, Placeholders placeholders) {
            AttributeValue value = operand.value(item, placeholders);
            return Comparator.GE.holds(value, low.value(item, placeholders))
                    && Comparator.LE.holds(value, high.value(item, placeholders));
        }

        @Override
        public void check(Binding binding) {
            operand.check(binding);
            low.check(binding);
            high.check(binding);
            binding.requireType("BETWEEN", operand, Binding.ORDERED);
            binding.requireType("BETWEEN", low, Binding.ORDERED);
            binding.requireType("BETWEEN", high, Binding.ORDERED);
            AttributeValue lower = binding.constant(low);
            AttributeValue upper = binding.constant(high);
            if (lower != null && upper != null) {
                requireOrder(binding.kind(), lower, upper);
            }
            binding.requireDistinct("BETWEEN", operand, low);
            binding.requireDistinct("BETWEEN", operand, high);
        }

        private static void requireOrder(
                ExpressionKind kind, AttributeValue lower, AttributeValue upper) {
            if (lower.type() != upper.type()) {
                throw kind.invalid(
                        ExpressionMessages.BETWEEN_TYPES,
                        ExpressionMessages.shown(lower),
                        ExpressionMessages.shown(upper));
            }
            if (ValueOrder.compare(lower, upper) > 0) {
                throw kind.invalid(
                        ExpressionMessages.BETWEEN_ORDER,
                        ExpressionMessages.shown(lower),
                        ExpressionMessages.shown(upper));
            }
        }

        @Override
        public void collect(Uses uses) {
            operand.collect(uses);
            low.collect(uses);
            high.collect(uses);
        }

        @Override
        public String toString() {
            return operand + " BETWEEN " + low + " AND " + high;
        }
    }

    /** An operand equal to one of several. */
    record In(Operand operand, List<Operand> candidates) implements Condition {
        public In {
            candidates = List.copyOf(candidates);
        }

        @Override
        public boolean holds(Item item, Placeholders placeholders) {
            AttributeValue value = operand.value(item, placeholders);
            if (value == null) {
                return false;
            }
            for (Operand candidate : candidates) {
                if (value.equals(candidate.value(item, placeholders))) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void check(Binding binding) {
            operand.check(binding);
            for (Operand candidate : candidates) {
                candidate.check(binding);
                binding.requireDistinct("IN", operand, candidate);
            }
        }

        @Override
        public void collect(Uses uses) {
            operand.collect(uses);
            candidates.forEach(candidate -> candidate.collect(uses));
        }

        @Override
        public String toString() {
            return operand
                    + candidates.stream()
                            .map(Operand::toString)
                            .collect(Collectors.joining(", ", " IN (", ")"));
        }
    }

    /** {@code attribute_exists(path)}. */
    record AttributeExists(DocumentPath path) implements Condition {
        @Override
        public boolean holds(Item item, Placeholders placeholders) {
            return path.find(item, placeholders) != null;
        }

        @Override
        public void check(Binding binding) {}

        @Override
        public void collect(Uses uses) {
            uses.path(path);
        }

        @Override
        public String toString() {
            return "attribute_exists(" + path + ")";
        }
    }

    /** {@code attribute_not_exists(path)}. */
    record AttributeNotExists(DocumentPath path) implements Condition {
        @Override
        public boolean holds(Item item, Placeholders placeholders) {
            return path.find(item, placeholders) == null;
        }

        @Override
        public void check(Binding binding) {}

        @Override
        public void collect(Uses uses) {
            uses.path(path);
        }

        @Override
        public String toString() {
            return "attribute_not_exists(" + path + ")";
        }
    }

    /** {@code attribute_type(operand, type)}; the type's name is a constant. */
    record AttributeTypeIs(Operand operand, Operand.Value type) implements Condition {
        @Override
        public boolean holds(Item item, Placeholders placeholders) {
            AttributeValue value = operand.value(item, placeholders);
            return value != null
                    && type.constant(placeholders) instanceof AttributeValue.S name
                    && value.type().name().equals(name.value());
        }

        @Override
        public void check(Binding binding) {
            operand.check(binding);
            AttributeValue name = type.constant(binding.placeholders());
            if (!(name instanceof AttributeValue.S string)) {
                throw binding.kind()
                        .invalid(ExpressionMessages.OPERAND_TYPE, "attribute_type", name.type());
            }
            for (AttributeType known : AttributeType.values()) {
                if (known.name().equals(string.value())) {
                    return;
                }
            }
            throw binding.kind().invalid(ExpressionMessages.UNKNOWN_TYPE, string.value());
        }

        @Override
        public void collect(Uses uses) {
            operand.collect(uses);
            type.collect(uses);
        }

        @Override
        public String toString() {
            return "attribute_type(" + operand + ", " + type + ")";
        }
    }

    /** {@code begins_with(operand, prefix)}. */
    record BeginsWith(Operand operand, Operand prefix) implements Condition {
        @Override
        public boolean holds(Item item, Placeholders placeholders) {
            AttributeValue value = operand.value(item, placeholders);
            AttributeValue start = prefix.value(item, placeholders);
            return value != null && start != null && ValueOrder.beginsWith(value, start);
        }

        @Override
        public void check(Binding binding) {
            operand.check(binding);
            prefix.check(binding);
            binding.requireType("begins_with", operand, Binding.WITH_PREFIX);
            binding.requireType("begins_with", prefix, Binding.WITH_PREFIX);
            binding.requireDistinct("begins_with", operand, prefix);
        }

        @Override
        public void collect(Uses uses) {
            operand.collect(uses);
            prefix.collect(uses);
        }

        @Override
        public String toString() {
            return "begins_with(" + operand + ", " + prefix + ")";
        }
    }

    /**
     * {@code contains(operand, part)}: a run within a string or binary, a member of a set or list.
     */
    record Contains(Operand operand, Operand part) implements Condition {
        @Override
        public boolean holds(Item item, Placeholders placeholders) {
            AttributeValue value = operand.value(item, placeholders);
            AttributeValue wanted = part.value(item, placeholders);
            return value != null && wanted != null && contains(value, wanted);
        }

        private static boolean contains(AttributeValue whole, @Nullable AttributeValue wanted) {
            if (whole instanceof AttributeValue.L list) {
                return wanted != null && list.values().contains(wanted);
            }
            if (wanted instanceof AttributeValue.S string) {
                return (whole instanceof AttributeValue.S text
                                && text.value().contains(string.value()))
                        || (whole instanceof AttributeValue.SS set
                                && set.values().contains(string.value()));
            }
            if (wanted instanceof AttributeValue.N number) {
                return whole instanceof AttributeValue.NS set
                        && set.values().contains(number.value());
            }
            return wanted instanceof AttributeValue.B binary
                    && ((whole instanceof AttributeValue.B bytes
                                    && bytes.value().contains(binary.value()))
                            || (whole instanceof AttributeValue.BS set
                                    && set.values().contains(binary.value())));
        }

        @Override
        public void check(Binding binding) {
            operand.check(binding);
            part.check(binding);
            binding.requireDistinct("contains", operand, part);
        }

        @Override
        public void collect(Uses uses) {
            operand.collect(uses);
            part.collect(uses);
        }

        @Override
        public String toString() {
            return "contains(" + operand + ", " + part + ")";
        }
    }

    private static String nested(Condition condition) {
        return condition instanceof And || condition instanceof Or
                ? "(" + condition + ")"
                : condition.toString();
    }
}
