package dev.tilewright.space.sm90;

import static dev.tilewright.space.gemm.GemmRules.when;
import static dev.tilewright.space.gemm.TypedRule.typed;
import static dev.tilewright.space.sm90.MultiplyPlan.CONSUMERS;
import static dev.tilewright.space.sm90.MultiplyPlan.CTAS_PER_SM;
import static dev.tilewright.space.sm90.MultiplyPlan.MODE;
import static dev.tilewright.space.sm90.MultiplyPlan.REGISTERS;
import static dev.tilewright.space.sm90.MultiplyPlan.SWAP_AB;
import static dev.tilewright.space.sm90.MultiplyPlan.TILE_M;
import static dev.tilewright.space.sm90.MultiplyPlan.TILE_N;

import dev.tilewright.space.gemm.TypedRule;
import dev.tilewright.space.parameter.Key;
import dev.tilewright.space.parameter.TileLocation;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The rules of {@code sm90-gemm} about registers: what an SM has of them, and what accumulators leave. */
final class MultiplyRegisters {

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
    /** The same where the pieces of a split tile are added up, or the parts of a cluster. */
    private static final int WORKING_OF_PIECES = 48;
    /** More where blocks have scales. */
    private static final int WORKING_OF_SCALES = 6;
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

    private MultiplyRegisters() {}

    /** @param operands whose sums take more registers where they are swapped and blocks have scales */
    static Stream<TypedRule<Sm90Config>> rules(Sm90Operands operands) {
        return Stream.of(
                rule("entryRegisters", MultiplyRegisters::entry, CONSUMERS, CTAS_PER_SM),
                rule("registerPool", MultiplyRegisters::pool, CONSUMERS, REGISTERS, CTAS_PER_SM),
                rule(
                        "instructionRegisters",
                        MultiplyRegisters::instruction,
                        MODE,
                        CONSUMERS,
                        SWAP_AB,
                        TILE_M,
                        TILE_N,
                        CTAS_PER_SM),
                rule("accumulatorRegisters", MultiplyRegisters::accumulators, ofSums(operands)),
                rule("clusterPartsRegisters", MultiplyRegisters::parts, ofSumsInParts(operands)),
                rule(
                        "producerRegisters",
                        MultiplyRegisters::producer,
                        CONSUMERS,
                        REGISTERS,
                        CTAS_PER_SM,
                        SchedulePlan.LOCATION));
    }

    /** The parameters that decide how many registers sums take, and what is left for them. */
    static Key<?>[] ofSums(Sm90Operands operands) {
        Stream<Key<?>> all = Stream.of(
                MODE, CONSUMERS, TILE_M, TILE_N, REGISTERS, CTAS_PER_SM, SplitPlan.SPLIT_K, SchedulePlan.LOCATION);
        return (operands.blockScaled() ? Stream.concat(all, Stream.of(SWAP_AB)) : all).toArray(Key<?>[]::new);
    }

    /** The same where clusters share the depth of a tile. */
    static Key<?>[] ofSumsInParts(Sm90Operands operands) {
        return Stream.concat(Stream.of(ofSums(operands)), Stream.of(SplitPlan.CLUSTER_K))
                .toArray(Key<?>[]::new);
    }

    private static TypedRule<Sm90Config> rule(
            String id, Function<MultiplyPlan, Optional<String>> check, Key<?>... parameters) {
        return typed(id, config -> check.apply(config.multiply()), parameters);
    }

    /** Whether a config keeps the rules about the registers of consumers and of the producer. */
    static boolean keeps(MultiplyPlan multiply) {
        return Stream.of(pool(multiply), accumulators(multiply), parts(multiply), producer(multiply))
                .allMatch(Optional::isEmpty);
    }

