package dev.tidemark.testsupport.trial;

import dev.tidemark.model.item.AttributeType;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.testsupport.reference.Clause;
import dev.tidemark.testsupport.reference.ItemPath;
import dev.tidemark.testsupport.reference.ItemPath.Element;
import dev.tidemark.testsupport.reference.ItemPath.Field;
import dev.tidemark.testsupport.reference.Operand;
import dev.tidemark.testsupport.reference.Relation;
import dev.tidemark.testsupport.reference.Shown;
import dev.tidemark.testsupport.reference.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Conditions, updates and projections at random, most of which suit the item they are for. */
final class RandomExpressions {

    private static final List<Relation> RELATIONS = List.of(Relation.values());
    private static final List<Relation> EQUALITIES = List.of(Relation.EQ, Relation.NE);
    private static final List<AttributeType> KEY_TYPES =
            List.of(AttributeType.S, AttributeType.N, AttributeType.B);
    private static final List<AttributeType> SETS =
            List.of(AttributeType.SS, AttributeType.NS, AttributeType.BS);

    private final RandomValues values;

    RandomExpressions(RandomValues values) {
        this.values = values;
    }

    /** Returns a condition; about half of them hold of {@code item}. */
    Clause clause(Item item) {
        return clause(item, 2);
    }

    private Clause clause(Item item, int levels) {
        if (levels == 0 || values.chance(50)) {
            return leaf(item);
        }
        if (values.chance(20)) {
            return new Clause.Not(clause(item, levels - 1));
        }
        List<Clause> parts = new ArrayList<>();
        for (int more = 1 + values.below(3); more >= 0; more--) {
            parts.add(clause(item, levels - 1));
        }
        return values.chance(50) ? new Clause.All(parts) : new Clause.Any(parts);
    }

    private Clause leaf(Item item) {
        ItemPath path = path();
        Optional<AttributeValue> current = path.in(item);
        AttributeValue constant =
                current.filter(value -> values.chance(60))
                        .orElseGet(() -> values.valueFor(path.attribute()));
        return switch (values.below(10)) {
            case 0 -> new Clause.Exists(path);
            case 1 -> new Clause.Lacks(path);
            case 2 ->
                    new Clause.IsOfType(
                            path,
                            current.filter(value -> values.chance(50))
                                    .map(AttributeValue::type)
                                    .orElseGet(() -> values.one(List.of(AttributeType.values()))));
            case 3 -> new Clause.BeginsWith(path, start(constant));
            case 4 -> new Clause.Contains(path, part(constant));
            case 5 -> between(path);
            case 6 ->
                    new Clause.In(
                            new Operand.At(path), List.of(values.any(1), constant, values.any(1)));
            case 7 -> sizes(path, current);
            default -> comparison(path, constant);
        };
    }

    private Clause comparison(ItemPath path, AttributeValue constant) {
        boolean hasOrder = KEY_TYPES.contains(constant.type());
        Relation relation = values.one(hasOrder || values.chance(5) ? RELATIONS : EQUALITIES);
        Operand left = new Operand.At(path);
        Operand right = new Operand.Constant(constant);
        if (values.chance(10)) {
            ItemPath other = path();
            if (!other.equals(path)) {
                right = new Operand.At(other);
            }
        }
        return values.chance(20)
                ? new Clause.Comparison(right, relation.turned(), left)
                : new Clause.Comparison(left, relation, right);
    }

    private Clause sizes(ItemPath path, Optional<AttributeValue> current) {
        AttributeValue size =
                current.filter(value -> values.chance(50))
                        .flatMap(value -> new Operand.SizeOf(path).valueFor(itemOf(path, value)))
                        .orElseGet(() -> new AttributeValue.N(values.number()));
        return new Clause.Comparison(
                new Operand.SizeOf(path), values.one(RELATIONS), new Operand.Constant(size));
    }

    private static Item itemOf(ItemPath path, AttributeValue value) {
        return path.isTopLevel() ? new Item(Map.of(path.attribute(), value)) : Item.EMPTY;
    }

    private Clause between(ItemPath path) {
        AttributeType type = values.one(KEY_TYPES);
        AttributeValue one = values.of(type, 0);
        AttributeValue two = values.chance(98) ? values.of(type, 0) : values.any(0);
        boolean isTurned =
                values.chance(97) && one.type() == two.type() && Relation.compare(one, two) > 0;
        return isTurned
                ? new Clause.Between(new Operand.At(path), two, one)
                : new Clause.Between(new Operand.At(path), one, two);
    }

    /** Returns what a value may begin with; now and then what nothing does. */
    private AttributeValue start(AttributeValue value) {
        if (value instanceof AttributeValue.S string && !string.value().isEmpty()) {
            int end = string.value().offsetByCodePoints(0, 1);
            return new AttributeValue.S(string.value().substring(0, end));
        }
        if (value instanceof AttributeValue.B || values.chance(3)) {
            return value;
        }
        return new AttributeValue.S(values.text());
    }

