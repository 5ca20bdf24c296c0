package dev.tidemark.expressions;

import dev.tidemark.expressions.grammar.ExpressionsParser;
import dev.tidemark.expressions.tree.Comparator;
import dev.tidemark.expressions.tree.Condition;
import dev.tidemark.expressions.tree.DocumentPath;
import dev.tidemark.expressions.tree.ExpressionKind;
import dev.tidemark.expressions.tree.ExpressionMessages;
import dev.tidemark.expressions.tree.Operand;
import dev.tidemark.expressions.tree.PathElement;
import dev.tidemark.expressions.tree.UpdateAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/**
 * Makes the typed tree of one expression from its text. What the grammar leaves open is settled
 * here: which functions there are and where each may stand, how many operands each takes, which
 * words are reserved.
 */
final class TreeBuilder {

    private final ExpressionKind kind;
    private final ExpressionSyntax syntax;
    private @Nullable String reservedWord;

    TreeBuilder(ExpressionKind kind, String text, ExpressionLimits limits) {
        this.kind = kind;
        this.syntax = new ExpressionSyntax(kind, text, limits);
    }

    Condition condition() {
        Condition condition =
                condition(syntax.parse(ExpressionsParser::conditionExpression).condition());
        requireNoReservedWord();
        return condition;
    }

    List<DocumentPath> projection() {
        List<DocumentPath> paths =
                paths(syntax.parse(ExpressionsParser::projectionExpression).path());
        requireNoReservedWord();
        return paths;
    }

    List<UpdateAction> update() {
        List<UpdateAction> actions = new ArrayList<>();
        List<String> sections = new ArrayList<>();
        for (ExpressionsParser.SectionContext section :
                syntax.parse(ExpressionsParser::updateExpression).section()) {
            String name = section.getStart().getText().toUpperCase(Locale.ROOT);
            if (sections.contains(name)) {
                throw kind.invalid(ExpressionMessages.SECTION_TWICE, name);
            }
            sections.add(name);
            addActions(section, actions);
        }
        requireNoReservedWord();
        return actions;
    }

    private void addActions(ExpressionsParser.SectionContext section, List<UpdateAction> actions) {
        if (section instanceof ExpressionsParser.SetSectionContext set) {
            for (ExpressionsParser.AssignmentContext assignment : set.assignment()) {
                actions.add(
                        new UpdateAction.Assign(path(assignment.path()), sum(assignment.sum())));
            }
        } else if (section instanceof ExpressionsParser.RemoveSectionContext remove) {
            paths(remove.path()).forEach(path -> actions.add(new UpdateAction.Remove(path)));
        } else if (section instanceof ExpressionsParser.AddSectionContext add) {
            for (ExpressionsParser.ChangeContext change : add.change()) {
                actions.add(new UpdateAction.Add(path(change.path()), value(change.VALUE())));
            }
        } else if (section instanceof ExpressionsParser.DeleteSectionContext delete) {
            for (ExpressionsParser.ChangeContext change : delete.change()) {
                actions.add(new UpdateAction.Delete(path(change.path()), value(change.VALUE())));
            }
        } else {
            throw unknown(section);
        }
    }

    private Condition condition(ExpressionsParser.ConditionContext context) {
        List<Condition> conditions = new ArrayList<>(context.conjunction().size());
        for (ExpressionsParser.ConjunctionContext conjunction : context.conjunction()) {
            conditions.add(conjunction(conjunction));
        }
        return conditions.size() == 1 ? conditions.get(0) : new Condition.Or(conditions);
    }

    private Condition conjunction(ExpressionsParser.ConjunctionContext context) {
        List<Condition> conditions = new ArrayList<>(context.negation().size());
        for (ExpressionsParser.NegationContext negation : context.negation()) {
            Condition condition = predicate(negation.predicate());
            for (int at = 0; at < negation.NOT().size(); at++) {
                condition = new Condition.Not(condition);
            }
            conditions.add(condition);
        }
        return conditions.size() == 1 ? conditions.get(0) : new Condition.And(conditions);
    }

    private Condition predicate(ExpressionsParser.PredicateContext context) {
        ExpressionsParser.TestContext test = context.test();
        if (test == null) {
            return bare(context.operand());
        }
        Operand operand = operand(context.operand());
        if (test instanceof ExpressionsParser.ComparisonContext comparison) {
            return new Condition.Comparison(
                    operand,
                    Comparator.of(comparison.comparator().getText()),
                    operand(comparison.operand()));
        }
        if (test instanceof ExpressionsParser.BetweenContext between) {
            return new Condition.Between(
                    operand, operand(between.operand(0)), operand(between.operand(1)));
        }
        if (test instanceof ExpressionsParser.InContext in) {
            return new Condition.In(operand, operands(in.operand()));
        }
        throw unknown(test);
    }