    private static Optional<String> entry(MultiplyPlan multiply) {
        int entry = atEntry(multiply);
        return when(
                entry < MIN_ENTRY_REGISTERS,
                () -> "a thread of " + multiply.consumers() + " consumers" + among(multiply.ctasPerSm()) + " has "
                        + entry + " registers at the entry, fewer than " + MIN_ENTRY_REGISTERS);
    }

    private static Optional<String> pool(MultiplyPlan multiply) {
        int consumers = multiply.consumers();
        int registers = multiply.registers();
        if (registers == 0) {
            return Optional.empty();
        }
        int ctas = multiply.ctasPerSm();
        int entry = atEntry(multiply);
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
    static int ofProducer(MultiplyPlan multiply) {
        if (multiply.registers() == 0) {
            return 0;
        }
        int left = OF_A_WARPGROUP / multiply.ctasPerSm() - multiply.consumers() * multiply.registers();
        return left >= PRODUCER_AT_EASE ? PRODUCER_AT_EASE : PRODUCER;
    }

    /** Registers of a thread at the entry, in the units of 8 in which they are given. */
    static int atEntry(MultiplyPlan multiply) {
        return Math.min(MAX_REGISTERS, OF_A_WARPGROUP / multiply.ctasPerSm() / (1 + multiply.consumers()) / 8 * 8);
    }

    private static Optional<String> instruction(MultiplyPlan multiply) {
        int entry = atEntry(multiply);
        int columns = multiply.warpgroupTile().mmaColumns();
        int needed = columns / 2 + INSTRUCTION;
        return when(
                needed > entry,
                () -> "an instruction of " + columns + " columns takes " + needed + " registers, more than the " + entry
                        + " that a thread of " + multiply.consumers() + " consumers" + among(multiply.ctasPerSm())
                        + " has at the entry");
    }

    private static int working(MultiplyPlan multiply) {
        return switch (multiply.config().schedule().location()) {
            case TABLE -> WORKING_BY_A_TABLE;
            case RASTER -> multiply.config().split().pieces() > 1 ? WORKING_OF_PIECES : workingOfWholeTiles(multiply);
        };
    }

    /** Scales of blocks have addresses of their own: with fewer, some of the configs of a sweep spilled. */
    private static int workingOfScales(MultiplyPlan multiply) {
        return multiply.config().operands().blockScaled() ? WORKING_OF_SCALES : 0;
    }

    private static int workingOfWholeTiles(MultiplyPlan multiply) {
        return switch (multiply.mode()) {
            case COOPERATIVE -> WORKING;
            case PINGPONG -> multiply.registers() > 0 ? WORKING : WORKING_IN_TURNS;
        };
    }

    private static Optional<String> accumulators(MultiplyPlan multiply) {
        return accumulators(multiply, working(multiply));
    }

    private static Optional<String> parts(MultiplyPlan multiply) {
        return multiply.config().split().parts() == 1 ? Optional.empty() : accumulators(multiply, WORKING_OF_PIECES);
    }

    private static Optional<String> accumulators(MultiplyPlan multiply, int working) {
        boolean raised = multiply.registers() > 0;
        int cap = raised ? multiply.registers() : atEntry(multiply);
        int needed =
                working + workingOfScales(multiply) + (!raised && multiply.ctasPerSm() > 1 ? WORKING_OF_TWO_CTAS : 0);
        int accumulators = multiply.sumRegisters();
        return when(
                accumulators + needed > cap,
                () -> accumulators + " accumulators and " + needed + " working registers a thread are more than "
                        + cap);
    }

    /** By a table a loading thread holds more than of one GEMM: of this many, the assembler spills some. */
    private static Optional<String> producer(MultiplyPlan multiply) {
        return when(
                multiply.config().schedule().location() == TileLocation.TABLE
                        && multiply.registers() > 0
                        && ofProducer(multiply) == PRODUCER,
                () -> multiply.consumers() + " consumers of " + multiply.registers() + " registers leave a producer "
                        + PRODUCER + ", too few to load by a table");
    }
}
