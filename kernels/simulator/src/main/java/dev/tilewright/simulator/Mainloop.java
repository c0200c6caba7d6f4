package dev.tilewright.simulator;

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
     * Warpgroups that multiply, with accumulators in registers.
     *
     * @param consumers warpgroups
     * @param pingPong whether each of these has a tile of its own
     * @param waitDepth groups of wgmma that stay in flight while the next stage is waited for
     * @param swapAB whether the rows of an instruction are those of B
     */
    record Wgmma(int consumers, boolean pingPong, int waitDepth, boolean swapAB) implements Mainloop {

        @Override
        public int threads() {
            return 128 * (consumers + 1);
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
     * One thread that multiplies, with accumulators in tensor memory, and one warpgroup for all epilogues.
     *
     * @param ctaGroup CTAs of an instruction, 1 or 2
     * @param accumulatorStages accumulators in tensor memory, 1 or 2
     */
    record Tcgen05(int ctaGroup, int accumulatorStages) implements Mainloop {

        /** Load, multiply, schedule, one spare warp, and four of the epilogue. */
        @Override
        public int threads() {
            return 256;
        }

        @Override
        public int tilesInFlight() {
            return accumulatorStages;
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
    }
}
