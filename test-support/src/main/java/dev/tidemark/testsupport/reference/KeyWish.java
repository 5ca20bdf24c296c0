package dev.tidemark.testsupport.reference;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.key.KeyAttribute;
import java.util.List;

/** What a Query asks of one sort attribute. */
public sealed interface KeyWish {

    /** Returns whether a value of the attribute's type is wanted. */
    boolean admits(AttributeValue value);

    /** Returns the wish as an expression has it. */
    String text(KeyAttribute attribute, Wording wording);

    /** Any relation but NE, with the operand on this or that side. */
    record Related(Relation relation, AttributeValue operand, boolean turned) implements KeyWish {
        @Override
        public boolean admits(AttributeValue value) {
            return relation.holdsFor(value, operand);
        }

        @Override
        public String text(KeyAttribute attribute, Wording wording) {
            String name = wording.name(attribute.name());
            String value = wording.value(operand);
            return turned
                    ? value + wording.gap() + relation.turned().symbol() + wording.gap() + name
                    : name + wording.gap() + relation.symbol() + wording.gap() + value;
        }
    }

    /** From one value to another. */
    record Between(AttributeValue low, AttributeValue high) implements KeyWish {
        @Override
        public boolean admits(AttributeValue value) {
            return Relation.GE.holdsFor(value, low) && Relation.LE.holdsFor(value, high);
        }

        @Override
        public String text(KeyAttribute attribute, Wording wording) {
            return String.join(
                    " ",
                    List.of(
                            wording.name(attribute.name()),
                            wording.keyword("BETWEEN"),
                            wording.value(low),
                            wording.keyword("AND"),
                            wording.value(high)));
        }
    }

    /** Strings or binaries that begin so. */
    record BeginsWith(AttributeValue start) implements KeyWish {
        @Override
        public boolean admits(AttributeValue value) {
            return Relation.beginsWith(value, start);
        }

        @Override
        public String text(KeyAttribute attribute, Wording wording) {
            return "begins_with("
                    + wording.name(attribute.name())
                    + ", "
                    + wording.value(start)
                    + ")";
        }
    }
}
