package dev.tilewright.space.sm90;

import static dev.tilewright.space.gemm.GemmRules.when;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.gemm.GemmSpace;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Types, layouts and scales of A, B and D in {@code sm90-gemm}, and its epilogue. They are the problem's, but the text
 * depends on them: a config says each that is not bf16 or not K-major, by a parameter with one value.
 *
 * @param types of A and B two only where both have 8 bits
 * @param majors of D always n: it is row-major
 * @param scales which inputs of 8 bits share a scale
 * @param epilogue what is done to the scaled sums before they are stored
 */
public record Sm90Operands(OperandTypes types, OperandMajors majors, Scales scales, Epilogue epilogue) {

    static final List<DataType> INPUTS = List.of(DataType.BF16, DataType.F16, DataType.E4M3, DataType.E5M2);
    static final List<DataType> OUTPUTS = List.of(DataType.BF16, DataType.F16, DataType.F32);

    /** The operands of a config that names none. */
    static final Sm90Operands DEFAULT =
            new Sm90Operands(OperandTypes.of(DataType.BF16), OperandMajors.DEFAULT, Scales.TENSOR, Epilogue.NONE);

    private static final String TYPE_A = "typeA";
    private static final String TYPE_B = "typeB";
    private static final String TYPE_D = "typeD";
    private static final String MAJOR_A = "majorA";
    private static final String MAJOR_B = "majorB";

    /** The parameters that the problem decides. */
    static final Set<String> NAMES =
            Set.of(TYPE_A, TYPE_B, TYPE_D, MAJOR_A, MAJOR_B, GemmSpace.SCALES.name(), GemmSpace.EPILOGUE.name());

    /** Spans of a swizzle in bytes. */
    private static final List<Integer> SPANS = List.of(32, 64, 128);

    /** A warpgroup writes its panels by 16 columns at a time, or more. */
    private static final int FEWEST_PANEL_COLUMNS = 16;

    /** Bytes of the elements that stmatrix stores. */
    private static final int SWAPPED_OUTPUT_BYTES = 2;

    /** Bytes of a row of A or B that one wgmma multiplies. */
    private static final int MMA_BYTES = 32;

    /** @throws IllegalArgumentException naming the value and the rule if no wgmma multiplies it */
    public Sm90Operands {
        refusal(types, majors, scales).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
    }

    /** The operands of a problem that the family computes. */
    public static Sm90Operands of(Problem problem) {
        return new Sm90Operands(problem.types(), problem.major(), problem.scales(), problem.epilogue());
    }

    /**
     * The operands that a config names.
     *
     * @throws IllegalArgumentException if it says an unknown type or layout, or what no wgmma multiplies
     */
    static Sm90Operands of(Config config) {
        return new Sm90Operands(
                new OperandTypes(type(config, TYPE_A), type(config, TYPE_B), type(config, TYPE_D)),
                new OperandMajors(
                        major(config, MAJOR_A, OperandRole.A), major(config, MAJOR_B, OperandRole.B), Major.N),
                GemmSpace.SCALES.of(config),
                GemmSpace.EPILOGUE.of(config));
    }

    private static DataType type(Config config, String parameter) {
        return config.has(parameter) ? DataType.parse(config.name(parameter)) : DataType.BF16;
    }

    private static Major major(Config config, String parameter, OperandRole role) {
        Major other = role.rows();
        String name = config.has(parameter) ? config.name(parameter) : Major.K.toString();
        for (Major major : List.of(Major.K, other)) {
            if (major.toString().equals(name)) {
                return major;
            }
        }
        throw new IllegalArgumentException(parameter + " must be k or " + other + ", got '" + name + "'");
    }

    /** Why the family does not multiply these; empty if it does. */
    static Optional<String> refusal(OperandTypes types, OperandMajors majors, Scales scales) {
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
                .or(() -> refuseEight("b", types.b(), majors.b()))
                .or(() -> scales.refusal(types));
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
                        parameter(TYPE_A, types.a(), DEFAULT.types.a()),
                        parameter(TYPE_B, types.b(), DEFAULT.types.b()),
                        parameter(TYPE_D, types.d(), DEFAULT.types.d()),
                        parameter(MAJOR_A, majors.a(), DEFAULT.majors.a()),
                        parameter(MAJOR_B, majors.b(), DEFAULT.majors.b()),
                        parameter(GemmSpace.SCALES.name(), scales, DEFAULT.scales),
                        epilogue.isNone()
                                ? Optional.<Parameter>empty()
                                : Optional.of(GemmSpace.EPILOGUE.text(epilogue)))
                .flatMap(Optional::stream);
    }

    /** The types and layouts that need not be said, each with the one value that its absence means. */
    Stream<Parameter> unsaid() {
        return Stream.of(
                        unsaid(TYPE_A, types.a(), DEFAULT.types.a()),
                        unsaid(TYPE_B, types.b(), DEFAULT.types.b()),
                        unsaid(TYPE_D, types.d(), DEFAULT.types.d()),
                        unsaid(MAJOR_A, majors.a(), DEFAULT.majors.a()),
                        unsaid(MAJOR_B, majors.b(), DEFAULT.majors.b()))
                .flatMap(Optional::stream);
    }

    private static Optional<Parameter> unsaid(String name, Enum<?> value, Enum<?> unsaid) {
        String text = value.name().toLowerCase(Locale.ROOT);
        return value == unsaid ? Optional.of(Parameter.text(name, text).or(ParameterValue.of(text))) : Optional.empty();
    }

    private static Optional<Parameter> parameter(String name, Enum<?> value, Enum<?> unsaid) {
        return value == unsaid
                ? Optional.empty()
                : Optional.of(Parameter.text(name, value.name().toLowerCase(Locale.ROOT)));
    }

    /** Bytes of an element of A or B. */
    public int inputBytes() {
        return types.a().bytes();
    }

    /** Bytes of an element of D. */
    public int outputBytes() {
        return types.d().bytes();
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

    /** Whether the product is multiplied with the scale of tensors before it is stored: the inputs have 8 bits. */
    public boolean scaled() {
        return eight(types.a()) && scales == Scales.TENSOR;
    }

    /** Whether rows of A and of B lie along K. */
    private boolean bothKMajor() {
        return Stream.of(OperandRole.values()).allMatch(this::kMajor);
    }

    /** Whether blocks of 128 along K have scales of their own, so that sums are promoted block by block. */
    public boolean blockScaled() {
        return scales == Scales.BLOCK;
    }

    /** Whether A and B can change places: panels are stored transposed, of 16 bits; no other layout is tried. */
    boolean swappable() {
        return outputBytes() == SWAPPED_OUTPUT_BYTES && bothKMajor();
    }

    /** Whether rows of A or B lie along K, so that a swizzle spans them. */
    boolean anyKMajor() {
        return Stream.of(OperandRole.values()).anyMatch(this::kMajor);
    }

    /** Whether rows of an operand lie along K. */
    boolean kMajor(OperandRole role) {
        return majors.of(role) == Major.K;
    }
}
