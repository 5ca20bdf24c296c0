package dev.tidemark.model.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTest {

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "00042, 42",
        "1.0, 1",
        "1.5E2, 150",
        "-0, 0",
        "-0.000, 0",
        "+5, 5",
        "1e3, 1000",
        "0.10, 0.1",
        ".5, 0.5",
        "5., 5",
        "123.4500E-2, 1.2345",
        "-1.20e1, -12",
        "100, 100",
        "0e999999999999, 0",
        "99999999999999999999999999999999999999, 99999999999999999999999999999999999999",
        "0.00000000000000000000000000000000000001, 0.00000000000000000000000000000000000001",
    })
    void equalNumbersHaveOneText(String text, String canonical) {
        assertThat(Decimal.parse(text).text()).isEqualTo(canonical);
    }

    @Test
    void theEdgesOfTheRangeAreKept() {
        assertThat(Decimal.parse("1E100").text()).isEqualTo("1" + "0".repeat(100));
        assertThat(Decimal.parse("9.9999999999999999999999999999999999999E+125").text())
                .isEqualTo("9".repeat(38) + "0".repeat(88));
        assertThat(Decimal.parse("-1E-130").text()).isEqualTo("-0." + "0".repeat(129) + "1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1E126", "-1E126", "10E125", "1e999999999999"})
    void tooLargeAMagnitudeIsRefused(String text) {
        assertThatThrownBy(() -> Decimal.parse(text))
                .isInstanceOf(InvalidNumberException.class)
                .hasMessage(
                        "Number overflow. Attempting to store a number with magnitude larger than supported range");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1E-131", "-0.1E-130", "1e-999999999999"})
    void tooSmallAMagnitudeIsRefused(String text) {
        assertThatThrownBy(() -> Decimal.parse(text))
                .isInstanceOf(InvalidNumberException.class)
                .hasMessage(
                        "Number underflow. Attempting to store a number with magnitude smaller than supported range");
    }

    @Test
    void moreThan38SignificantDigitsAreRefused() {
        assertThatThrownBy(() -> Decimal.parse("1" + "0".repeat(37) + "1"))
                .isInstanceOf(InvalidNumberException.class)
                .hasMessage("Attempting to store more than 38 significant digits in a Number");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " 1",
                "1 ",
                "NaN",
                "Infinity",
                "0x1",
                "1e",
                "1e+",
                "--1",
                "1.2.3",
                "e5",
                ".",
                "-",
                "١"
            })
    void whatIsNoNumberIsRefused(String text) {
        assertThatThrownBy(() -> Decimal.parse(text))
                .isInstanceOf(InvalidNumberException.class)
                .hasMessageStartingWith("The parameter cannot be converted to a numeric value");
    }

    @Test
    void hugeTextCostsLittle() {
        assertThat(Decimal.parse("0".repeat(2_000_000) + "7." + "0".repeat(2_000_000)).text())
                .isEqualTo("7");
    }

    @ParameterizedTest(name = "{0} takes {1} bytes")
    @CsvSource({
        "0, 1",
        "1, 2",
        "12, 2",
        "123, 3",
        "-1, 3",
        "1000, 2",
        "1.5, 3",
        "0.001, 2",
        "100.25, 4",
        "-12.34, 4"
    })
    void sizeCountsADigitPairAsAByte(String text, int size) {
        assertThat(Decimal.parse(text).size()).isEqualTo(size);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 42, 0xC0FFEE})
    void parsingAgreesWithBigDecimal(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 5_000; round++) {
            BigDecimal value =
                    new BigDecimal(
                            new BigInteger(1 + random.nextInt(120), random)
                                    .multiply(BigInteger.valueOf(random.nextBoolean() ? 1 : -1)),
                            random.nextInt(160) - 80);
            Decimal parsed = Decimal.parse(value.toString());
            assertThat(parsed.toBigDecimal()).isEqualByComparingTo(value);
            assertThat(Decimal.parse(value.toPlainString())).isEqualTo(parsed);
            assertThat(Decimal.parse(value.toEngineeringString())).isEqualTo(parsed);
            assertThat(Decimal.parse(parsed.text())).isEqualTo(parsed);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 42, 0xC0FFEE})
    void orderAgreesWithBigDecimal(long seed) {
        Random random = new Random(seed);
        List<Decimal> numbers = new ArrayList<>();
        for (int made = 0; made < 300; made++) {
            BigInteger digits = new BigInteger(random.nextInt(16) == 0 ? 120 : 10, random);
            BigDecimal number = new BigDecimal(digits, random.nextInt(12) - 6);
            numbers.add(Decimal.of(random.nextBoolean() ? number : number.negate()));
        }
        for (Decimal one : numbers) {
            for (Decimal two : numbers) {
                assertThat(Integer.signum(one.compareTo(two)))
                        .as("%s against %s", one, two)
                        .isEqualTo(one.toBigDecimal().compareTo(two.toBigDecimal()));
            }
        }
    }

    @Test
    void arithmeticIsExactOrRefused() {
        assertThat(Decimal.parse("0.1").plus(Decimal.parse("0.2")).text()).isEqualTo("0.3");
        assertThat(Decimal.parse("1").minus(Decimal.parse("1.0")).text()).isEqualTo("0");
        assertThatThrownBy(() -> Decimal.parse("1E100").plus(Decimal.parse("1")))
                .isInstanceOf(InvalidNumberException.class);
    }
}
