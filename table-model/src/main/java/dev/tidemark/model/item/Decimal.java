package dev.tidemark.model.item;

import java.math.BigDecimal;

/**
 * A DynamoDB number: at most 38 significant digits, magnitude zero or 1E-130 to 9.99...E125.
 *
 * <p>Equal numbers have equal canonical text (plain notation, no superfluous zeros or sign), so
 * 1E3, 1000.0 and +1000 are one value. Immutable.
 */
public final class Decimal implements Comparable<Decimal> {

    public static final Decimal ZERO = new Decimal("0");

    private static final int MAX_DIGITS = 38;
    private static final int MAX_EXPONENT = 125;
    private static final int MIN_EXPONENT = -130;
    private static final long EXPONENT_BOUND = 1_000_000_000L;

    /** Canonical: {@code -?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?}, never "-0". */
    private final String text;

    private Decimal(String text) {
        this.text = text;
    }

    /**
     * Returns the number that {@code text} denotes, in plain or exponent notation.
     *
     * @throws InvalidNumberException if it denotes none, has more than 38 significant digits, or is
     *     out of range
     */
    public static Decimal parse(String text) {
        return isCanonical(text) ? new Decimal(text) : normalise(text);
    }

    /** Returns {@code value} as a number. */
    public static Decimal of(long value) {
        return new Decimal(Long.toString(value));
    }

    /**
     * Returns {@code value} as a number.
     *
     * @throws InvalidNumberException if it has more than 38 significant digits or is out of range
     */
    public static Decimal of(BigDecimal value) {
        return parse(value.toString());
    }

    /** Returns the canonical text. */
    public String text() {
        return text;
    }

    public boolean isNegative() {
        return text.charAt(0) == '-';
    }

    public boolean isZero() {
        return text.equals("0");
    }

    public BigDecimal toBigDecimal() {
        return new BigDecimal(text);
    }

    /**
     * Returns the exact sum.
     *
     * @throws InvalidNumberException if the sum is out of range or needs more than 38 digits
     */
    public Decimal plus(Decimal other) {
        return result(toBigDecimal().add(other.toBigDecimal()));
    }

    /**
     * Returns the exact difference.
     *
     * @throws InvalidNumberException if the difference is out of range or needs more than 38 digits
     */
    public Decimal minus(Decimal other) {
        return result(toBigDecimal().subtract(other.toBigDecimal()));
    }

    /**
     * Returns the size in bytes by DynamoDB's arithmetic: one, a byte for two digits, one more for
     * a sign.
     */
    public int size() {
        if (isZero()) {
            return 1;
        }
        int start = isNegative() ? 1 : 0;
        int point = text.indexOf('.');
        int end = point < 0 ? text.length() : point;
        int whole = end - start;
        if (whole == 1 && text.charAt(start) == '0') {
            whole = 0;
        } else if (point < 0) {
            while (text.charAt(start + whole - 1) == '0') {
                whole--;
            }
        }
        int fraction = 0;
        if (point >= 0) {
            int first = point + 1;
            if (whole == 0) {
                while (text.charAt(first) == '0') {
                    first++;
                }
            }
            fraction = text.length() - first;
        }
        return 1 + (whole + 1) / 2 + (fraction + 1) / 2 + start;
    }

    @Override
    public int compareTo(Decimal other) {
        boolean negative = isNegative();
        if (negative != other.isNegative()) {
            return negative ? -1 : 1;
        }
        return negative
                ? compareMagnitudes(other.text, text, 1)
                : compareMagnitudes(text, other.text, 0);
    }

