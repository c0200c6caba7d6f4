package dev.tilewright.emulator.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.execute.Reference.Exact;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every operation that PTX rounds as IEEE 754 says, in every rounding, bit by bit against exact numbers. */
class ExactFloatsTest {
    private static final int CASES = 500;
    private static final Map<String, RoundingMode> MODES = Map.of(
            "rn",
            RoundingMode.HALF_EVEN,
            "rz",
            RoundingMode.DOWN,
            "rm",
            RoundingMode.FLOOR,
            "rp",
            RoundingMode.CEILING);

    @FunctionalInterface
    private interface Operation {
        Exact of(Exact a, Exact b, Exact c);
    }

    private static final Map<String, Operation> OPERATIONS = Map.of(
            "add", (a, b, c) -> a.plus(b),
            "sub", (a, b, c) -> a.plus(b.negated()),
            "mul", (a, b, c) -> a.times(b),
            "div", (a, b, c) -> a.by(b),
            "fma", (a, b, c) -> a.times(b).plus(c),
            "sqrt", (a, b, c) -> a.root(),
            "rcp", (a, b, c) -> Reference.ONE.by(a));

    static Stream<Arguments> wide() {
        return OPERATIONS.keySet().stream()
                .sorted()
                .flatMap(operation -> MODES.keySet().stream()
                        .sorted()
                        .flatMap(mode -> Stream.of(
                                Arguments.of(operation, mode, "f32", Reference.F32),
                                Arguments.of(operation, mode, "f64", Reference.F64))));
    }

    static Stream<Arguments> halves() {
        return Stream.of("add", "sub", "mul", "fma")
                .flatMap(operation -> Stream.of(
                        Arguments.of(operation, "rn", "f16", Reference.F16),
                        Arguments.of(operation, "rn", "bf16", Reference.BF16)));
    }

    @ParameterizedTest(name = "{0}.{1}.{2}")
    @MethodSource({"wide", "halves"})
    void agreesWithExactNumbers(String operation, String mode, String type, Reference format) {
        Random random = new Random(operation.hashCode() * 31L + mode.hashCode() * 7L + type.hashCode());
        long[] a = new long[CASES];
        long[] b = new long[CASES];
        long[] c = new long[CASES];
        for (int i = 0; i < CASES; i++) {
            a[i] = format.random(random);
            b[i] = format.random(random);
            c[i] = format.random(random);
            if (operation.equals("sqrt")) {
                a[i] &= Long.MAX_VALUE >>> 64 - format.bits();
            }
        }
        String register =
                Map.of("f32", "%f", "f64", "%d", "f16", "%h", "bf16", "%h").get(type);
        int operands = operation.equals("fma") ? 3 : operation.equals("sqrt") || operation.equals("rcp") ? 1 : 2;
        StringBuilder text = new StringBuilder(operation + "." + mode + "." + type + " " + register + "4");
        for (int i = 1; i <= operands; i++) {
            text.append(", ").append(register).append(i);
        }
        long[] results = OneInstruction.run(text + ";", register + "4", a, b, c);
        int compared = 0;
        for (int i = 0; i < CASES; i++) {
            Exact x = format.value(a[i]);
            Exact y = format.value(b[i]);
            Exact divisor = operation.equals("div") ? y : operation.equals("rcp") ? x : Reference.ONE;
            if (divisor.whole().signum() == 0) {
                continue;
            }
            Exact exact = OPERATIONS.get(operation).of(x, y, format.value(c[i]));
            if (exact.whole().signum() == 0) {
                assertThat(format.value(results[i]).whole()).isZero();
                continue;
            }
            long expected = format.round(exact, MODES.get(mode));
            assertThat(Long.toHexString(results[i]))
                    .as("%s of %x, %x, %x", text, a[i], b[i], c[i])
                    .isEqualTo(Long.toHexString(expected));
            compared++;
        }
        assertThat(compared).isGreaterThan(CASES / 2);
    }
}