    /** Makes a condition of what stands alone: a function, or a condition in parentheses. */
    private Condition bare(ExpressionsParser.OperandContext context) {
        if (context instanceof ExpressionsParser.ParenthesesContext parentheses) {
            return condition(parentheses.condition());
        }
        if (!(context instanceof ExpressionsParser.FunctionContext function)) {
            throw syntax.syntaxError(syntax.after(context));
        }
        String name = function.NAME().getText();
        return switch (name) {
            case "attribute_exists" ->
                    new Condition.AttributeExists(
                            pathOf(name, operandsOf(name, function, 1).get(0)));
            case "attribute_not_exists" ->
                    new Condition.AttributeNotExists(
                            pathOf(name, operandsOf(name, function, 1).get(0)));
            case "attribute_type" -> attributeType(operandsOf(name, function, 2));
            case "begins_with" -> {
                List<Operand> operands = operandsOf(name, function, 2);
                yield new Condition.BeginsWith(operands.get(0), operands.get(1));
            }
            case "contains" -> {
                List<Operand> operands = operandsOf(name, function, 2);
                yield new Condition.Contains(operands.get(0), operands.get(1));
            }
            case "size" -> throw kind.invalid(ExpressionMessages.MISUSED_FUNCTION, name);
            case "if_not_exists", "list_append" ->
                    throw kind.invalid(ExpressionMessages.NOT_IN_CONDITION, name);
            default -> throw kind.invalid(ExpressionMessages.UNKNOWN_FUNCTION, name);
        };
    }

    private Condition attributeType(List<Operand> operands) {
        if (operands.get(1) instanceof Operand.Value type) {
            return new Condition.AttributeTypeIs(operands.get(0), type);
        }
        throw kind.invalid(
                ExpressionMessages.OPERAND_TYPE,
                "attribute_type",
                operands.get(1) instanceof Operand.Size ? "N" : ExpressionMessages.ATTRIBUTE_TYPES);
    }

    private List<Operand> operandsOf(
            String name, ExpressionsParser.FunctionContext function, int count) {
        List<Operand> operands = operands(function.operand());
        requireCount(name, operands, count);
        return operands;
    }

    private DocumentPath pathOf(String function, Operand operand) {
        if (operand instanceof Operand.Path path) {
            return path.path();
        }
        throw kind.invalid(ExpressionMessages.NOT_A_PATH, function);
    }

    private List<Operand> operands(List<ExpressionsParser.OperandContext> contexts) {
        List<Operand> operands = new ArrayList<>(contexts.size());
        for (ExpressionsParser.OperandContext context : contexts) {
            operands.add(operand(context));
        }
        return operands;
    }

    private Operand operand(ExpressionsParser.OperandContext context) {
        if (context instanceof ExpressionsParser.PathOperandContext operand) {
            return new Operand.Path(path(operand.path()));
        }
        if (context instanceof ExpressionsParser.ValueOperandContext operand) {
            return value(operand.VALUE());
        }
        if (context instanceof ExpressionsParser.ParenthesesContext parentheses) {
            return operand(inner(parentheses));
        }
        if (context instanceof ExpressionsParser.FunctionContext function) {
            return size(function);
        }
        throw unknown(context);
    }

    private Operand size(ExpressionsParser.FunctionContext function) {
        String name = function.NAME().getText();
        switch (name) {
            case "size" -> {
                Operand operand = operandsOf(name, function, 1).get(0);
                if (operand instanceof Operand.Size) {
                    throw kind.invalid(ExpressionMessages.OPERAND_TYPE, name, "N");
                }
                return new Operand.Size(operand);
            }
            case "attribute_exists",
                    "attribute_not_exists",
                    "attribute_type",
                    "begins_with",
                    "contains" ->
                    throw kind.invalid(ExpressionMessages.MISUSED_FUNCTION, name);
            case "if_not_exists", "list_append" ->
                    throw kind.invalid(ExpressionMessages.NOT_IN_CONDITION, name);
            default -> throw kind.invalid(ExpressionMessages.UNKNOWN_FUNCTION, name);
        }
    }

    /** Returns the operand within parentheses, which hold nothing else. */
    private ExpressionsParser.OperandContext inner(ExpressionsParser.ParenthesesContext context) {
        ExpressionsParser.ConditionContext condition = context.condition();
        ExpressionsParser.ConjunctionContext conjunction = condition.conjunction(0);
        ExpressionsParser.NegationContext negation = conjunction.negation(0);
        ExpressionsParser.PredicateContext predicate = negation.predicate();
        if (condition.conjunction().size() > 1
                || conjunction.negation().size() > 1
                || !negation.NOT().isEmpty()
                || predicate.test() != null) {
            throw syntax.syntaxError(syntax.after(context));
        }
        return predicate.operand();
    }

