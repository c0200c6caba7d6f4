package dev.tilewright.space.sm100;

import static dev.tilewright.space.gemm.GemmRules.when;
import static dev.tilewright.space.gemm.TypedRule.typed;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.gemm.GemmSpace;
import dev.tilewright.space.gemm.TypedRule;
import dev.tilewright.space.parameter.Key;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The text parameters of {@code sm100-gemm} by type: a plan for each part of the kernel. Two equal values of
 * {@link #of} mean one text. Launch parameters are left out, so that the text cannot depend on them.
 *
 * @param values read as far as somebody asks: a config that a rule is asked about has the parameters of the rule alone
 * @param steps between the scaled sums and D, which are the problem's
 */
public record Sm100Config(Config values, Epilogue steps) {

    /** Rows of D that one CTA computes: all lanes of its tensor memory. */
    public static final int CTA_ROWS = 128;

    /** Warps: load, multiply, scheduler, one that rests, and four of the epilogue, from a multiple of four on. */
    public static final int WARPS = 8;

    static final Key<DataType> INPUT_TYPE = type("inputType");
    static final Key<DataType> OUTPUT_TYPE = type("outputType");

    /** Types that the family multiplies. */
    static final List<DataType> INPUTS = List.of(DataType.BF16, DataType.F16, DataType.E4M3);

    /** Types that the family stores. */
    static final List<DataType> OUTPUTS = List.of(DataType.BF16, DataType.F16, DataType.F32);

    private static final int BARRIER_BYTES = 8;

    private static final int WARP = 32;
    private static final int TENSOR_ADDRESS_BYTES = 16;

    /** All that decide the text, beside the epilogue. */
    static final List<Key<?>> KEYS = Stream.of(
                    SchedulePlan.KEYS,
                    MultiplyPlan.KEYS,
                    LoadPlan.KEYS,
                    EpiloguePlan.KEYS,
                    ClusterPlan.KEYS,
                    List.<Key<?>>of(INPUT_TYPE, OUTPUT_TYPE, GemmSpace.SCALES))
            .flatMap(Collection::stream)
            .toList();

    /** Without them no kernel can be built; each rule once. */
    private static final List<TypedRule<Sm100Config>> RULES = Stream.of(
                    SchedulePlan.rules(),
                    MultiplyPlan.rules(),
                    types(),
                    LoadPlan.rules(),
                    EpiloguePlan.rules(),
                    ClusterPlan.rules())
            .flatMap(rules -> rules)
            .toList();

    private static Key<DataType> type(String name) {
        return new Key<>(
                name,
                value -> DataType.parse(value.toString()),
                type -> ParameterValue.of(type.toString()),
                Optional.empty());
    }

    /**
     * The typed form of a config. What can be built but is not worth trying, or does not fit a device, is for the rules
     * of {@link Sm100GemmSpace} to say.
     *
     * @throws IllegalArgumentException if a parameter is missing, has an unknown name as its value, or a value for
     *     which no kernel can be built
     */
    public static Sm100Config of(Config config) {
        Sm100Config typed = new Sm100Config(Key.only(KEYS, config), GemmSpace.EPILOGUE.of(config));
        TypedRule.require(RULES, typed);
        refusal(typed.scales()).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        return typed;
    }

    /** The rules without which no kernel can be built. */
    public static Stream<TypedRule<Sm100Config>> rules() {
        return RULES.stream();
    }

    private static Stream<TypedRule<Sm100Config>> types() {
        return Stream.of(
                typed("inputs", Sm100Config::unknownInput, INPUT_TYPE),
                typed("outputs", Sm100Config::unknownOutput, OUTPUT_TYPE));
    }

    private static Optional<String> unknownInput(Sm100Config config) {
        DataType type = config.inputType();
        return when(!INPUTS.contains(type), () -> "inputType must be one of " + INPUTS + ", got " + type);
    }

    private static Optional<String> unknownOutput(Sm100Config config) {
        DataType type = config.outputType();
        return when(!OUTPUTS.contains(type), () -> "outputType must be one of " + OUTPUTS + ", got " + type);
    }

    /** Why no kernel has such scales; empty if one has. */
    static Optional<String> refusal(Scales scales) {
        return when(
                scales == Scales.BLOCK,
                () -> "scales = " + scales + ": " + Sm100GemmSpace.FAMILY + " has no mainloop with block scales");
    }

    /** The inputs of 8 bits that share a scale. */
    public Scales scales() {
        return GemmSpace.SCALES.of(values);
    }

    /** How clusters get their tiles. */
    public SchedulePlan schedule() {
        return new SchedulePlan(this);
    }

    /** How CTAs multiply a tile. */
    public MultiplyPlan multiply() {
        return new MultiplyPlan(this);
    }

    /** How stages are loaded. */
    public LoadPlan load() {
        return new LoadPlan(this);
    }

    /** How CTAs share loads. */
    public ClusterPlan cluster() {
        return new ClusterPlan(this);
    }

    /** How tiles are stored. */
    public EpiloguePlan epilogue() {
        return new EpiloguePlan(this);
    }

    /** The type of A and B. */
    public DataType inputType() {
        return INPUT_TYPE.of(values);
    }

    /** The type of D. */
    public DataType outputType() {
        return OUTPUT_TYPE.of(values);
    }

    /** A config as far as it is known, for rules: none of them looks at the steps. */
    static Sm100Config read(Config values) {
        return new Sm100Config(values, Epilogue.NONE);
    }

    /** Threads of a CTA. */
    public int threads() {
        return WARPS * WARP;
    }

    /**
     * Dynamic shared memory: stages, panels of the epilogue, barriers of the stages and accumulators, the address of
     * tensor memory, and for a dynamic scheduler the records and barriers of its ring.
     */
    public int sharedBytes() {
        int barriers = 2 * (load().stages() + multiply().accumulatorStages()) * BARRIER_BYTES;
        return load().ringBytes()
                + epilogue().ringBytes()
                + barriers
                + TENSOR_ADDRESS_BYTES
                + schedule().ringBytes();
    }
}
