package dev.tilewright.space.device;

import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The limits of a device for a kernel.
 *
 * @param smCount number of SMs
 * @param sharedBytesPerCta largest dynamic shared memory of a CTA
 * @param deals how it deals clusters out, by the number of their CTAs, as far as somebody looked
 * @param resident how many clusters are resident at a time, by the number of their CTAs, where each CTA has an SM of
 *     its own and nobody else holds one; of a size that is missing, as many as the SMs are enough for
 */
public record DeviceLimits(
        int smCount, int sharedBytesPerCta, Map<Integer, ClusterDeal> deals, Map<Integer, Integer> resident) {

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
        List<Integer> known = residentClusters(smCount);
        return new DeviceLimits(
                smCount,
                232_448,
                Map.of(),
                IntStream.range(0, known.size()).boxed().collect(Collectors.toMap(each -> 2 << each, known::get)));
    }

    /**
     * Clusters of two, four and eight CTAs that are resident at a time on a part with this number of SMs, as far as it
     * is known: GPCs of larger clusters have SMs left over. Empty for a number that no known part has.
     */
    public static List<Integer> residentClusters(int smCount) {
        return switch (smCount) {
            // H100 and H200: a cluster of two sits on an SM pair (lab 1); counted at 222 KiB of shared memory (lab 1);
            // what the driver answers for 220 KiB.
            case 132 -> List.of(66, 30, 15);
            // B200: published device properties; GPCs of 18 and 20 SMs (assumption).
            case 148 -> List.of(74, 34);
            // GB200, likewise.
            case 152 -> List.of(76, 36);
            default -> List.of();
        };
    }

    public DeviceLimits {
        deals = Map.copyOf(deals);
        resident = Map.copyOf(resident);
    }

    /** The same of a device that somebody looked at. */
    public DeviceLimits dealing(Map<Integer, ClusterDeal> seen) {
        return new DeviceLimits(smCount, sharedBytesPerCta, seen, resident);
    }

    /** The same of a device whose resident clusters somebody counted; of a size that is missing, as it is known. */
    public DeviceLimits holding(Map<Integer, Integer> counted) {
        Map<Integer, Integer> all = new HashMap<>(resident);
        all.putAll(counted);
        return new DeviceLimits(smCount, sharedBytesPerCta, deals, all);
    }

    /** The same by its SMs alone: a space is the same on all devices with as many, whatever their GPCs leave over. */
    public DeviceLimits bySms() {
        return new DeviceLimits(smCount, sharedBytesPerCta, deals, Map.of());
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
    public boolean emulated() {
        return smCount < FEWEST_SMS;
    }

    /** CTAs of a config that are resident at a time, where nobody else holds SMs. */
    public int residentCtas(Config config) {
        return smCount * config.whole(CTAS_PER_SM, 1);
    }

    /** SMs that a scenario leaves; what is proved on an emulated GPU has all of them. */
    public int freeSms(Scenario scenario) {
        return emulated() ? smCount : smCount - scenario.busySms();
    }

    /**
     * Clusters of a persistent grid of a config, if there is work for so many: a {@code gridSize} of 0 stands for those
     * that are resident at a time on the SMs that a scenario leaves; any other for the clusters of so many CTAs,
     * whether or not they find room at once.
     */
    public int persistentClusters(Config config, Scenario scenario) {
        int size = config.whole("clusterM") * config.whole("clusterN") * config.whole("clusterK", 1);
        int gridSize = config.whole("gridSize");
        if (gridSize != 0) {
            return Math.max(1, gridSize / size);
        }
        int ctasPerSm = config.whole(CTAS_PER_SM, 1);
        int room = freeSms(scenario) * ctasPerSm / size;
        return Math.max(1, Math.min(resident.getOrDefault(size, room) * ctasPerSm, room));
    }

    /** Largest dynamic shared memory of each of so many CTAs on an SM: one has all but what the system takes. */
    public int sharedBytesPerCta(int ctasPerSm) {
        return (sharedBytesPerCta + RESERVED_BYTES) / ctasPerSm - RESERVED_BYTES;
    }
}
