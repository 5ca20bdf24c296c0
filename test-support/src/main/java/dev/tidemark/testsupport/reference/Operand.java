package dev.tidemark.testsupport.reference;

import dev.tidemark.model.item.AttributeType;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.InvalidNumberException;
import dev.tidemark.model.item.Item;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What yields a value, in a condition or on the right side of a SET. */
public sealed interface Operand {

    /**
     * Returns the value for this item, if there is one.
     *
     * @throws Refusal if the operands of an operation are missing or of the wrong type
     */
    Optional<AttributeValue> valueFor(Item item);

    /** Returns the type of what does not depend on the item. */
    default Optional<AttributeType> constantType() {
        return Optional.empty();
    }

    /** Returns the operand as an expression has it. */
    String text(Wording wording);

    /** Returns the paths it reads. */
    default List<ItemPath> paths() {
        return List.of();
    }

    /** What the item holds at a path. */
    record At(ItemPath path) implements Operand {
        @Override
        public Optional<AttributeValue> valueFor(Item item) {
            return path.in(item);
        }

        @Override
        public String text(Wording wording) {
            return path.text(wording);
        }

        @Override
        public List<ItemPath> paths() {
            return List.of(path);
        }
    }

    /** A value of the request. */
    record Constant(AttributeValue value) implements Operand {
        @Override
        public Optional<AttributeValue> valueFor(Item item) {
            return Optional.of(value);
        }

        @Override
        public Optional<AttributeType> constantType() {
            return Optional.of(value.type());
        }

        @Override
        public String text(Wording wording) {
            return wording.value(value);
        }
    }

    /** {@code size(path)}. */
    record SizeOf(ItemPath path) implements Operand {

        private static final Set<AttributeType> SIZELESS =
                Set.of(AttributeType.N, AttributeType.BOOL, AttributeType.NULL);

        @Override
        public Optional<AttributeValue> valueFor(Item item) {
            return path.in(item)
                    .filter(value -> !SIZELESS.contains(value.type()))
                    .map(value -> new AttributeValue.N(Decimal.of(members(value))));
        }

        private static int members(AttributeValue value) {
            return switch (value.type()) {
                case L -> ((AttributeValue.L) value).values().size();
                case M -> ((AttributeValue.M) value).values().size();
                case SS -> ((AttributeValue.SS) value).values().size();
                case NS -> ((AttributeValue.NS) value).values().size();
                case BS -> ((AttributeValue.BS) value).values().size();
                case S, B, N, BOOL, NULL -> value.size();
            };
        }

        @Override
        public Optional<AttributeType> constantType() {
            return Optional.of(AttributeType.N);
        }

        @Override
        public String text(Wording wording) {
            return "size" + wording.gap() + "(" + path.text(wording) + ")";
        }

        @Override
        public List<ItemPath> paths() {
            return List.of(path);
        }
    }

    /** {@code if_not_exists(path, otherwise)}. */
    record IfNotExists(ItemPath path, Operand otherwise) implements Operand {
        @Override
        public Optional<AttributeValue> valueFor(Item item) {
            return path.in(item).or(() -> otherwise.valueFor(item));
        }

        @Override
        public String text(Wording wording) {
            return "if_not_exists(" + path.text(wording) + ", " + otherwise.text(wording) + ")";
        }
    }

    /** {@code list_append(first, second)}. */
    record Append(Operand first, Operand second) implements Operand {
        @Override
        public Optional<AttributeValue> valueFor(Item item) {
            if (required(first, item) instanceof AttributeValue.L head
                    && required(second, item) instanceof AttributeValue.L tail) {
                List<AttributeValue> both = new ArrayList<>(head.values());
                both.addAll(tail.values());
                return Optional.of(new AttributeValue.L(both));
            }
            throw Refusal.invalid("");
        }

        @Override
        public String text(Wording wording) {
            return "list_append(" + first.text(wording) + ", " + second.text(wording) + ")";
        }
    }

    /** {@code left + right}. */
    record Plus(Operand left, Operand right) implements Operand {
        @Override
        public Optional<AttributeValue> valueFor(Item item) {
            return Optional.of(number(number(left, item).add(number(right, item))));
        }

        @Override
        public String text(Wording wording) {
            return left.text(wording) + wording.gap() + "+ " + right.text(wording);
        }
    }

    /** {@code left - right}. */
    record Minus(Operand left, Operand right) implements Operand {
        @Override
        public Optional<AttributeValue> valueFor(Item item) {
            return Optional.of(number(number(left, item).subtract(number(right, item))));
        }

        @Override
        public String text(Wording wording) {
            return left.text(wording) + wording.gap() + "- " + right.text(wording);
        }
    }

    private static BigDecimal number(Operand operand, Item item) {
        if (required(operand, item) instanceof AttributeValue.N number) {
            return new BigDecimal(number.value().text());
        }
        throw Refusal.invalid("");
    }

    /** Returns a number, if it is one that DynamoDB has. */
    static AttributeValue number(BigDecimal value) {
        try {
            return new AttributeValue.N(Decimal.parse(value.toString()));
        } catch (InvalidNumberException e) {
            throw Refusal.invalid("");
        }
    }

    private static AttributeValue required(Operand operand, Item item) {
        return operand.valueFor(item).orElseThrow(() -> Refusal.invalid(""));
    }
}