    /** Makes the operand of an assignment: at most one operator, with or without parentheses. */
    private Operand sum(ExpressionsParser.SumContext context) {
        Operand left =
                context.term().size() == 1
                                && context.term(0)
                                        instanceof ExpressionsParser.TermParenthesesContext inner
                        ? sum(inner.sum())
                        : term(context.term(0));
        if (context.term().size() == 1) {
            return left;
        }
        return new Operand.Arithmetic(
                left,
                context.PLUS() != null
                        ? Operand.Arithmetic.Sign.PLUS
                        : Operand.Arithmetic.Sign.MINUS,
                term(context.term(1)));
    }

    private Operand term(ExpressionsParser.TermContext context) {
        if (context instanceof ExpressionsParser.TermPathContext term) {
            return new Operand.Path(path(term.path()));
        }
        if (context instanceof ExpressionsParser.TermValueContext term) {
            return value(term.VALUE());
        }
        if (context instanceof ExpressionsParser.TermParenthesesContext parentheses) {
            ExpressionsParser.SumContext sum = parentheses.sum();
            if (sum.term().size() > 1) {
                throw syntax.syntaxError(syntax.after(sum.term(0)));
            }
            return term(sum.term(0));
        }
        if (context instanceof ExpressionsParser.TermFunctionContext function) {
            return updateFunction(function);
        }
        throw unknown(context);
    }

    private Operand updateFunction(ExpressionsParser.TermFunctionContext function) {
        String name = function.NAME().getText();
        return switch (name) {
            case "if_not_exists" -> {
                List<Operand> operands = terms(name, function);
                yield new Operand.IfNotExists(pathOf(name, operands.get(0)), operands.get(1));
            }
            case "list_append" -> {
                List<Operand> operands = terms(name, function);
                yield new Operand.ListAppend(operands.get(0), operands.get(1));
            }
            case "attribute_exists",
                    "attribute_not_exists",
                    "attribute_type",
                    "begins_with",
                    "contains",
                    "size" ->
                    throw kind.invalid(ExpressionMessages.NOT_IN_UPDATE, name);
            default -> throw kind.invalid(ExpressionMessages.UNKNOWN_FUNCTION, name);
        };
    }

    /** Makes the operands of a function of updates; of functions only if_not_exists can be one. */
    private List<Operand> terms(String name, ExpressionsParser.TermFunctionContext function) {
        List<Operand> operands = new ArrayList<>(2);
        for (ExpressionsParser.TermContext term : function.term()) {
            Operand operand = term(term);
            if (operand instanceof Operand.ListAppend) {
                throw kind.invalid(ExpressionMessages.MISUSED_FUNCTION, "list_append");
            }
            operands.add(operand);
        }
        requireCount(name, operands, 2);
        return operands;
    }

    private void requireCount(String name, List<Operand> operands, int count) {
        if (operands.size() != count) {
            throw kind.invalid(ExpressionMessages.OPERAND_COUNT, name, operands.size());
        }
    }

    private static Operand.Value value(TerminalNode token) {
        return new Operand.Value(token.getText());
    }

    private List<DocumentPath> paths(List<ExpressionsParser.PathContext> contexts) {
        List<DocumentPath> paths = new ArrayList<>(contexts.size());
        for (ExpressionsParser.PathContext context : contexts) {
            paths.add(path(context));
        }
        return paths;
    }

    private DocumentPath path(ExpressionsParser.PathContext context) {
        List<PathElement> elements = new ArrayList<>(2);
        for (ParseTree child : context.children) {
            if (child instanceof ExpressionsParser.ElementContext element) {
                elements.add(element(element.getStart()));
            } else if (child instanceof TerminalNode token
                    && token.getSymbol().getType() == ExpressionsParser.INDEX) {
                elements.add(new PathElement.Index(index(token.getText())));
            }
        }
        if (elements.size() > DocumentPath.MAX_DEPTH) {
            throw kind.invalid(ExpressionMessages.PATH_TOO_DEEP, elements.size());
        }
        return new DocumentPath(elements);
    }

    private PathElement element(Token token) {
        String text = token.getText();
        if (token.getType() == ExpressionsParser.ALIAS) {
            return new PathElement.Alias(text);
        }
        if (reservedWord == null && ReservedWords.contains(text)) {
            reservedWord = text;
        }
        return new PathElement.Name(text);
    }

    private int index(String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            throw kind.invalid(ExpressionMessages.INDEX_TOO_HIGH, digits);
        }
    }

    private void requireNoReservedWord() {
        String word = reservedWord;
        if (word != null) {
            throw kind.invalid(ExpressionMessages.RESERVED_WORD, word);
        }
    }

    private static IllegalStateException unknown(ParseTree context) {
        return new IllegalStateException(
                "The grammar has a rule this builder lacks: " + context.getClass().getSimpleName());
    }
}
