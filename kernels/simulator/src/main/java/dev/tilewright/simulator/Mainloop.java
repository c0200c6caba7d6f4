package dev.tilewright.simulator;

import dev.tilewright.space.family.Sm100Config;
import dev.tilewright.space.family.Sm90Config;

/** How a CTA multiplies, which decides what its tiles share and what overlaps. */
sealed interface Mainloop {

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

    /** Warpgroups that multiply, with accumulators in registers. */
    record Wgmma(Sm90Config config) implements Mainloop {

        /** Of an SM, and what each CTA takes of it unasked. */
        private static final int SHARED_BYTES = 233_472;

        private static final int SHARED_RESERVED = 1024;
        private static final int REGISTERS = 65_536;
        private static final int THREADS = 2048;
        /** Beside the accumulators; the assembler takes 30 to 40. */
        private static final int WORKING_REGISTERS = 32;

        /** Whether each warpgroup has a tile of its own. */
        boolean pingPong() {
            return config.mode() == Sm90Config.Mode.PINGPONG;
        }

        /** Groups of wgmma that stay in flight while the next stage is waited for. */
        int waitDepth() {
            return config.waitDepth();
        }

        /** Columns of an instruction. */
        int columns() {
            return config.warpgroupTile().mmaColumns();
        }

        @Override
        public int threads() {
            return config.threads();
        }

        @Override
        public int tilesInFlight() {
            return pingPong() ? config.consumers() : 1;
        }

        @Override
        public int epilogueWarpgroups() {
            return config.warpgroupsPerTile();
        }

        @Override
        public boolean sharedEpilogue() {
            return !pingPong();
        }

        @Override
        public int blocksInUse() {
            return 1 + waitDepth();
        }

        @Override
        public int slotsThatWait() {
            return waitDepth();
        }

        @Override
        public int ctaGroup() {
            return 1;
        }

        /** They have 64 rows of an instruction. */
        @Override
        public int panels() {
            return config.tileRows() / Sm90Config.MMA_ROWS * Math.ceilDiv(config.tileColumns(), config.epilogueN());
        }

        /** By stages and panels alone: so the constants were fitted, which barriers would leave a CTA fewer of some. */
        @Override
        public int fittingCtas() {
            int stages = config.loadStages() * config.stageBytes();
            int panels = config.consumers() * config.epilogueStages() * config.panelBytes();
            int entry = config.registersAtEntry();
            int taken = Math.ceilDiv(config.accumulators() + WORKING_REGISTERS, 8) * 8;
            int registers = config.registers() > 0 ? entry : Math.min(entry, taken);
            int byThreads = Math.min(THREADS, REGISTERS / registers) / threads();
            return Math.max(1, Math.min(SHARED_BYTES / (stages + panels + SHARED_RESERVED), byThreads));
        }
    }

    /** One thread that multiplies, with accumulators in tensor memory, and one warpgroup for all epilogues. */
    record Tcgen05(Sm100Config config) implements Mainloop {

        @Override
        public int threads() {
            return config.threads();
        }

        @Override
        public int tilesInFlight() {
            return config.accumulatorStages();
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

        @Override
        public int ctaGroup() {
            return config.ctaGroup();
        }

        /** The epilogue takes all rows at once. */
        @Override
        public int panels() {
            return config.tileN() / config.epilogueN();
        }

        /** Tensor memory is for one. */
        @Override
        public int fittingCtas() {
            return 1;
        }
    }
}
