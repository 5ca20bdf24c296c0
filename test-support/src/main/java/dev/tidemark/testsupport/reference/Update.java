package dev.tidemark.testsupport.reference;

import dev.tidemark.model.item.AttributeType;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An update of an item: what all of its actions make of it, each seeing the item as it was.
 *
 * @param actions the actions; no two may concern one value
 */
public record Update(List<Action> actions) {

    /** What is done to one value. */
    public sealed interface Action {
        ItemPath path();
    }

    /** Puts a value there. */
    public record Assign(ItemPath path, Operand value) implements Action {}

    /** Takes away what is there. */
    public record Remove(ItemPath path) implements Action {}

    /** Adds to a number or a set. */
    public record Add(ItemPath path, AttributeValue value) implements Action {}

    /** Takes members out of a set. */
    public record Delete(ItemPath path, AttributeValue value) implements Action {}

    public Update {
        actions = List.copyOf(actions);
    }

    /** Returns whether no item need be looked at to tell that this can't be asked. */
    public boolean isMistaken() {
        for (int one = 0; one < actions.size(); one++) {
            for (int two = 0; two < one; two++) {
                if (actions.get(one).path().clashesWith(actions.get(two).path())) {
                    return true;
                }
            }
        }
        return actions.stream().anyMatch(Update::isMistaken);
    }

    private static boolean isMistaken(Action action) {
        if (action instanceof Add add) {
            return !isSet(add.value()) && add.value().type() != AttributeType.N;
        }
        return action instanceof Delete delete && !isSet(delete.value());
    }

    private static boolean isSet(AttributeValue value) {
        return switch (value.type()) {
            case SS, NS, BS -> true;
            case S, N, B, BOOL, NULL, L, M -> false;
        };
    }

    /** Returns whether a missing item comes to exist by this. */
    public boolean creates() {
        return actions.stream()
                .anyMatch(action -> action instanceof Assign || action instanceof Add);
    }

    /** Returns the attributes that are changed, wholly or in part. */
    public Set<String> attributes() {
        return actions.stream()
                .map(action -> action.path().attribute())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns the paths that are changed. */
    public List<ItemPath> paths() {
        return actions.stream().map(Action::path).toList();
    }

    /**
     * Returns what becomes of an item.
     *
     * @throws Refusal if it does not suit the update
     */
    public Item appliedTo(Item old) {
        Document document = new Document(old);
        for (Action action : actions) {
            Optional<AttributeValue> next = valueOf(action, old);
            if (next.isPresent()) {
                document.put(action.path(), next.get());
            } else {
                document.remove(action.path());
            }
        }
        return document.toItem();
    }

    private static Optional<AttributeValue> valueOf(Action action, Item old) {
        Optional<AttributeValue> current = action.path().in(old);
        if (action instanceof Assign assign) {
            return Optional.of(assign.value().valueFor(old).orElseThrow(() -> Refusal.invalid("")));
        }
        if (action instanceof Add add) {
            return Optional.of(current.map(value -> added(value, add.value())).orElse(add.value()));
        }
        if (action instanceof Delete delete) {
            return current.flatMap(value -> reduced(value, delete.value()));
        }
        return Optional.empty();
    }

    private static AttributeValue added(AttributeValue value, AttributeValue more) {
        if (value instanceof AttributeValue.N one && more instanceof AttributeValue.N two) {
            return Operand.number(
                    new BigDecimal(one.value().text()).add(new BigDecimal(two.value().text())));
        }
        Set<Object> members = new LinkedHashSet<>(members(value, more));
        members.addAll(members(more, value));
        return set(value.type(), members);
    }

    private static Optional<AttributeValue> reduced(AttributeValue value, AttributeValue less) {
        Set<Object> members = new LinkedHashSet<>(members(value, less));
        members.removeAll(members(less, value));
        return members.isEmpty() ? Optional.empty() : Optional.of(set(value.type(), members));
    }

    private static Collection<?> members(AttributeValue set, AttributeValue other) {
        if (set.type() == other.type()) {
            if (set instanceof AttributeValue.SS strings) {
                return strings.values();
            }
            if (set instanceof AttributeValue.NS numbers) {
                return numbers.values();
            }
            if (set instanceof AttributeValue.BS binaries) {
                return binaries.values();
            }
        }
        throw Refusal.invalid("");
    }

    private static AttributeValue set(AttributeType type, Set<Object> members) {
        return switch (type) {
            case SS ->
                    new AttributeValue.SS(
                            members.stream().map(String.class::cast).collect(Collectors.toSet()));
            case NS ->
                    new AttributeValue.NS(
                            members.stream().map(Decimal.class::cast).collect(Collectors.toSet()));
            case BS ->
                    new AttributeValue.BS(
                            members.stream().map(Binary.class::cast).collect(Collectors.toSet()));
            case S, N, B, BOOL, NULL, L, M -> throw new IllegalStateException("No set");
        };
    }

    /** Returns the update as an expression has it, its sections in the order of their first. */
    public String text(Wording wording) {
        List<String> sections = new ArrayList<>();
        section("SET", Assign.class, sections, wording, action -> assignment(action, wording));
        section("REMOVE", Remove.class, sections, wording, action -> action.path().text(wording));
        section(
                "ADD",
                Add.class,
                sections,
                wording,
                add -> add.path().text(wording) + " " + wording.value(add.value()));
        section(
                "DELETE",
                Delete.class,
                sections,
                wording,
                delete -> delete.path().text(wording) + " " + wording.value(delete.value()));
        return String.join(" ", sections);
    }

    private static String assignment(Assign assign, Wording wording) {
        return assign.path().text(wording)
                + wording.gap()
                + "="
                + wording.gap()
                + assign.value().text(wording);
    }

    private <A extends Action> void section(
            String word,
            Class<A> kind,
            List<String> sections,
            Wording wording,
            Function<A, String> text) {
        List<String> parts =
                actions.stream().filter(kind::isInstance).map(kind::cast).map(text).toList();
        if (!parts.isEmpty()) {
            sections.add(wording.keyword(word) + " " + String.join(", ", parts));
        }
    }
}
