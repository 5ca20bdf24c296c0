package dev.tidemark.testsupport.reference;

import dev.tidemark.model.item.AttributeType;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A condition or filter: what holds of an item or does not; a missing item is the empty one. */
public sealed interface Clause {

    boolean holdsFor(Item item);

    /** Returns whether no item need be looked at to tell that this can't be asked. */
    default boolean isMistaken() {
        return false;
    }

    /** Returns the clause as an expression has it. */
    String text(Wording wording);

    /** Returns the paths it reads. */
    List<ItemPath> paths();

    /** All of several clauses. */
    record All(List<Clause> clauses) implements Clause {
        @Override
        public boolean holdsFor(Item item) {
            return clauses.stream().allMatch(clause -> clause.holdsFor(item));
        }

        @Override
        public boolean isMistaken() {
            return clauses.stream().anyMatch(Clause::isMistaken);
        }

        @Override
        public String text(Wording wording) {
            return joined(clauses, "AND", wording);
        }

        @Override
        public List<ItemPath> paths() {
            return clauses.stream().flatMap(clause -> clause.paths().stream()).toList();
        }
    }

    /** At least one of several clauses. */
    record Any(List<Clause> clauses) implements Clause {
        @Override
        public boolean holdsFor(Item item) {
            return clauses.stream().anyMatch(clause -> clause.holdsFor(item));
        }

        @Override
        public boolean isMistaken() {
            return clauses.stream().anyMatch(Clause::isMistaken);
        }

        @Override
        public String text(Wording wording) {
            return joined(clauses, "OR", wording);
        }

        @Override
        public List<ItemPath> paths() {
            return clauses.stream().flatMap(clause -> clause.paths().stream()).toList();
        }
    }

    /** The opposite. */
    record Not(Clause clause) implements Clause {
        @Override
        public boolean holdsFor(Item item) {
            return !clause.holdsFor(item);
        }

        @Override
        public boolean isMistaken() {
            return clause.isMistaken();
        }

        @Override
        public String text(Wording wording) {
            return wording.keyword("NOT") + " " + nested(clause, wording);
        }

        @Override
        public List<ItemPath> paths() {
            return clause.paths();
        }
    }

    /** Two operands compared. */
    record Comparison(Operand left, Relation relation, Operand right) implements Clause {
        @Override
        public boolean holdsFor(Item item) {
            Optional<AttributeValue> one = left.valueFor(item);
            Optional<AttributeValue> two = right.valueFor(item);
            boolean sizeless =
                    (left instanceof Operand.SizeOf && one.isEmpty())
                            || (right instanceof Operand.SizeOf && two.isEmpty());
            return !sizeless && relation.holdsFor(one, two);
        }

        @Override
        public boolean isMistaken() {
            return relation.isOrder() && (hasNoOrder(left) || hasNoOrder(right));
        }

        @Override
        public String text(Wording wording) {
            return left.text(wording)
                    + wording.gap()
                    + relation.symbol()
                    + wording.gap()
                    + right.text(wording);
        }

        @Override
        public List<ItemPath> paths() {
            return pathsOf(List.of(left, right));
        }
    }

    /** An operand from one bound to another. */
    record Between(Operand operand, AttributeValue low, AttributeValue high) implements Clause {
        @Override
        public boolean holdsFor(Item item) {
            Optional<AttributeValue> value = operand.valueFor(item);
            return Relation.GE.holdsFor(value, Optional.of(low))
                    && Relation.LE.holdsFor(value, Optional.of(high));
        }

        @Override
        public boolean isMistaken() {
            return hasNoOrder(new Operand.Constant(low))
                    || low.type() != high.type()
                    || Relation.compare(low, high) > 0;
        }

        @Override
        public String text(Wording wording) {
            return operand.text(wording)
                    + " "
                    + wording.keyword("BETWEEN")
                    + " "
                    + wording.value(low)
                    + " "
                    + wording.keyword("AND")
                    + " "
                    + wording.value(high);
        }

        @Override
        public List<ItemPath> paths() {
            return operand.paths();
        }
    }

    /** An operand that is one of several values. */
    record In(Operand operand, List<AttributeValue> values) implements Clause {
        @Override
        public boolean holdsFor(Item item) {
            return operand.valueFor(item).filter(values::contains).isPresent();
        }

