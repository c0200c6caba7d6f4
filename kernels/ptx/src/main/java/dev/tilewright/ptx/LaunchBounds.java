package dev.tilewright.ptx;

import java.util.Optional;

/**
 * The promises of a kernel about its launch, and its demands on the assembler. PTX 11.4, 11.7.
 *
 * @param threads of a CTA, if the kernel says
 * @param minCtasPerSm {@code .minnctapersm}, or 0 for none; setmaxnreg needs it
 * @param cluster {@code .reqnctapercluster}, if the kernel fixes its cluster
 * @param explicitCluster {@code .explicitcluster}: it is launched with a cluster size, fixed here or not
 * @param maxClusterCtas {@code .maxclusterrank}, most CTAs of a cluster, or 0 for none
 * @param maxRegisters {@code .maxnreg}, most registers of a thread, or 0 for none
 */
public record LaunchBounds(
        Optional<Threads> threads,
        int minCtasPerSm,
        Optional<Cluster> cluster,
        boolean explicitCluster,
        int maxClusterCtas,
        int maxRegisters) {
    /** A CTA has no more threads. */
    public static final int MOST_THREADS = 1024;
    /** A thread has no more registers. */
    private static final int MOST_REGISTERS = 255;

    /** No promise. */
    public static final LaunchBounds NONE = new LaunchBounds(Optional.empty(), 0, Optional.empty(), false, 0, 0);

    /** A cluster in CTAs; at most 16 altogether. */
    public record Cluster(int x, int y, int z) {
        public Cluster {
            if (x < 1 || y < 1 || z < 1 || (long) x * y * z > 16) {
                throw new IllegalArgumentException(
                        "cluster: sizes must be positive and at most 16 CTAs, got " + x + "x" + y + "x" + z);
            }
        }
    }

    /**
     * The threads of a CTA in three dimensions; their product must be in 1..1024.
     *
     * @param exactly these ({@code .reqntid}), otherwise at most their product ({@code .maxntid})
     */
    public record Threads(boolean exactly, int x, int y, int z) {
        public Threads {
            long product = (long) x * y * z;
            if (x < 1 || y < 1 || z < 1 || x > MOST_THREADS || y > MOST_THREADS || product > MOST_THREADS) {
                boolean line = y == 1 && z == 1;
                throw new IllegalArgumentException("launch bounds: threads must be in 1.." + MOST_THREADS + ", got "
                        + (line ? x : x + "x" + y + "x" + z));
            }
        }

        public int count() {
            return x * y * z;
        }
    }

    public LaunchBounds {
        if (minCtasPerSm < 0) {
            throw new IllegalArgumentException("launch bounds: CTAs per SM must not be negative, got " + minCtasPerSm);
        }
        if (maxClusterCtas < 0 || maxClusterCtas > 16) {
            throw new IllegalArgumentException(
                    "launch bounds: CTAs of a cluster must be in 1..16 (0 for no limit), got " + maxClusterCtas);
        }
        if (maxRegisters < 0 || maxRegisters > MOST_REGISTERS) {
            throw new IllegalArgumentException("launch bounds: registers of a thread must be in 1.." + MOST_REGISTERS
                    + " (0 for no limit), got " + maxRegisters);
        }
    }

    /**
     * At most so many threads, all along x.
     *
     * @param maxThreads 1..1024
     */
    public LaunchBounds(int maxThreads, int minCtasPerSm, Optional<Cluster> cluster) {
        this(Optional.of(new Threads(false, maxThreads, 1, 1)), minCtasPerSm, cluster, cluster.isPresent(), 0, 0);
    }

    /** Whether it is known how many registers a thread starts with, without which setmaxnreg has no effect. */
    public boolean boundsRegisters() {
        return minCtasPerSm > 0 || maxRegisters > 0;
    }

    /** Most threads of a CTA; a kernel that promises nothing may be launched with as many as a CTA can have. */
    public int maxThreads() {
        return threads.map(Threads::count).orElse(MOST_THREADS);
    }

    /**
     * The most registers per thread that a kernel may start with: the register file shared evenly, in steps of 8, at
     * most 255, and no more than it says itself.
     */
    public int registerCap(int registersPerSm) {
        int share = registersPerSm / Math.max(1, minCtasPerSm) / maxThreads() / 8 * 8;
        return Math.min(maxRegisters > 0 ? maxRegisters : MOST_REGISTERS, share);
    }
}
