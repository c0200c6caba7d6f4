package dev.tilewright.emulator.mutation;

import dev.tilewright.emulator.gemm.GemmCase;
import dev.tilewright.emulator.run.Launching;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.space.Config;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** What a score is taken over: kernels of one family, and the sample of their mutants. */
public enum MutationSuite {
    /** By {@code docs/emulator/mutation.md}. */
    SM90("mutation", 20261121, 40) {
        @Override
        Map<String, GemmCase> kernels() {
            return MutationKernels.sm90();
        }

        @Override
        int swizzle(Config config) {
            return config.whole("swizzle");
        }

        @Override
        Options options(long seed) {
            return Options.seed(seed);
        }

        @Override
        int trials() {
            return 1;
        }

        @Override
        Set<Rule> unused() {
            // No kernel waits for a bulk group without .read.
            Set<Rule> unused = EnumSet.range(Rule.INSTRUCTION, Rule.LAUNCH_CONTROL);
            unused.add(Rule.WAIT_READ);
            return unused;
        }
    },
    /** By {@code docs/emulator/mutation-sm100.md}. */
    SM100("mutation-sm100", 20261122, 30) {
        @Override
        Map<String, GemmCase> kernels() {
            return MutationKernels.sm100();
        }

        @Override
        int swizzle(Config config) {
            DataType input = DataType.parse(config.name("inputType"));
            return Math.min(WIDEST_SWIZZLE, config.whole("tileK") * input.bytes());
        }

        @Override
        Options options(long seed) {
            return Options.seed(seed).withLaunching(seed % 2 == 0 ? Launching.rough() : Launching.PROMPT);
        }

        @Override
        int trials() {
            return 2;
        }

        @Override
        Set<Rule> unused() {
            return EnumSet.of(Rule.WAIT_READ, Rule.REGISTERS);
        }
    };

    private static final int WIDEST_SWIZZLE = 128;

    private final String figure;
    private final long sampleSeed;
    private final int perKernel;

    MutationSuite(String figure, long sampleSeed, int perKernel) {
        this.figure = figure;
        this.sampleSeed = sampleSeed;
        this.perKernel = perKernel;
    }

    /** The kernels by name, in a fixed order. */
    abstract Map<String, GemmCase> kernels();

    /** Bytes over which a kernel's operands are swizzled. */
    abstract int swizzle(Config config);

    /** How the run of a seed goes. */
    abstract Options options(long seed);

    /** So many seeds, from 1, say how many steps a kernel takes as it is. */
    abstract int trials();

    /** Rules that fit nowhere in the kernels. */
    abstract Set<Rule> unused();

    /** Name of the figure, and of the page with the rules. */
    String figure() {
        return figure;
    }

    /** The resource that lists mutants which change nothing. */
    String equivalent() {
        return figure.replace("mutation", "equivalent") + ".txt";
    }

    long sampleSeed() {
        return sampleSeed;
    }

    /** Mutants drawn of each kernel. */
    int perKernel() {
        return perKernel;
    }
}
