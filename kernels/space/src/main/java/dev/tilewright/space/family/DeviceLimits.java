package dev.tilewright.space.family;

import dev.tilewright.model.space.Config;
import java.util.Map;

/**
 * What a device allows a kernel.
 *
 * @param smCount number of SMs
 * @param sharedBytesPerCta largest dynamic shared memory of a CTA
 * @param deals how it deals clusters out, by the number of their CTAs, as far as somebody looked
 */
public record DeviceLimits(int smCount, int sharedBytesPerCta, Map<Integer, ClusterDeal> deals) {

    /** Of the shared memory of an SM, what each CTA takes for the system. */
    private static final int RESERVED_BYTES = 1024;

    /** GPUs with fewer SMs are emulated ones. */
    private static final int FEWEST_SMS = 16;

    /** Of Hopper and Blackwell data-centre parts most GPCs have so many, or a few more. */
    private static final int SMS_OF_GPC = 16;

    /** So many at the least: with one all orders are the same. */
    private static final int FEWEST_GPCS = 2;

    /** How many CTAs an SM has at a time; 1 where a config does not say it. */
    public static final String CTAS_PER_SM = "ctasPerSm";

    /** Hopper and Blackwell data-centre parts with this number of SMs. */
    public static DeviceLimits of(int smCount) {
        return new DeviceLimits(smCount, 232_448, Map.of());
    }

    public DeviceLimits {
        deals = Map.copyOf(deals);
    }

    /** The same of a device that somebody looked at. */
    public DeviceLimits dealing(Map<Integer, ClusterDeal> seen) {
        return new DeviceLimits(smCount, sharedBytesPerCta, seen);
    }

    /** How it deals clusters of so many CTAs out; where nobody looked, one by one to GPCs of the usual size. */
    public ClusterDeal deal(int clusterSize) {
        ClusterDeal seen = deals.get(clusterSize);
        return seen != null
                ? seen
                : ClusterDeal.roundRobin(smCount / clusterSize, Math.max(FEWEST_GPCS, smCount / SMS_OF_GPC));
    }

    /**
     * Whether it is an emulated GPU: on these a config is proved that was drawn for a larger one and another problem.
     */
    boolean emulated() {
        return smCount < FEWEST_SMS;
    }

    /** CTAs of a config that are resident at a time, where nobody else holds SMs. */
    public int residentCtas(Config config) {
        return smCount * config.whole(CTAS_PER_SM, 1);
    }

    /**
     * Clusters of a persistent grid of a config, if there is work for so many: a {@code gridSize} of 0 fills the SMs.
     */
    public int residentClusters(Config config) {
        int gridSize = config.whole("gridSize");
        int ctas = gridSize == 0 ? residentCtas(config) : gridSize;
        return Math.max(1, ctas / (config.whole("clusterM") * config.whole("clusterN")));
    }

    /** Largest dynamic shared memory of each of so many CTAs on an SM: one has all but what the system takes. */
    int sharedBytesPerCta(int ctasPerSm) {
        return (sharedBytesPerCta + RESERVED_BYTES) / ctasPerSm - RESERVED_BYTES;
    }
}
