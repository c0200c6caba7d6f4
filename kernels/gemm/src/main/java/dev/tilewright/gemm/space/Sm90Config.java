package dev.tilewright.gemm.space;

import dev.tilewright.model.space.Config;

/**
 * The text parameters of {@code sm90-gemm} by type: two equal values mean one text. Launch parameters have no place
 * here, so that the text cannot depend on them.
 *
 * @param location how it knows where its tiles lie
 * @param throttle what a dynamic scheduler waits for before it asks
 * @param tileM rows of a CTA tile, a multiple of 64 for each warpgroup that shares it
 * @param tileN columns of a CTA tile, a multiple of 8 up to 256
 * @param tileK depth of one stage in elements
 * @param consumers warpgroups that multiply
 * @param loadStages slots of the ring between TMA and the tensor cores
 * @param multicast whether CTAs of a cluster share what they both need
 * @param swizzle span of the shared-memory swizzle of A and B, bytes
 * @param epilogueN columns of a panel of the epilogue
 * @param registers registers of a consumer thread; 0 leaves them as the assembler shares them out
 * @param waitDepth groups of wgmma in flight when a stage is handed back
 */
public record Sm90Config(
        TileLocation location,
        Scheduler scheduler,
        Throttle throttle,
        Mode mode,
        int consumers,
        int tileM,
        int tileN,
        int tileK,
        int loadStages,
        int clusterM,
        int clusterN,
        boolean multicast,
        int swizzle,
        int epilogueN,
        int registers,
        int waitDepth) {

    /** How warpgroups share work. */
    public enum Mode {
        /** All of them share one tile, by rows. */
        COOPERATIVE("cooperative"),
        /** Each has its own tile; one multiplies while the other stores. */
        PINGPONG("pingpong");

        private final String value;

        Mode(String value) {
            this.value = value;
        }

        static Mode of(Config config) {
            return NamedValue.of(values(), "mode", config);
        }

        /** Warpgroups that multiply for one tile. */
        public int warpgroupsPerTile(int consumers) {
            return switch (this) {
                case COOPERATIVE -> consumers;
                case PINGPONG -> 1;
            };
        }

        @Override
        public String toString() {
            return value;
        }
    }

    /** Panels of the epilogue's ring, for each warpgroup. */
    public static final int PANELS = 2;

    /** Rows of one wgmma, and of a panel. */
    public static final int MMA_ROWS = 64;

    /** Bytes of an element of A, B and D. */
    public static final int ELEMENT_BYTES = 2;

    private static final int THREADS_PER_WARPGROUP = 128;

    private static final int MAX_CONSUMERS = 2;

    /**
     * Refuses what no kernel can be built for. What can be built but is not worth trying, or does not fit a device, is
     * for the rules of {@link Sm90GemmSpace} to say.
     */
    public Sm90Config {
        if (scheduler == Scheduler.CLC) {
            throw new IllegalArgumentException("scheduler must be one of [single, static, atomic], got 'clc'");
        }
        require(
                consumers >= 1 && consumers <= MAX_CONSUMERS,
                "consumers must be from 1 to " + MAX_CONSUMERS,
                consumers);
        require(
                mode == Mode.COOPERATIVE || consumers == MAX_CONSUMERS,
                "pingpong takes " + MAX_CONSUMERS + " consumers in turn",
                consumers);
        if (throttle != Throttle.NONE && throttle != Throttle.LOADED) {
            throw new IllegalArgumentException(Throttle.PARAMETER + " must be one of ["
                    + Throttle.NONE + ", " + Throttle.LOADED + "], got '" + throttle + "'");
        }
        int sharers = mode.warpgroupsPerTile(consumers);
        require(
                tileM > 0 && tileM % (MMA_ROWS * sharers) == 0,
                "tileM must be a multiple of " + MMA_ROWS * sharers + ", " + MMA_ROWS + " for each of " + sharers
                        + " warpgroups that share a tile",
                tileM);
        require(tileN >= 8 && tileN <= 256 && tileN % 8 == 0, "tileN must be a multiple of 8 up to 256", tileN);
        require(
                tileK * ELEMENT_BYTES == swizzle,
                "tileK must fill the span of the swizzle, " + swizzle + " bytes",
                tileK);
        require(
                epilogueN == 16 || epilogueN == 32 || epilogueN == 64,
                "epilogueN must be 16, 32 or 64, a panel as wide as a swizzle",
                epilogueN);
        require(loadStages >= 1, "loadStages must be at least 1", loadStages);
        require(clusterM >= 1, "clusterM must be at least 1", clusterM);
        require(clusterN >= 1, "clusterN must be at least 1", clusterN);
        require(
                !multicast || tileM % (8 * clusterN) == 0,
                "with multicast over " + clusterN + " CTAs, tileM must be a multiple of " + 8 * clusterN,
                tileM);
        require(
                !multicast || tileN % (8 * clusterM) == 0,
                "with multicast over " + clusterM + " CTAs, tileN must be a multiple of " + 8 * clusterM,
                tileN);
    }

    private static void require(boolean kept, String rule, int given) {
        if (!kept) {
            throw new IllegalArgumentException(rule + ", got " + given);
        }
    }

    /**
     * The typed form of a config.
     *
     * @throws IllegalArgumentException if a parameter is missing, has an unknown name as its value, or a value for
     *     which no kernel can be built
     */
    public static Sm90Config of(Config config) {
        return new Sm90Config(
                TileLocation.of(config),
                Scheduler.of(config),
                Throttle.orNone(config),
                Mode.of(config),
                config.whole("consumers"),
                config.whole("tileM"),
                config.whole("tileN"),
                config.whole("tileK"),
                config.whole("loadStages"),
                config.whole("clusterM"),
                config.whole("clusterN"),
                Multicast.of(config) == Multicast.BOTH,
                config.whole("swizzle"),
                config.whole("epilogueN"),
                config.whole("registers"),
                config.whole("waitDepth"));
    }

    /** Threads of a CTA: the producer's warpgroup and the consumers'. */
    public int threads() {
        return THREADS_PER_WARPGROUP * (1 + consumers);
    }

    /** CTAs of a cluster. */
    public int clusterSize() {
        return clusterM * clusterN;
    }

    /** CTAs to which a consumer hands back a stage: those that read what one CTA loads. */
    public int sharers() {
        return multicast ? clusterSize() : 1;
    }

    /** Warpgroups that multiply for one tile. */
    public int warpgroupsPerTile() {
        return mode.warpgroupsPerTile(consumers);
    }

    /** wgmma instructions side by side along M in one warpgroup. */
    public int mmaPerWarpgroup() {
        return tileM / MMA_ROWS / warpgroupsPerTile();
    }

    /** f32 accumulators of a consumer thread. */
    public int accumulators() {
        return mmaPerWarpgroup() * MMA_ROWS * tileN / THREADS_PER_WARPGROUP;
    }

    /** Registers of a producer thread after it gave the others up; 0 if they are not redistributed. */
    public int producerRegisters() {
        return registers == 0 ? 0 : 65_536 / THREADS_PER_WARPGROUP - consumers * registers >= 40 ? 40 : 24;
    }

    /** Rows of A that one CTA loads; all of the tile's unless the cluster shares them. */
    public int loadRowsA() {
        return multicast ? tileM / clusterN : tileM;
    }

    /** Rows of B that one CTA loads. */
    public int loadRowsB() {
        return multicast ? tileN / clusterM : tileN;
    }

    /** Bytes of a stage's part of A. */
    public int stageBytesA() {
        return tileM * tileK * ELEMENT_BYTES;
    }

    /** Bytes of a stage's part of B. */
    public int stageBytesB() {
        return tileN * tileK * ELEMENT_BYTES;
    }

    /** Bytes of a stage: A, then B. */
    public int stageBytes() {
        return stageBytesA() + stageBytesB();
    }

    /** Bytes of a panel of 64 rows. */
    public int panelBytes() {
        return MMA_ROWS * epilogueN * ELEMENT_BYTES;
    }

    /** Columns of the last panel where they are fewer than {@link #epilogueN()}, otherwise 0. */
    public int narrowPanelN() {
        return tileN % epilogueN;
    }

    /** Slots of the ring through which a dynamic scheduler hands out tiles; 0 without one. */
    public int ringSlots() {
        return sharedMemory().ringSlots();
    }

    /** Dynamic shared memory: stages, panels, barriers and the scheduler's ring. */
    public int sharedBytes() {
        return sharedMemory().bytes();
    }

    private Sm90SharedMemory sharedMemory() {
        return new Sm90SharedMemory(
                scheduler, throttle, mode, consumers, tileM, tileN, tileK, loadStages, epilogueN);
    }
}
