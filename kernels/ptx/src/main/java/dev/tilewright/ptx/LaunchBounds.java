package dev.tilewright.ptx;

import java.util.Optional;

/**
 * What the kernel promises about its launch.
 *
 * @param maxThreads most threads of a CTA, all along x ({@code .maxntid}), 1..1024
 * @param minCtasPerSm {@code .minnctapersm}, or 0 for none; setmaxnreg needs it
 * @param cluster {@code .reqnctapercluster}, if the kernel fixes its cluster
 */
public record LaunchBounds(int maxThreads, int minCtasPerSm, Optional<Cluster> cluster) {
    /** A cluster in CTAs; at most 16 altogether. */
    public record Cluster(int x, int y, int z) {
        public Cluster {
            if (x < 1 || y < 1 || z < 1 || (long) x * y * z > 16) {
                throw new IllegalArgumentException(
                        "cluster: sizes must be positive and at most 16 CTAs, got " + x + "x" + y + "x" + z);
            }
        }

        public int ctas() {
            return x * y * z;
        }
    }

    public LaunchBounds {
        if (maxThreads < 1 || maxThreads > 1024) {
            throw new IllegalArgumentException("launch bounds: threads must be in 1..1024, got " + maxThreads);
        }
        if (minCtasPerSm < 0) {
            throw new IllegalArgumentException("launch bounds: CTAs per SM must not be negative, got " + minCtasPerSm);
        }
    }

    /**
     * The most registers per thread that a kernel may start with: the register file shared evenly, in steps of 8, at
     * most 255.
     */
    public int registerCap(int registersPerSm) {
        int share = registersPerSm / Math.max(1, minCtasPerSm) / maxThreads / 8 * 8;
        return Math.min(255, share);
    }
}
