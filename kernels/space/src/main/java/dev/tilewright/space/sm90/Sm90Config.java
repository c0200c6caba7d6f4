package dev.tilewright.space.sm90;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.gemm.TypedRule;
import dev.tilewright.space.parameter.Key;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * The text parameters of {@code sm90-gemm} by type: a plan for each part of the kernel. Two equal values of {@link #of}
 * mean one text. Launch parameters are left out, so that the text cannot depend on them.
 *
 * @param values read as far as somebody asks: a config that a rule is asked about has the parameters of the rule alone
 * @param operands types, layouts and epilogue, which are the problem's
 */
public record Sm90Config(Config values, Sm90Operands operands) {

    /** Rows of one wgmma, and of a panel. */
    public static final int MMA_ROWS = 64;

    /** Most columns of one wgmma. */
    static final int MAX_MMA_COLUMNS = 256;

    /** Columns of a wgmma come in multiples of this. */
    static final int MMA_COLUMNS = 8;

    /** Bytes of a row of A or B in a usual stage: those of the widest swizzle. */
    static final int BLOCK_BYTES = 128;

    static final int THREADS_PER_WARPGROUP = 128;

    /** All that decide the text, beside the operands. */
    static final List<Key<?>> KEYS = Stream.of(
                    SchedulePlan.KEYS,
                    MultiplyPlan.KEYS,
                    LoadPlan.KEYS,
                    EpiloguePlan.KEYS,
                    SplitPlan.KEYS,
                    ClusterPlan.KEYS)
            .flatMap(Collection::stream)
            .toList();

    /** Without them no kernel can be built; each rule once. */
    private static final List<TypedRule<Sm90Config>> RULES = Stream.of(
                    SchedulePlan.rules(),
                    MultiplyRules.rules(),
                    LoadPlan.rules(),
                    ScalePlan.rules(),
                    EpiloguePlan.rules(),
                    SplitPlan.rules(),
                    ClusterPlan.rules())
            .flatMap(rules -> rules)
            .toList();

    /**
     * The typed form of a config. What can be built but is not worth trying, or does not fit a device, is for the rules
     * of {@link Sm90GemmSpace} to say.
     *
     * @throws IllegalArgumentException if a parameter is missing, has an unknown name as its value, or a value for
     *     which no kernel can be built
     */
    public static Sm90Config of(Config config) {
        Sm90Config typed = new Sm90Config(Key.only(KEYS, config), Sm90Operands.of(config));
        TypedRule.require(RULES, typed);
        return typed;
    }

    /**
     * The rules without which no kernel can be built, as far as a space has their parameters. A rule that says nothing
     * of these operands is not listed: a tree would keep the parameters waiting for it.
     */
    public static Stream<TypedRule<Sm90Config>> rules(Collection<String> parameters, Sm90Operands operands) {
        return RULES.stream()
                .filter(rule -> ClusterPlan.isAbout(rule, operands))
                .filter(rule -> parameters.containsAll(rule.parameters()));
    }

    /** The same with another value for a parameter. */
    <T> Sm90Config with(Key<T> key, T value) {
        return new Sm90Config(key.in(values, value), operands);
    }

    /** How clusters get their tiles. */
    public SchedulePlan schedule() {
        return new SchedulePlan(this);
    }

    /** How warpgroups multiply a tile. */
    public MultiplyPlan multiply() {
        return new MultiplyPlan(this);
    }

    /** How stages are loaded. */
    public LoadPlan load() {
        return new LoadPlan(this);
    }

    /** How blocks of K are scaled. */
    public ScalePlan scales() {
        return new ScalePlan(this);
    }

    /** How CTAs share loads. */
    public ClusterPlan cluster() {
        return new ClusterPlan(this);
    }

    /** How tiles are cut along K. */
    public SplitPlan split() {
        return new SplitPlan(this);
    }

    /** How tiles are stored. */
    public EpiloguePlan epilogue() {
        return new EpiloguePlan(this);
    }

    /** Dynamic shared memory: stages and their scales, panels, barriers and the scheduler's ring. */
    public int sharedBytes() {
        return Sm90SharedMemory.bytes(this);
    }
}
