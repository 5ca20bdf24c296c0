package dev.tidemark.expressions;

import dev.tidemark.expressions.tree.Binding;
import dev.tidemark.expressions.tree.ExpressionKind;
import dev.tidemark.expressions.tree.PathTree;
import dev.tidemark.expressions.tree.UpdateAction;
import dev.tidemark.expressions.tree.Uses;
import dev.tidemark.model.write.Placeholders;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** An update expression as written. Immutable and thread-safe. */
public final class UpdateExpression implements Expression {

    private static final ParsedCache<UpdateExpression> REQUESTED = new ParsedCache<>();
    private static final ParsedCache<UpdateExpression> LOGGED = new ParsedCache<>();

    private final List<UpdateAction> actions;
    private final Uses uses = new Uses();

    /** What the last names made of the paths: most writers use the same names every time. */
    private volatile Plan plan;

    private record Plan(Map<String, String> names, PathTree<UpdateAction> tree) {}

    private UpdateExpression(List<UpdateAction> actions) {
        this.actions = List.copyOf(actions);
        this.actions.forEach(action -> action.collect(uses));
        this.plan = new Plan(Map.of(), new PathTree<>(ExpressionKind.UPDATE));
    }

    /**
     * Returns the expression that a request's {@code text} denotes; cheap for a text used lately.
     *
     * @throws dev.tidemark.model.error.ApiException if it denotes none
     */
    public static UpdateExpression parse(String text) {
        return parse(text, ExpressionLimits.OF_A_REQUEST);
    }

    /**
     * Returns the expression that {@code text} denotes; cheap for a text used lately.
     *
     * @throws dev.tidemark.model.error.ApiException if it denotes none
     */
    public static UpdateExpression parse(String text, ExpressionLimits limits) {
        ParsedCache<UpdateExpression> cache =
                limits == ExpressionLimits.OF_THE_LOG ? LOGGED : REQUESTED;
        return cache.get(
                text,
                unseen -> of(new TreeBuilder(ExpressionKind.UPDATE, unseen, limits).update()));
    }

    /** Returns the expression of these actions; for those who do not begin with a text. */
    static UpdateExpression of(List<UpdateAction> actions) {
        return new UpdateExpression(actions);
    }

    /** Returns the actions in the order of the text. */
    public List<UpdateAction> actions() {
        return actions;
    }

    @Override
    public Uses uses() {
        return uses;
    }

    /**
     * Returns the update with its placeholders filled in.
     *
     * @throws dev.tidemark.model.error.ApiException if one is undefined, two paths overlap, or a
     *     constant is of a type its operator does not take
     */
    public BoundUpdate bind(Placeholders placeholders) {
        uses.requireDefined(ExpressionKind.UPDATE, placeholders);
        PathTree<UpdateAction> tree = tree(placeholders);
        Binding binding = new Binding(ExpressionKind.UPDATE, placeholders);
        for (UpdateAction action : actions) {
            action.check(binding);
        }
        return new BoundUpdate(actions, tree, placeholders);
    }

    /** Returns a text that parses to the same actions, in the same order within each section. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(" ");
        section("SET", UpdateAction.Assign.class).ifPresent(text::add);
        section("REMOVE", UpdateAction.Remove.class).ifPresent(text::add);
        section("ADD", UpdateAction.Add.class).ifPresent(text::add);
        section("DELETE", UpdateAction.Delete.class).ifPresent(text::add);
        return text.toString();
    }

    private Optional<String> section(String name, Class<? extends UpdateAction> kind) {
        String content =
                actions.stream()
                        .filter(kind::isInstance)
                        .map(UpdateAction::toString)
                        .collect(Collectors.joining(", "));
        return content.isEmpty() ? Optional.empty() : Optional.of(name + " " + content);
    }

    private PathTree<UpdateAction> tree(Placeholders placeholders) {
        Plan last = plan;
        if (!last.tree().attributes().isEmpty() && last.names().equals(placeholders.names())) {
            return last.tree();
        }
        PathTree<UpdateAction> tree = new PathTree<>(ExpressionKind.UPDATE);
        for (UpdateAction action : actions) {
            tree.add(action.path().resolve(placeholders), action);
        }
        plan = new Plan(placeholders.names(), tree);
        return tree;
    }
}
