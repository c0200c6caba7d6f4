package dev.tilewright.space.family;

import static dev.tilewright.space.family.GemmRules.rule;
import static dev.tilewright.space.family.GemmRules.when;
import static dev.tilewright.space.family.StreamK.PARAMETER;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.share.StreamShares;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where it is worth it that clusters share the tiles of a wave that is not full: there is such a wave, it is more than
 * a sixth of all, and shares are deep enough to pay for their sums.
 */
final class StreamRules {

    /** Behind more full waves than these, the last one is less than a sixth of the time. */
    private static final int MAX_WAVES = 4;

    /**
     * A piece of fewer blocks moves more bytes for its sums than for its operands: of a tile of 128x128 it leaves and
     * reads 128 KiB, and loads 32 KiB for each block.
     */
    private static final int MIN_BLOCKS = 4;

    /** All of these are resident; of clusters of four an H200 has 30 at a time, and not 33. */
    private static final int LARGEST_CLUSTER = 2;

    private StreamRules() {}

    /** What is tried; no shares where even the largest tiles take many waves, nor of several GEMMs, by a table. */
    static Parameter parameter(Problem problem, DeviceLimits limits) {
        ProblemShape shape = problem.shape();
        long elements = (MAX_WAVES + 1) * limits.smCount() * Sm90Registers.MOST_CUT_ELEMENTS;
        boolean few = (long) shape.m() * shape.n() <= elements || limits.emulated();
        return problem.isSingle() && few
                ? Parameter.text(PARAMETER, StreamK.NONE.toString(), StreamK.REMAINDER.toString())
                        .usually(StreamK.NONE.toString())
                : Parameter.text(PARAMETER, StreamK.NONE.toString());
    }

    static Stream<Constraint> of(Problem problem, DeviceLimits limits) {
        return Stream.of(
                rule("streamCluster", StreamRules::cluster, "clusterM", "clusterN", PARAMETER),
                rule(
                        "streamWaves",
                        config -> waves(problem, limits.bySms(), config),
                        "tileM",
                        "tileN",
                        "clusterM",
                        "clusterN",
                        DeviceLimits.CTAS_PER_SM,
                        "gridSize",
                        PARAMETER),
                rule(
                        "streamDepth",
                        config -> depth(problem, limits.bySms(), config),
                        "tileM",
                        "tileN",
                        "tileK",
                        "clusterM",
                        "clusterN",
                        DeviceLimits.CTAS_PER_SM,
                        "gridSize",
                        PARAMETER));
    }

    private static boolean isOff(Config config) {
        return StreamK.orNone(config) == StreamK.NONE;
    }

    private static Optional<String> cluster(Config config) {
        int size = config.whole("clusterM") * config.whole("clusterN");
        return when(
                !isOff(config) && size > LARGEST_CLUSTER,
                () -> "of clusters of " + size
                        + " CTAs some begin when others have ended, and have as much to do: with " + PARAMETER + " = "
                        + StreamK.orNone(config) + " a cluster has at most " + LARGEST_CLUSTER);
    }

    private static Optional<StreamShares> shares(Problem problem, DeviceLimits limits, Config config, int blocks) {
        if (isOff(config) || limits.emulated()) {
            return Optional.empty();
        }
        int tiles = Math.toIntExact(GemmRules.clusterTiles(problem.shape(), config));
        return Optional.of(new StreamShares(tiles, blocks, limits.persistentClusters(config, problem.scenario())));
    }

    private static Optional<String> waves(Problem problem, DeviceLimits limits, Config config) {
        return shares(problem, limits, config, 1).flatMap(shares -> {
            if (shares.sharedTiles() == 0) {
                return Optional.of(shares.tiles() + " cluster tiles are whole waves of " + shares.clusters()
                        + " clusters, so that there is nothing to share");
            }
            int waves = shares.tiles() / shares.clusters();
            return when(
                    waves > MAX_WAVES,
                    () -> "of " + shares.tiles() + " cluster tiles " + shares.clusters() + " clusters compute " + waves
                            + " waves, more than " + MAX_WAVES + ", so that little is to be gained of the last one");
        });
    }

    private static Optional<String> depth(Problem problem, DeviceLimits limits, Config config) {
        int blocks = Math.ceilDiv(problem.shape().k(), config.whole("tileK"));
        return shares(problem, limits, config, blocks)
                .flatMap(shares -> when(
                        shares.shareBlocks() < MIN_BLOCKS,
                        () -> shares.sharedTiles() + " cluster tiles of " + blocks + " blocks are "
                                + shares.shareBlocks()
                                + " for each of " + shares.clusters() + " clusters, fewer than the " + MIN_BLOCKS
                                + " that pay for their sums"));
    }
}
