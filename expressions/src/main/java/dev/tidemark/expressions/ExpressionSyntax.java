package dev.tidemark.expressions;

import dev.tidemark.expressions.grammar.ExpressionsLexer;
import dev.tidemark.expressions.grammar.ExpressionsParser;
import dev.tidemark.expressions.tree.ExpressionKind;
import dev.tidemark.expressions.tree.ExpressionMessages;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.Utf8;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.antlr.v4.runtime.BailErrorStrategy;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.antlr.v4.runtime.misc.ParseCancellationException;

/**
 * One expression's text on its way to a syntax tree, and the limits it must keep on that way: they
 * are checked on the tokens, so that no text takes the parser deeper than the limits allow.
 */
final class ExpressionSyntax {

    /** Above what the operators of a request can use without a redundant pair. */
    private static final int MAX_NESTING = ExpressionLimits.OF_A_REQUEST.operators() + 4;

    private final ExpressionLimits limits;
    private final ExpressionKind kind;
    private final String text;
    private final CommonTokenStream tokens;

    ExpressionSyntax(ExpressionKind kind, String text, ExpressionLimits limits) {
        this.limits = limits;
        this.kind = kind;
        this.text = text;
        if (text.isEmpty()) {
            throw kind.invalid(ExpressionMessages.EMPTY);
        }
        int size = Utf8.length(text);
        if (size > limits.bytes()) {
            throw kind.invalid(ExpressionMessages.TOO_LONG, size);
        }
        ExpressionsLexer lexer = new ExpressionsLexer(CharStreams.fromString(text));
        lexer.removeErrorListeners();
        this.tokens = new CommonTokenStream(lexer);
        tokens.fill();
    }

    /** Returns the syntax tree that {@code rule} makes of the text. */
    <C extends ParserRuleContext> C parse(Function<ExpressionsParser, C> rule) {
        requireBoundedNesting();
        requireFewOperators();
        ExpressionsParser parser = new ExpressionsParser(tokens);
        parser.removeErrorListeners();
        parser.setErrorHandler(new BailErrorStrategy());
        parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
        C tree;
        try {
            tree = rule.apply(parser);
        } catch (ParseCancellationException e) {
            throw syntaxError(
                    e.getCause() instanceof RecognitionException cause
                            ? cause.getOffendingToken()
                            : parser.getCurrentToken());
        }
        requireNoRedundantParentheses();
        return tree;
    }

    /** Returns the exception that says {@code token} should not stand where it does. */
    ApiException syntaxError(Token token) {
        List<Token> all = tokens.getTokens();
        int at = token.getTokenIndex();
        int start = at > 0 ? all.get(at - 1).getStartIndex() : 0;
        int stop = at + 1 < all.size() && all.get(at + 1).getType() != Token.EOF ? at + 1 : at;
        int end =
                token.getType() == Token.EOF
                        ? text.codePointCount(0, text.length())
                        : all.get(stop).getStopIndex() + 1;
        String near =
                text.substring(text.offsetByCodePoints(0, start), text.offsetByCodePoints(0, end));
        return kind.invalid(ExpressionMessages.SYNTAX, token.getText(), near.strip());
    }

    /** Returns the token that follows {@code context}. */
    Token after(ParserRuleContext context) {
        return tokens.get(context.getStop().getTokenIndex() + 1);
    }

    private void requireBoundedNesting() {
        int depth = 0;
        for (Token token : tokens.getTokens()) {
            if (token.getType() == ExpressionsLexer.OPEN) {
                depth++;
                if (depth > MAX_NESTING) {
                    throw kind.invalid(ExpressionMessages.REDUNDANT_PARENTHESES);
                }
            } else if (token.getType() == ExpressionsLexer.CLOSE) {
                depth--;
            }
        }
    }

    private void requireFewOperators() {
        int operators = 0;
        int previous = Token.EOF;
        for (Token token : tokens.getTokens()) {
            operators +=
                    switch (token.getType()) {
                        case ExpressionsLexer.EQ -> kind == ExpressionKind.UPDATE ? 0 : 1;
                        case ExpressionsLexer.NE,
                                ExpressionsLexer.LT,
                                ExpressionsLexer.LE,
                                ExpressionsLexer.GT,
                                ExpressionsLexer.GE,
                                ExpressionsLexer.AND,
                                ExpressionsLexer.OR,
                                ExpressionsLexer.NOT,
                                ExpressionsLexer.IN,
                                ExpressionsLexer.PLUS,
                                ExpressionsLexer.MINUS ->
                                1;
                        // an operator whose AND is none
                        case ExpressionsLexer.BETWEEN -> 0;
                        case ExpressionsLexer.OPEN -> previous == ExpressionsLexer.NAME ? 1 : 0;
                        default -> 0;
                    };
            previous = token.getType();
        }
        if (operators > limits.operators()) {
            throw kind.invalid(ExpressionMessages.TOO_MANY_OPERATORS, operators);
        }
    }

    /** Refuses a pair of parentheses around nothing but another pair. */
    private void requireNoRedundantParentheses() {
        List<Token> all = tokens.getTokens();
        Deque<Integer> open = new ArrayDeque<>();
        int closedOpen = -1;
        for (int at = 0; at < all.size(); at++) {
            int type = all.get(at).getType();
            if (type == ExpressionsLexer.OPEN) {
                open.push(at);
            } else if (type == ExpressionsLexer.CLOSE) {
                int opened = open.pop();
                boolean adjacent =
                        all.get(at - 1).getType() == ExpressionsLexer.CLOSE
                                && closedOpen == opened + 1;
                if (adjacent && !belongsToWord(all, opened)) {
                    throw kind.invalid(ExpressionMessages.REDUNDANT_PARENTHESES);
                }
                closedOpen = opened;
            }
        }
    }

    private static boolean belongsToWord(List<Token> all, int open) {
        if (open == 0) {
            return false;
        }
        int before = all.get(open - 1).getType();
        return before == ExpressionsLexer.NAME || before == ExpressionsLexer.IN;
    }
}
