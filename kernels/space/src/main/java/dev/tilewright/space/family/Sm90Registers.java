package dev.tilewright.space.family;

import static dev.tilewright.space.family.DeviceLimits.CTAS_PER_SM;
import static dev.tilewright.space.family.GemmRules.when;
import static dev.tilewright.space.family.TypedRule.typed;

import dev.tilewright.space.Constraint;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The rules of {@code sm90-gemm} about registers: what an SM has of them, and what accumulators leave. */
final class Sm90Registers {

    /**
     * Registers that a consumer thread gets beside its accumulators, at the least. The assembler takes up to 50 where
     * they are free, and does not spill with 32: the tests assemble the configs that have exactly these.
     */
    private static final int WORKING = 32;
    /**
     * The same of two warpgroups in turn whose registers are not redistributed: with 32, tiles of 64x272 in a cluster
     * of eight spill 8 bytes.
     */
    private static final int WORKING_IN_TURNS = 34;
    /** The same by a table: which GEMM the tile is of, and where its map lies, is known to the tile alone. */
    private static final int WORKING_BY_A_TABLE = 40;
    /** The same where the pieces of a split tile are added up. */
    private static final int WORKING_OF_PIECES = 48;
    /** More where an SM has two CTAs and nothing is redistributed: the producer lives by the same few registers. */
    private static final int WORKING_OF_TWO_CTAS = 8;
    /**
     * Registers that the assembler wants beside the accumulators of one instruction, of those that a thread has at the
     * entry: what is redistributed later does not count for it.
     */
    private static final int INSTRUCTION = 26;

    /** Registers of an SM for each of 128 threads. */
    private static final int OF_A_WARPGROUP = 512;
    /** Fewest registers that a producer may be left with. */
    private static final int PRODUCER = 24;
    /** Producer registers if enough are free: then the addresses need no spill. */
    private static final int PRODUCER_AT_EASE = 40;

    private static final int MAX_REGISTERS = 255;

    /** Elements of the largest tile whose pieces can be added up: two consumers with 240 registers each, 256 x 192. */
    static final int MOST_CUT_ELEMENTS = 2 * 128 * (240 - WORKING_OF_PIECES);

    /** Fewest of a thread at the entry: with the 64 that three consumers in each of two CTAs have, some spills. */
    private static final int MIN_ENTRY_REGISTERS = 72;

    private static final List<TypedRule<Sm90Values>> RULES = List.of(
            typed("entryRegisters", Sm90Registers::entry, "consumers", CTAS_PER_SM),
            typed("registerPool", Sm90Registers::pool, "consumers", "registers", CTAS_PER_SM),
            typed(
                    "instructionRegisters",
                    Sm90Registers::instruction,
                    "mode",
                    "consumers",
                    SwapAB.PARAMETER,
                    "tileM",
                    "tileN",
                    CTAS_PER_SM),
            typed(
                    "accumulatorRegisters",
                    Sm90Registers::accumulators,
                    "mode",
                    "consumers",
                    "tileM",
                    "tileN",
                    "registers",
                    CTAS_PER_SM,
                    SplitRules.SPLIT_K,
                    TileLocation.PARAMETER),
            typed(
                    "producerRegisters",
                    Sm90Registers::producer,
                    "consumers",
                    "registers",
                    CTAS_PER_SM,
                    TileLocation.PARAMETER));

    private Sm90Registers() {}

    static Stream<Constraint> constraints(Sm90Operands operands) {
        return RULES.stream().map(rule -> rule.on(config -> new Sm90Reading(config, operands)));
    }

    /** Whether a config keeps the rules about the registers of consumers and of the producer. */
    static boolean keeps(Sm90Values values) {
        return Stream.of(pool(values), accumulators(values), producer(values)).allMatch(Optional::isEmpty);
    }

    private static Optional<String> entry(Sm90Values values) {
        int entry = atEntry(values);
        return when(
                entry < MIN_ENTRY_REGISTERS,
                () -> "a thread of " + values.consumers() + " consumers" + among(values.ctasPerSm()) + " has " + entry
                        + " registers at the entry, fewer than " + MIN_ENTRY_REGISTERS);
    }

    private static Optional<String> pool(Sm90Values values) {
        int consumers = values.consumers();
        int registers = values.registers();
        if (registers == 0) {
            return Optional.empty();
        }
        int ctas = values.ctasPerSm();
        int entry = atEntry(values);
        if (registers <= entry) {
            return Optional.of("with " + consumers + " consumers a thread" + among(ctas) + " has " + entry
                    + " registers without redistribution, so " + registers + " would be no more");
        }
        int all = consumers * registers + PRODUCER;
        int pool = OF_A_WARPGROUP / ctas;
        return when(
                all > pool,
                () -> consumers + " consumers of " + registers + " registers and a producer of " + PRODUCER + " are "
                        + all + ", more than the " + pool + " that an SM has for 128 threads" + among(ctas));
    }

    private static String among(int ctas) {
        return ctas == 1 ? "" : " of each of " + ctas + " CTAs";
    }

    /** Registers of a producer thread after it gave the others up; 0 if they are not redistributed. */
    static int ofProducer(Sm90Values values) {
        if (values.registers() == 0) {
            return 0;
        }
        int left = OF_A_WARPGROUP / values.ctasPerSm() - values.consumers() * values.registers();
        return left >= PRODUCER_AT_EASE ? PRODUCER_AT_EASE : PRODUCER;
    }

    /** Registers of a thread at the entry, in the units of 8 in which they are given. */
    static int atEntry(Sm90Values values) {
        return Math.min(MAX_REGISTERS, OF_A_WARPGROUP / values.ctasPerSm() / (1 + values.consumers()) / 8 * 8);
    }

    private static Optional<String> instruction(Sm90Values values) {
        int entry = atEntry(values);
        int columns = values.warpgroupTile().mmaColumns();
        int needed = columns / 2 + INSTRUCTION;
        return when(
                needed > entry,
                () -> "an instruction of " + columns + " columns takes " + needed + " registers, more than the " + entry
                        + " that a thread of " + values.consumers() + " consumers" + among(values.ctasPerSm())
                        + " has at the entry");
    }

    private static int working(Sm90Values values) {
        return switch (values.location()) {
            case TABLE -> WORKING_BY_A_TABLE;
            case RASTER -> values.splitK() > 1 ? WORKING_OF_PIECES : workingOfWholeTiles(values);
        };
    }

    private static int workingOfWholeTiles(Sm90Values values) {
        return switch (values.mode()) {
            case COOPERATIVE -> WORKING;
            case PINGPONG -> values.registers() > 0 ? WORKING : WORKING_IN_TURNS;
        };
    }

    private static Optional<String> accumulators(Sm90Values values) {
        boolean raised = values.registers() > 0;
        int cap = raised ? values.registers() : atEntry(values);
        int needed = working(values) + (!raised && values.ctasPerSm() > 1 ? WORKING_OF_TWO_CTAS : 0);
        int accumulators = values.accumulators();
        return when(
                accumulators + needed > cap,
                () -> accumulators + " accumulators and " + needed + " working registers a thread are more than "
                        + cap);
    }

    /** By a table a loading thread holds more than of one GEMM: of this many, the assembler spills some. */
    private static Optional<String> producer(Sm90Values values) {
        return when(
                values.location() == TileLocation.TABLE && values.registers() > 0 && ofProducer(values) == PRODUCER,
                () -> values.consumers() + " consumers of " + values.registers() + " registers leave a producer "
                        + PRODUCER + ", too few to load by a table");
    }
}
