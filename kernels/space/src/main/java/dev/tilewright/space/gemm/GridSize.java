package dev.tilewright.space.gemm;

import static dev.tilewright.space.gemm.GemmRules.rule;
import static dev.tilewright.space.gemm.GemmRules.when;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.parameter.Scheduler;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * CTAs of a persistent grid of a GEMM. Zero stands for all that are resident on the SMs that are free; a few less leave
 * some SMs out, which costs nothing where the tiles take as many waves, and gives the others more of L2 and of the
 * power. Where SMs are held, all SMs of the GPU are offered too: the grid of a launch that does not know of it.
 */
public final class GridSize {

    /** Name of the parameter. */
    public static final String PARAMETER = "gridSize";

    /** So many as are resident. */
    public static final int ALL_RESIDENT = 0;

    private static final int UNIT = 16;

    private GridSize() {}

    /** For one GEMM all, and the largest multiple of 16 that leaves SMs out; tiles of uneven depth have no waves. */
    public static Parameter parameter(Problem problem, DeviceLimits limits) {
        int fewer = (limits.freeSms(problem.scenario()) - 1) / UNIT * UNIT;
        return problem.isSingle() && fewer > 0
                ? parameter(problem.scenario(), limits, ALL_RESIDENT, fewer)
                : parameter(problem.scenario(), limits, ALL_RESIDENT);
    }

    /** These values, and where SMs are held the number of all SMs, which is tried only where the user asks for it. */
    public static Parameter parameter(Scenario scenario, DeviceLimits limits, int... usual) {
        IntStream ofAllSms =
                limits.freeSms(scenario) < limits.smCount() ? IntStream.of(limits.smCount()) : IntStream.empty();
        return Parameter.launch(
                        PARAMETER,
                        IntStream.concat(IntStream.of(usual), ofAllSms).toArray())
                .usually(usual);
    }

    /** @param problem of one GEMM */
    public static Stream<Constraint> rules(Problem problem, DeviceLimits limits) {
        return Stream.of(
                rule("gridSizeUnused", GridSize::unused, "scheduler", PARAMETER),
                rule(
                        "gridSizeWaves",
                        config -> waves(problem, limits.bySms(), config),
                        "tileM",
                        "tileN",
                        "clusterM",
                        "clusterN",
                        DeviceLimits.CTAS_PER_SM,
                        "splitK",
                        PARAMETER));
    }

    private static Optional<String> unused(Config config) {
        Scheduler scheduler = Scheduler.KEY.of(config);
        int gridSize = config.whole(PARAMETER);
        return when(
                gridSize != ALL_RESIDENT && !scheduler.residentGrid(),
                () -> "the scheduler " + scheduler + " has a cluster for each cluster tile, so " + PARAMETER
                        + " must be " + ALL_RESIDENT + ", got " + gridSize);
    }

    private static Optional<String> waves(Problem problem, DeviceLimits limits, Config config) {
        int gridSize = config.whole(PARAMETER);
        if (gridSize == ALL_RESIDENT || gridSize == limits.smCount()) {
            return Optional.empty();
        }
        long tiles = GemmRules.clusterTiles(problem.shape(), config) * config.whole("splitK", 1);
        int clusters = limits.persistentClusters(config, problem.scenario());
        int all =
                limits.persistentClusters(config.with(PARAMETER, ParameterValue.of(ALL_RESIDENT)), problem.scenario());
        if (tiles <= clusters) {
            return Optional.of("the " + tiles + " cluster tiles or pieces are one wave of " + clusters
                    + " clusters, so " + PARAMETER + " must be " + ALL_RESIDENT + ", got " + gridSize);
        }
        long waves = Math.ceilDiv(tiles, clusters);
        long fewest = Math.ceilDiv(tiles, all);
        return when(
                waves > fewest,
                () -> tiles + " cluster tiles or pieces take " + waves + " waves of " + clusters + " clusters, and "
                        + fewest + " of the " + all + " that are resident");
    }
}