        @Override
        public String text(Wording wording) {
            return operand.text(wording)
                    + " "
                    + wording.keyword("IN")
                    + wording.gap()
                    + values.stream()
                            .map(wording::value)
                            .collect(Collectors.joining(", ", "(", ")"));
        }

        @Override
        public List<ItemPath> paths() {
            return operand.paths();
        }
    }

    /** {@code attribute_exists(path)}. */
    record Exists(ItemPath path) implements Clause {
        @Override
        public boolean holdsFor(Item item) {
            return path.in(item).isPresent();
        }

        @Override
        public String text(Wording wording) {
            return "attribute_exists(" + path.text(wording) + ")";
        }

        @Override
        public List<ItemPath> paths() {
            return List.of(path);
        }
    }

    /** {@code attribute_not_exists(path)}. */
    record Lacks(ItemPath path) implements Clause {
        @Override
        public boolean holdsFor(Item item) {
            return path.in(item).isEmpty();
        }

        @Override
        public String text(Wording wording) {
            return "attribute_not_exists" + wording.gap() + "(" + path.text(wording) + ")";
        }

        @Override
        public List<ItemPath> paths() {
            return List.of(path);
        }
    }

    /** {@code attribute_type(path, type)}. */
    record IsOfType(ItemPath path, AttributeType type) implements Clause {
        @Override
        public boolean holdsFor(Item item) {
            return path.in(item).filter(value -> value.type() == type).isPresent();
        }

        @Override
        public String text(Wording wording) {
            return "attribute_type("
                    + path.text(wording)
                    + ","
                    + wording.value(new AttributeValue.S(type.name()))
                    + ")";
        }

        @Override
        public List<ItemPath> paths() {
            return List.of(path);
        }
    }

    /** {@code begins_with(path, start)}. */
    record BeginsWith(ItemPath path, AttributeValue start) implements Clause {
        @Override
        public boolean holdsFor(Item item) {
            return path.in(item).filter(value -> Relation.beginsWith(value, start)).isPresent();
        }

        @Override
        public boolean isMistaken() {
            return start.type() != AttributeType.S && start.type() != AttributeType.B;
        }

        @Override
        public String text(Wording wording) {
            return "begins_with(" + path.text(wording) + ", " + wording.value(start) + ")";
        }

        @Override
        public List<ItemPath> paths() {
            return List.of(path);
        }
    }

    /** {@code contains(path, part)}. */
    record Contains(ItemPath path, AttributeValue part) implements Clause {
        @Override
        public boolean holdsFor(Item item) {
            return path.in(item).filter(this::isIn).isPresent();
        }

        private boolean isIn(AttributeValue whole) {
            if (whole instanceof AttributeValue.L list) {
                return list.values().contains(part);
            }
            if (part instanceof AttributeValue.S string) {
                return (whole instanceof AttributeValue.S text
                                && text.value().contains(string.value()))
                        || (whole instanceof AttributeValue.SS set
                                && set.values().contains(string.value()));
            }
            if (part instanceof AttributeValue.B binary) {
                return (whole instanceof AttributeValue.B bytes
                                && bytes.value().contains(binary.value()))
                        || (whole instanceof AttributeValue.BS set
                                && set.values().contains(binary.value()));
            }
            return part instanceof AttributeValue.N number
                    && whole instanceof AttributeValue.NS set
                    && set.values().contains(number.value());
        }

        @Override
        public String text(Wording wording) {
            return "contains (" + path.text(wording) + ", " + wording.value(part) + ")";
        }

        @Override
        public List<ItemPath> paths() {
            return List.of(path);
        }
    }

    private static boolean hasNoOrder(Operand operand) {
        Set<AttributeType> ordered = Set.of(AttributeType.S, AttributeType.N, AttributeType.B);
        return operand.constantType().filter(type -> !ordered.contains(type)).isPresent();
    }

    private static List<ItemPath> pathsOf(List<Operand> operands) {
        List<ItemPath> paths = new ArrayList<>();
        operands.forEach(operand -> paths.addAll(operand.paths()));
        return paths;
    }

    private static String joined(List<Clause> clauses, String word, Wording wording) {
        return clauses.stream()
                .map(clause -> nested(clause, wording))
                .collect(Collectors.joining(" " + wording.keyword(word) + " "));
    }

    private static String nested(Clause clause, Wording wording) {
        String text = clause.text(wording);
        return clause instanceof All || clause instanceof Any ? "(" + text + ")" : text;
    }
}
