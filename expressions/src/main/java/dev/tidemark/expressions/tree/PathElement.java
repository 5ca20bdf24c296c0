package dev.tidemark.expressions.tree;

/** One step of a document path. */
public sealed interface PathElement {

    /** A step to the attribute or map entry of this name. */
    record Name(String name) implements PathElement {
        @Override
        public String toString() {
            return name;
        }
    }

    /** A step to the attribute or map entry whose name {@code placeholder} stands for. */
    record Alias(String placeholder) implements PathElement {
        @Override
        public String toString() {
            return placeholder;
        }
    }

    /** A step to the element of a list, the first being 0. */
    record Index(int index) implements PathElement {
        @Override
        public String toString() {
            return "[" + index + "]";
        }
    }
}
