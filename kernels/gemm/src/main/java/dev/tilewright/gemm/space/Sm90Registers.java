package dev.tilewright.gemm.space;

import static dev.tilewright.gemm.space.GemmRules.rule;
import static dev.tilewright.gemm.space.GemmRules.when;

import dev.tilewright.gemm.space.Sm90Config.Mode;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Constraint;
import java.util.Optional;
import java.util.stream.Stream;

/** The rules of {@code sm90-gemm} about registers: what an SM has of them, and what accumulators leave. */
final class Sm90Registers {

    /**
     * Registers that a consumer thread gets beside its accumulators, at the least. The assembler takes up to 50 where
     * they are free, and does not spill with 32: the tests assemble the configs that have exactly these.
     */
    private static final int WORKING = 32;
    /** The same by a table: which GEMM the tile is of, and where its map lies, is known to the tile alone. */
    private static final int WORKING_BY_A_TABLE = 36;
    /**
     * Registers that the assembler wants beside the accumulators of one instruction, of those that a thread has at the
     * entry: what is redistributed later does not count for it.
     */
    private static final int INSTRUCTION = 26;

    /** Registers of an SM for each of 128 threads. */
    private static final int OF_A_WARPGROUP = 512;
    /** Fewest registers that a producer may be left with. */
    private static final int PRODUCER = 24;

    private static final int MOST = 255;

    private Sm90Registers() {}

    /** @param byTable whether the kernel looks up its tiles */
    static Stream<Constraint> rules(boolean byTable) {
        int working = byTable ? WORKING_BY_A_TABLE : WORKING;
        Stream<Constraint> ofAll = Stream.of(
                rule("registerPool", Sm90Registers::pool, "consumers", "registers"),
                rule("instructionRegisters", Sm90Registers::instruction, "consumers", "tileN"),
                rule(
                        "accumulatorRegisters",
                        config -> accumulators(working, config),
                        "mode",
                        "consumers",
                        "tileM",
                        "tileN",
                        "registers"));
        return byTable
                ? Stream.concat(
                        ofAll, Stream.of(rule("producerRegisters", Sm90Registers::producer, "consumers", "registers")))
                : ofAll;
    }

    private static Optional<String> pool(Config config) {
        int consumers = config.whole("consumers");
        int registers = config.whole("registers");
        if (registers == 0) {
            return Optional.empty();
        }
        int entry = atEntry(consumers);
        if (registers <= entry) {
            return Optional.of("with " + consumers + " consumers a thread has " + entry
                    + " registers without redistribution, so " + registers + " would be no more");
        }
        int all = consumers * registers + PRODUCER;
        return when(
                all > OF_A_WARPGROUP,
                consumers + " consumers of " + registers + " registers and a producer of " + PRODUCER + " are " + all
                        + ", more than the " + OF_A_WARPGROUP + " that an SM has for 128 threads");
    }

    /** Registers of a thread at the entry, in the units of 8 in which they are given. */
    private static int atEntry(int consumers) {
        return Math.min(MOST, OF_A_WARPGROUP / (1 + consumers) / 8 * 8);
    }

    private static Optional<String> instruction(Config config) {
        int entry = atEntry(config.whole("consumers"));
        int tileN = config.whole("tileN");
        int columns = tileN <= Sm90Config.MAX_MMA_COLUMNS ? tileN : tileN / 2;
        int needed = columns / 2 + INSTRUCTION;
        return when(
                needed > entry,
                "an instruction of " + columns + " columns takes " + needed + " registers, more than the " + entry
                        + " that a thread of " + config.whole("consumers") + " consumers has at the entry");
    }

    private static Optional<String> accumulators(int working, Config config) {
        int consumers = config.whole("consumers");
        int registers = config.whole("registers");
        int cap = registers == 0 ? atEntry(consumers) : registers;
        int accumulators = config.whole("tileM") * config.whole("tileN") / 128 / Mode.warpgroupsPerTile(config);
        return when(
                accumulators + working > cap,
                accumulators + " accumulators and " + working + " working registers a thread are more than " + cap);
    }

    /** By a table a loading thread holds more than of one GEMM: of this many, the assembler spills some. */
    private static Optional<String> producer(Config config) {
        int consumers = config.whole("consumers");
        int registers = config.whole("registers");
        return when(
                registers > 0 && Sm90Config.producerRegisters(consumers, registers) == PRODUCER,
                consumers + " consumers of " + registers + " registers leave a producer " + PRODUCER
                        + ", too few to load by a table");
    }
}