    /** Returns what a value may contain. */
    private AttributeValue part(AttributeValue value) {
        if (value instanceof AttributeValue.L list && !list.values().isEmpty()) {
            return values.one(list.values());
        }
        if (value instanceof AttributeValue.SS set) {
            return new AttributeValue.S(set.values().iterator().next());
        }
        if (value instanceof AttributeValue.NS set) {
            return new AttributeValue.N(set.values().iterator().next());
        }
        if (value instanceof AttributeValue.BS set) {
            return new AttributeValue.B(set.values().iterator().next());
        }
        return values.chance(50) ? start(value) : values.any(1);
    }

    /** Returns a path; often one that items have. */
    ItemPath path() {
        int kind = values.below(10);
        if (kind < 2) {
            return ItemPath.of(values.one(RandomValues.INDEX_KEY_NAMES));
        }
        if (kind < 6) {
            return ItemPath.of(values.one(RandomValues.OTHERS));
        }
        ItemPath path =
                kind < 8
                        ? ItemPath.of("m").then(new Field(values.one(RandomValues.FIELDS)))
                        : ItemPath.of("l").then(new Element(values.below(5)));
        if (values.chance(25)) {
            path =
                    values.chance(50)
                            ? path.then(new Field(values.one(RandomValues.FIELDS)))
                            : path.then(new Element(values.below(3)));
        }
        return path;
    }

    /** Returns an update. */
    Update update(Item item) {
        List<Update.Action> actions = new ArrayList<>();
        for (int more = values.below(4); more >= 0; more--) {
            Update.Action action = action(item);
            boolean clashes =
                    actions.stream().anyMatch(one -> one.path().clashesWith(action.path()));
            if (!clashes || values.chance(5)) {
                actions.add(action);
            }
        }
        return new Update(actions);
    }

    private Update.Action action(Item item) {
        if (values.chance(1)) {
            return new Update.Assign(ItemPath.of("n0"), new Operand.Constant(values.any(0)));
        }
        int kind = values.below(10);
        if (kind < 5) {
            ItemPath path = existing(item);
            return new Update.Assign(path, assigned(path));
        }
        if (kind < 7) {
            return new Update.Remove(existing(item));
        }
        if (kind < 9 && values.chance(50)) {
            return new Update.Add(
                    ItemPath.of(values.one(List.of("num", "n1", "n2"))),
                    new AttributeValue.N(values.number()));
        }
        AttributeType type = values.one(SETS);
        ItemPath path =
                values.chance(95) ? ItemPath.of(type.name().toLowerCase(Locale.ROOT)) : path();
        AttributeValue value = values.chance(98) ? values.of(type, 0) : values.any(1);
        return kind < 9 ? new Update.Add(path, value) : new Update.Delete(path, value);
    }

    /** Returns a path at which the item has something, or could; now and then another. */
    private ItemPath existing(Item item) {
        ItemPath path = path();
        for (int tries = 0; tries < 3 && !path.isTopLevel() && path.in(item).isEmpty(); tries++) {
            path = path();
        }
        return path;
    }

    private Operand assigned(ItemPath path) {
        if (RandomValues.INDEX_KEYS.containsKey(path.attribute()) && path.isTopLevel()) {
            boolean isNumber = path.attribute().startsWith("n");
            return isNumber && values.chance(30)
                    ? counted(path)
                    : new Operand.Constant(values.valueFor(path.attribute()));
        }
        return switch (values.below(8)) {
            case 0 -> new Operand.At(path());
            case 1 -> new Operand.IfNotExists(path(), new Operand.Constant(values.any(1)));
            case 2 -> appended();
            case 3 -> counted(ItemPath.of("num"));
            default ->
                    new Operand.Constant(
                            path.isTopLevel() ? values.valueFor(path.attribute()) : values.any(1));
        };
    }

    private Operand counted(ItemPath path) {
        Operand zero = new Operand.Constant(new AttributeValue.N(values.number()));
        Operand left =
                values.chance(50) ? new Operand.At(path) : new Operand.IfNotExists(path, zero);
        Operand right = new Operand.Constant(new AttributeValue.N(values.number()));
        return values.chance(50) ? new Operand.Plus(left, right) : new Operand.Minus(left, right);
    }

    private Operand appended() {
        Operand more = new Operand.Constant(values.of(AttributeType.L, 1));
        Operand list =
                values.chance(50)
                        ? new Operand.At(ItemPath.of("l"))
                        : new Operand.IfNotExists(ItemPath.of("l"), more);
        return values.chance(50) ? new Operand.Append(list, more) : new Operand.Append(more, list);
    }

    /** Returns what is to be shown of items. */
    Shown.Parts parts(List<String> attributes) {
        List<ItemPath> paths = new ArrayList<>();
        for (int more = values.below(4); more >= 0; more--) {
            ItemPath path = values.chance(60) ? ItemPath.of(values.one(attributes)) : path();
            if (values.chance(5) || paths.stream().noneMatch(path::clashesWith)) {
                paths.add(path);
            }
        }
        return new Shown.Parts(paths);
    }
}
