package dev.tilewright.proof;

import dev.tilewright.emulator.run.Options;
import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.space.family.FamilySpace;
import java.util.List;
import java.util.function.UnaryOperator;

/** Small configs of sm90-gemm, and families whose kernels somebody has spoilt. */
public final class Kernels {

    public static final String FAMILY = "sm90-gemm";

    private static final String DEFAULTS =
            "clusterM=1 clusterN=1 consumers=1 epilogueN=32 gridSize=0 loadStages=3 mode=cooperative multicast=none "
                    + "rasterGroup=4 rasterOrder=alongM registers=0 scheduler=static swizzle=64 tileK=32 tileM=64 "
                    + "tileN=64 waitDepth=1";

    public static final String FAMILY_100 = "sm100-gemm";

    private static final String DEFAULTS_100 =
            "accumulatorStages=1 clcPrefetch=1 clcStages=1 clcThrottle=none clusterM=1 clusterN=1 ctaGroup=1 epilogueN=16 "
                    + "gridSize=0 inputType=bf16 loadStages=3 multicast=none outputType=bf16 rasterGroup=1 "
                    + "rasterOrder=alongM scheduler=static tileK=32 tileM=128 tileN=64";

    /** Four SMs and as many seeds as there are by default. */
    public static final ProofPlan PLAN = new ProofPlan(Options.DEFAULT_SMS, 1, ProofPlan.DEFAULT_SEEDS);

    private Kernels() {}

    /** A config with small tiles, changed by {@code name=value} pairs. */
    public static Config config(String parameters) {
        return Config.parse(DEFAULTS).with(parameters);
    }

    /** The same of sm100-gemm. */
    public static Config config100(String parameters) {
        return Config.parse(DEFAULTS_100).with(parameters);
    }

    public static Problem problem(String shape) {
        return Problem.of(ProblemShape.parse(shape), DataType.BF16);
    }

    /** The family with its texts changed, those of traced twins too. */
    public static GemmFamilies spoilt(UnaryOperator<String> change) {
        return spoilt(FAMILY, change);
    }

    /** The same of another family. */
    public static GemmFamilies spoilt(String family, UnaryOperator<String> change) {
        return new GemmFamilies(List.of(new Spoilt(GemmFamilies.standard().named(family), change)));
    }

    /** The text with the first occurrence behind a mark replaced. */
    public static String replaceAfter(String text, String mark, String old, String replacement) {
        int from = text.indexOf(mark);
        int at = from < 0 ? -1 : text.indexOf(old, from);
        if (at < 0) {
            throw new IllegalStateException("the kernel has no '" + old + "' behind '" + mark + "'");
        }
        return text.substring(0, at) + replacement + text.substring(at + old.length());
    }

    private record Spoilt(GemmFamily whole, UnaryOperator<String> change) implements GemmFamily {
        @Override
        public FamilySpace space() {
            return whole.space();
        }

        @Override
        public GemmKernel build(Config config, boolean traced) {
            GemmKernel kernel = whole.build(config, traced);
            return new GemmKernel(
                    kernel.module(), change.apply(kernel.text()), traced, kernel.rule(), kernel.sumError());
        }
    }
}
