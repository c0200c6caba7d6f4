package dev.tilewright.space.family;

import static dev.tilewright.space.family.GemmRules.when;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.Parameter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Types and layouts of A, B and D in {@code sm90-gemm}. They are the problem's, but the text depends on them: a config
 * says each that is not bf16 or not K-major, by a parameter with one value.
 *
 * @param a type of A
 * @param b type of B; another than A's only where both have 8 bits
 * @param d type of D, which is row-major
 * @param majorA k or m
 * @param majorB k or n
 */
public record Sm90Operands(DataType a, DataType b, DataType d, Major majorA, Major majorB) {

    static final List<DataType> INPUTS = List.of(DataType.BF16, DataType.F16, DataType.E4M3, DataType.E5M2);
    static final List<DataType> OUTPUTS = List.of(DataType.BF16, DataType.F16, DataType.F32);

    /** What a config means that says nothing. */
    static final Sm90Operands DEFAULT = new Sm90Operands(DataType.BF16, DataType.BF16, DataType.BF16, Major.K, Major.K);

    private static final String TYPE_A = "typeA";
    private static final String TYPE_B = "typeB";
    private static final String TYPE_D = "typeD";
    private static final String MAJOR_A = "majorA";
    private static final String MAJOR_B = "majorB";

    /** Spans of a swizzle in bytes. */
    private static final List<Integer> SPANS = List.of(32, 64, 128);

    /** A warpgroup writes its panels by 16 columns at a time, or more. */
    private static final int FEWEST_PANEL_COLUMNS = 16;

    /** Bytes of a row of A or B that one wgmma multiplies. */
    private static final int MMA_BYTES = 32;

    /** @throws IllegalArgumentException naming the value and the rule if no wgmma multiplies it */
    public Sm90Operands {
        refusal(new OperandTypes(a, b, d), new OperandMajors(majorA, majorB, Major.N))
                .ifPresent(reason -> {
                    throw new IllegalArgumentException(reason);
                });
    }

    /** Those of a problem that the family computes. */
    static Sm90Operands of(Problem problem) {
        return new Sm90Operands(
                problem.types().a(),
                problem.types().b(),
                problem.types().d(),
                problem.major().a(),
                problem.major().b());
    }

    /**
     * Those that a config says.
     *
     * @throws IllegalArgumentException if it says an unknown type or layout, or what no wgmma multiplies
     */
    static Sm90Operands of(Config config) {
        return new Sm90Operands(
                type(config, TYPE_A),
                type(config, TYPE_B),
                type(config, TYPE_D),
                major(config, MAJOR_A, Major.M),
                major(config, MAJOR_B, Major.N));
    }

    private static DataType type(Config config, String parameter) {
        return config.has(parameter) ? DataType.parse(config.name(parameter)) : DataType.BF16;
    }

    private static Major major(Config config, String parameter, Major other) {
        String name = config.has(parameter) ? config.name(parameter) : Major.K.toString();
        for (Major major : List.of(Major.K, other)) {
            if (major.toString().equals(name)) {
                return major;
            }
        }
        throw new IllegalArgumentException(parameter + " must be k or " + other + ", got '" + name + "'");
    }

    /** Why the family does not multiply these; empty if it does. */
    static Optional<String> refusal(OperandTypes types, OperandMajors majors) {
        String family = Sm90GemmSpace.FAMILY;
        Supplier<String> given =
                () -> "types a = " + types.a() + ", b = " + types.b() + ", d = " + types.d() + ": " + family;
        return when(
                        !INPUTS.contains(types.a()) || !INPUTS.contains(types.b()),
                        () -> given.get() + " takes one of " + INPUTS + " for a and b")
                .or(() -> when(
                        types.a() != types.b() && !(eight(types.a()) && eight(types.b())),
                        () -> given.get() + " takes two types for a and b only where both are of e4m3 and e5m2"))
                .or(() -> when(!OUTPUTS.contains(types.d()), () -> given.get() + " takes one of " + OUTPUTS + " for d"))
                .or(() -> when(
                        majors.d() != Major.N,
                        () -> "major d = " + majors.d() + ": " + family + " stores D row-major, so d must be n"))
                .or(() -> refuseEight("a", types.a(), majors.a()))
                .or(() -> refuseEight("b", types.b(), majors.b()));
    }

    private static Optional<String> refuseEight(String operand, DataType type, Major major) {
        return when(
                eight(type) && major != Major.K,
                () -> "major " + operand + " = " + major + " with type " + type + ": " + Sm90GemmSpace.FAMILY
                        + " takes " + operand + " = k, for wgmma reads operands of 8 bits K-major alone");
    }

    private static boolean eight(DataType type) {
        return type.bytes() == 1;
    }

    /** The parameters that say these, each with one value; none where nothing need be said. */
    Stream<Parameter> parameters() {
        return Stream.of(
                        parameter(TYPE_A, a, DEFAULT.a),
                        parameter(TYPE_B, b, DEFAULT.b),
                        parameter(TYPE_D, d, DEFAULT.d),
                        parameter(MAJOR_A, majorA, DEFAULT.majorA),
                        parameter(MAJOR_B, majorB, DEFAULT.majorB))
                .flatMap(Optional::stream);
    }

    private static Optional<Parameter> parameter(String name, Enum<?> value, Enum<?> unsaid) {
        return value == unsaid
                ? Optional.empty()
                : Optional.of(Parameter.text(name, value.name().toLowerCase(Locale.ROOT)));
    }

    /** Bytes of an element of A or B. */
    public int inputBytes() {
        return a.bytes();
    }

    /** Bytes of an element of D. */
    public int outputBytes() {
        return d.bytes();
    }

    /** Widths of a panel of D, each as wide as a swizzle. */
    List<Integer> panelColumns() {
        return SPANS.stream()
                .map(span -> span / outputBytes())
                .filter(this::isPanel)
                .toList();
    }

    /** Whether a panel of D may have so many columns. */
    boolean isPanel(int columns) {
        return columns >= FEWEST_PANEL_COLUMNS && SPANS.contains(columns * outputBytes());
    }

    /** Elements of K that one wgmma multiplies. */
    public int mmaK() {
        return MMA_BYTES / inputBytes();
    }

    /** Whether the product is multiplied with a scale before it is stored: the inputs have 8 bits. */
    public boolean scaled() {
        return eight(a);
    }

    /** Whether rows of A and of B lie along K. */
    boolean bothKMajor() {
        return majorA == Major.K && majorB == Major.K;
    }

    /** Whether rows of A or B lie along K, so that a swizzle spans them. */
    boolean anyKMajor() {
        return majorA == Major.K || majorB == Major.K;
    }
}
