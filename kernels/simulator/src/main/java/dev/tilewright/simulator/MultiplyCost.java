package dev.tilewright.simulator;

import dev.tilewright.space.sm100.Sm100Config;
import dev.tilewright.space.sm90.EpiloguePlan;
import dev.tilewright.space.sm90.MultiplyPlan;
import dev.tilewright.space.sm90.Sm90Config;

/** The multiplication of a kernel, as far as it costs time: it decides what tiles share and what overlaps. */
sealed interface MultiplyCost {

    /**
     * Rows of the output tile of a CTA, of each warpgroup under ping-pong. A config of {@code sm100-gemm} gives the
     * rows of a whole CTA pair where it has one.
     */
    int tileM();

    /** Columns likewise. */
    int tileN();

    /** Threads of a CTA. */
    int threads();

    /** Tiles of a CTA that may be at work at once, each from its first K block to the end of its epilogue. */
    int tilesInFlight();

    /** Warpgroups that convert and stage one tile. */
    int epilogueWarpgroups();

    /** Whether epilogues follow each other because the same warps do all of them. */
    boolean sharedEpilogue();

    /** K blocks that hold their slot of the load ring while one of them is multiplied. */
    int blocksInUse();

    /** Slots whose blocks may be multiplied already, but which become free only when the block after them has come. */
    int slotsThatWait();

    /** CTAs that multiply as one and each load their part of B. */
    int ctaGroup();

    /**
     * Panels of a tile of the epilogue: those of all its warpgroups follow each other, as there is one way out of an
     * SM.
     */
    int panels();

    /** How many CTAs fit on an SM. The grid may start fewer. */
    int fittingCtas();

    /** CTAs that an SM has at a time, at the least. */
    int ctasPerSm();

    /**
     * Warpgroups that multiply, with accumulators in registers.
     *
     * @param pingPong whether each warpgroup has a tile of its own
     * @param waitDepth groups of wgmma that stay in flight while the next stage is waited for
     * @param columns of an instruction
     */
    record Wgmma(
            int tileM,
            int tileN,
            int consumers,
            boolean pingPong,
            int waitDepth,
            int columns,
            int threads,
            int panels,
            int fittingCtas,
            int ctasPerSm)
            implements MultiplyCost {

        /** Of an SM, and what each CTA takes of it unasked. */
        private static final int SHARED_BYTES = 233_472;

        private static final int SHARED_RESERVED = 1024;
        private static final int REGISTERS = 65_536;
        private static final int THREADS = 2048;
        /** Beside the accumulators; the assembler takes 30 to 40. */
        private static final int WORKING_REGISTERS = 32;

        /** Panels have 64 rows of an instruction. */
        static Wgmma of(Sm90Config config) {
            MultiplyPlan plan = config.multiply();
            return new Wgmma(
                    plan.tileM(),
                    plan.tileN(),
                    plan.consumers(),
                    plan.mode() == MultiplyPlan.Mode.PINGPONG,
                    plan.waitDepth(),
                    plan.warpgroupTile().mmaColumns(),
                    plan.threads(),
                    plan.tileRows()
                            / Sm90Config.MMA_ROWS
                            * Math.ceilDiv(plan.tileColumns(), config.epilogue().panelN()),
                    fittingCtas(config),
                    plan.ctasPerSm());
        }

        /**
         * By stages, panels and sums of other parts alone: so the constants were fitted, which barriers would leave a
         * CTA fewer of some.
         */
        private static int fittingCtas(Sm90Config config) {
            MultiplyPlan plan = config.multiply();
            EpiloguePlan epilogue = config.epilogue();
            int stages = config.load().stages() * config.load().stageBytes();
            int entry = plan.registersAtEntry();
            int taken = Math.ceilDiv(plan.accumulators() + WORKING_REGISTERS, 8) * 8;
            int registers = plan.registers() > 0 ? entry : Math.min(entry, taken);
            int shared = stages + epilogue.ringBytes() + config.split().roomBytes() + SHARED_RESERVED;
            int byThreads = Math.min(THREADS, REGISTERS / registers) / plan.threads();
            return Math.max(1, Math.min(SHARED_BYTES / shared, byThreads));
        }

        @Override
        public int tilesInFlight() {
            return pingPong ? consumers : 1;
        }

        @Override
        public int epilogueWarpgroups() {
            return pingPong ? 1 : consumers;
        }

        @Override
        public boolean sharedEpilogue() {
            return !pingPong;
        }

        @Override
        public int blocksInUse() {
            return 1 + waitDepth;
        }

        @Override
        public int slotsThatWait() {
            return waitDepth;
        }

        @Override
        public int ctaGroup() {
            return 1;
        }
    }

    /**
     * One thread that multiplies, with accumulators in tensor memory, and one warpgroup for all epilogues, which takes
     * all rows at once.
     *
     * @param tilesInFlight accumulators in tensor memory
     */
    record Tcgen05(int tileN, int ctaGroup, int tilesInFlight, int threads, int panels) implements MultiplyCost {

        static Tcgen05 of(Sm100Config config) {
            int tileN = config.multiply().tileN();
            return new Tcgen05(
                    tileN,
                    config.multiply().ctaGroup(),
                    config.multiply().accumulatorStages(),
                    config.threads(),
                    tileN / config.epilogue().panelN());
        }

        @Override
        public int tileM() {
            return Sm100Config.CTA_ROWS;
        }

        @Override
        public int epilogueWarpgroups() {
            return 1;
        }

        @Override
        public boolean sharedEpilogue() {
            return true;
        }

        @Override
        public int blocksInUse() {
            return 1;
        }

        @Override
        public int slotsThatWait() {
            return 0;
        }

        /** Tensor memory is for one. */
        @Override
        public int fittingCtas() {
            return 1;
        }

        @Override
        public int ctasPerSm() {
            return 1;
        }
    }
}
