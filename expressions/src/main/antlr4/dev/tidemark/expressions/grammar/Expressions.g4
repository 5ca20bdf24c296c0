// DynamoDB's expression language. Every decision needs at most two tokens of look-ahead: parentheses around
// a condition and around an operand are one rule, told apart when the typed tree is built.
grammar Expressions;

conditionExpression : condition EOF ;
projectionExpression : path (COMMA path)* EOF ;
updateExpression : section+ EOF ;

condition : conjunction (OR conjunction)* ;
conjunction : negation (AND negation)* ;
negation : NOT* predicate ;
predicate : operand test? ;
test
    : comparator operand                                                # comparison
    | BETWEEN operand AND operand                                       # between
    | IN OPEN operand (COMMA operand)* CLOSE                            # in
    ;
comparator : EQ | NE | LT | LE | GT | GE ;
operand
    : NAME OPEN (operand (COMMA operand)*)? CLOSE                       # function
    | path                                                              # pathOperand
    | VALUE                                                             # valueOperand
    | OPEN condition CLOSE                                              # parentheses
    ;

section
    : SET assignment (COMMA assignment)*                                # setSection
    | REMOVE path (COMMA path)*                                         # removeSection
    | ADD change (COMMA change)*                                        # addSection
    | DELETE change (COMMA change)*                                     # deleteSection
    ;
assignment : path EQ sum ;
change : path VALUE ;
sum : term ((PLUS | MINUS) term)? ;
term
    : NAME OPEN (term (COMMA term)*)? CLOSE                             # termFunction
    | path                                                              # termPath
    | VALUE                                                             # termValue
    | OPEN sum CLOSE                                                    # termParentheses
    ;

path : element (DOT element | LEFT INDEX RIGHT)* ;
element : NAME | ALIAS | SET | REMOVE | ADD | DELETE ;

AND options { caseInsensitive = true; } : 'AND' ;
OR options { caseInsensitive = true; } : 'OR' ;
NOT options { caseInsensitive = true; } : 'NOT' ;
BETWEEN options { caseInsensitive = true; } : 'BETWEEN' ;
IN options { caseInsensitive = true; } : 'IN' ;
SET options { caseInsensitive = true; } : 'SET' ;
REMOVE options { caseInsensitive = true; } : 'REMOVE' ;
ADD options { caseInsensitive = true; } : 'ADD' ;
DELETE options { caseInsensitive = true; } : 'DELETE' ;

NAME : [A-Za-z] [A-Za-z0-9_]* ;
ALIAS : '#' [A-Za-z0-9_]+ ;
VALUE : ':' [A-Za-z0-9_]+ ;
INDEX : [0-9]+ ;

EQ : '=' ;
NE : '<>' ;
LE : '<=' ;
LT : '<' ;
GE : '>=' ;
GT : '>' ;
PLUS : '+' ;
MINUS : '-' ;
OPEN : '(' ;
CLOSE : ')' ;
LEFT : '[' ;
RIGHT : ']' ;
COMMA : ',' ;
DOT : '.' ;

SPACE : [ \t\r\n]+ -> skip ;
OTHER : . ;
