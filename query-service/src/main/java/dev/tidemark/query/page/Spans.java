package dev.tidemark.query.page;

import dev.tidemark.expressions.KeyRange;
import dev.tidemark.expressions.SortBound;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.key.KeyBytes;
import dev.tidemark.model.key.KeyEncoding;
import dev.tidemark.query.read.KeySpan;

/** Which storage keys a condition or a segment covers. */
final class Spans {

    private Spans() {}

    /** Returns the entries a key condition wants. */
    static KeySpan of(Source source, KeyRange range) {
        byte[] prefix = source.prefix(range.partitionValues());
        for (AttributeValue value : range.sortEquals()) {
            prefix = followedBy(prefix, value);
        }
        if (range.bound().isEmpty()) {
            return KeySpan.between(prefix, KeyBytes.successor(prefix));
        }
        SortBound bound = range.bound().get();
        AttributeValue operand = bound.operands().get(0);
        byte[] end = KeyBytes.successor(prefix);
        return switch (bound.operator()) {
            case EQ -> wholeOf(followedBy(prefix, operand));
            case LT -> KeySpan.between(prefix, followedBy(prefix, operand));
            case LE -> KeySpan.between(prefix, KeyBytes.successor(followedBy(prefix, operand)));
            case GT -> KeySpan.between(KeyBytes.successor(followedBy(prefix, operand)), end);
            case GE -> KeySpan.between(followedBy(prefix, operand), end);
            case BETWEEN ->
                    KeySpan.between(
                            followedBy(prefix, operand),
                            KeyBytes.successor(followedBy(prefix, bound.operands().get(1))));
            case BEGINS_WITH -> wholeOf(begunBy(prefix, operand));
        };
    }

    /** Returns the entries whose hash is from {@code low} to before {@code high}. */
    static KeySpan ofHashes(Source source, int low, int high) {
        return KeySpan.between(source.hashStart(low), source.hashStart(high));
    }

    private static KeySpan wholeOf(byte[] prefix) {
        return KeySpan.between(prefix, KeyBytes.successor(prefix));
    }

    private static byte[] followedBy(byte[] prefix, AttributeValue value) {
        KeyBytes out = new KeyBytes(prefix.length + 32);
        out.put(prefix);
        KeyEncoding.write(value, out);
        return out.toByteArray();
    }

    private static byte[] begunBy(byte[] prefix, AttributeValue start) {
        KeyBytes out = new KeyBytes(prefix.length + 32);
        out.put(prefix);
        KeyEncoding.writePrefix(start, out);
        return out.toByteArray();
    }
}