    /** Compares what follows the first {@code from} characters of two canonical texts. */
    private static int compareMagnitudes(String left, String right, int from) {
        int leftWhole = left.indexOf('.');
        int rightWhole = right.indexOf('.');
        int longer =
                (leftWhole < 0 ? left.length() : leftWhole)
                        - (rightWhole < 0 ? right.length() : rightWhole);
        if (longer != 0) {
            return longer;
        }
        int shared = Math.min(left.length(), right.length());
        for (int at = from; at < shared; at++) {
            int difference = left.charAt(at) - right.charAt(at);
            if (difference != 0) {
                return difference;
            }
        }
        return left.length() - right.length();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Decimal decimal && text.equals(decimal.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }

    /** Returns what came of a calculation; DynamoDB calls one that needs more digits too large. */
    private static Decimal result(BigDecimal value) {
        if (value.stripTrailingZeros().precision() > MAX_DIGITS) {
            throw overflow();
        }
        return of(value);
    }

    private static boolean isCanonical(String text) {
        int length = text.length();
        int at = length > 0 && text.charAt(0) == '-' ? 1 : 0;
        int start = at;
        while (at < length && isDigit(text.charAt(at))) {
            at++;
        }
        int whole = at - start;
        if (whole == 0 || (whole > 1 && text.charAt(start) == '0')) {
            return false;
        }
        int digits = whole;
        if (at < length) {
            if (text.charAt(at) != '.') {
                return false;
            }
            int first = at + 1;
            for (at = first; at < length; at++) {
                if (!isDigit(text.charAt(at))) {
                    return false;
                }
            }
            if (at == first || text.charAt(length - 1) == '0') {
                return false;
            }
            digits += at - first;
        } else if (start == 1 && text.charAt(1) == '0') {
            return false;
        }
        return digits <= MAX_DIGITS;
    }

    private static Decimal normalise(String text) {
        int at = 0;
        int length = text.length();
        boolean negative = false;
        if (at < length && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
            negative = text.charAt(at) == '-';
            at++;
        }
        StringBuilder digits = new StringBuilder();
        long scale = 0;
        long zeros = 0;
        int seen = 0;
        boolean point = false;
        for (; at < length; at++) {
            char c = text.charAt(at);
            if (c == '.' && !point) {
                point = true;
            } else if (isDigit(c)) {
                seen++;
                scale += point ? 1 : 0;
                if (c == '0') {
                    zeros += digits.length() == 0 ? 0 : 1;
                } else {
                    for (; zeros > 0 && digits.length() <= MAX_DIGITS; zeros--) {
                        digits.append('0');
                    }
                    zeros = 0;
                    if (digits.length() <= MAX_DIGITS) {
                        digits.append(c);
                    }
                }
            } else {
                break;
            }
        }
        long exponent = at < length ? exponent(text, at) : 0;
        if (seen == 0) {
            throw notNumeric(text);
        }
        if (digits.length() == 0) {
            return ZERO;
        }
        if (digits.length() > MAX_DIGITS) {
            throw new InvalidNumberException(
                    "Attempting to store more than 38 significant digits in a Number");
        }
        // value = digits * 10^lowest ; the first digit stands at 10^highest
        long lowest = zeros - scale + exponent;
        long highest = lowest + digits.length() - 1;
        if (highest > MAX_EXPONENT) {
            throw overflow();
        }
        if (highest < MIN_EXPONENT) {
            throw new InvalidNumberException(
                    "Number underflow. Attempting to store a number with magnitude smaller than supported range");
        }
        return new Decimal(plain(negative, digits, (int) lowest));
    }

    private static String plain(boolean negative, StringBuilder digits, int lowest) {
        StringBuilder plain = new StringBuilder(digits.length() + 8);
        if (negative) {
            plain.append('-');
        }
        if (lowest >= 0) {
            return plain.append(digits).append("0".repeat(lowest)).toString();
        }
        int whole = digits.length() + lowest;
        if (whole <= 0) {
            return plain.append("0.").append("0".repeat(-whole)).append(digits).toString();
        }
        return plain.append(digits, 0, whole)
                .append('.')
                .append(digits, whole, digits.length())
                .toString();
    }

    private static long exponent(String text, int from) {
        int at = from;
        char e = text.charAt(at);
        if (e != 'e' && e != 'E') {
            throw notNumeric(text);
        }
        at++;
        boolean negative = false;
        if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
            negative = text.charAt(at) == '-';
            at++;
        }
        if (at == text.length()) {
            throw notNumeric(text);
        }
        long exponent = 0;
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (!isDigit(c)) {
                throw notNumeric(text);
            }
            exponent = Math.min(EXPONENT_BOUND, exponent * 10 + (c - '0'));
        }
        return negative ? -exponent : exponent;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static InvalidNumberException overflow() {
        return new InvalidNumberException(
                "Number overflow. Attempting to store a number with magnitude larger than supported range");
    }

    private static InvalidNumberException notNumeric(String text) {
        String shown = text.length() > 64 ? text.substring(0, 64) : text;
        return new InvalidNumberException(
                text.isEmpty()
                        ? "The parameter cannot be converted to a numeric value"
                        : "The parameter cannot be converted to a numeric value: " + shown);
    }
}
