package dev.tilewright.simulator;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.Candidates;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.Tile;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.device.LaunchModel;
import dev.tilewright.space.families.ConfigText;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * The configs that the model of a GPU would try first for a problem; their times are predicted, not measured. The quick
 * model finds the configs, and the simulator walks the tiles of each, so that a trial on the same model gives the same
 * time.
 *
 * @param kind always {@code simulated}
 * @param device of the model, such as {@code h200}
 * @param version of its constants
 * @param problem as users write it, such as {@code 4096x4096x4096 bf16}
 * @param spaceSize configs that could be picked
 * @param configs the best of each of the best tiles, the fastest first
 */
public record Predictions(
        String kind, String device, String version, String family, String problem, long spaceSize, List<Pick> configs) {

    static final String SIMULATED = "simulated";

    /**
     * As many configs are walked at least. The quick model takes a piece of K for cheaper than it is: of 16x4096x14336
     * its first config needs 54 us by every tile, and its second one 33.
     */
    private static final int LEAST_WALKED = 16;

    /**
     * A config with its prediction.
     *
     * @param rank from 1
     * @param settings the options of {@code tune} that try this config alone
     * @param us microseconds of one launch in a long row of them
     * @param clockMhz that the power limit leaves
     * @param smShare part of the SMs that works, on average, from 0 to 1
     * @param limit what the launch spends most of its time on: tensor, l2, dram, latency, or power where the power
     *     limit lowers the clock of the tensor cores
     * @param basis {@code tiles} if every tile was walked, as a trial of {@code tune} on the same model does: both give
     *     the same time; {@code waves} for a launch with too many tiles for that, in which all tiles take the same time
     */
    public record Pick(
            int rank,
            Config config,
            String settings,
            double us,
            double tflops,
            double clockMhz,
            double smShare,
            String limit,
            String basis) {}

    /** A config with its time, by every tile as far as there are not too many of them, or else by waves. */
    private record Timed(Config config, double ns, double clockMhz, LaunchModel.Cost cost, String basis) {

        /** Walking them takes some tens of milliseconds. */
        private static final long MOST_TILES = 32_768;

        static Timed of(GpuConstants gpu, LaunchModel model, Problem problem, Config config) {
            LaunchModel.Cost cost = model.settled(problem, config);
            KernelCost kernel = KernelCost.of(config, gpu.architecture());
            long tiles = problem.groups().stream()
                    .mapToLong(shape ->
                            (long) Math.ceilDiv(shape.m(), kernel.multiply().tileM())
                                    * Math.ceilDiv(shape.n(), kernel.multiply().tileN()))
                    .sum();
            if (tiles * problem.batch() * kernel.pieces() > MOST_TILES) {
                return new Timed(config, cost.ns(), cost.clockMhz(), cost, "waves");
            }
            SimulatedRun run = Simulator.of(gpu).run(problem, config, Simulator.USUAL_SEED);
            return new Timed(config, run.timeNs(), run.clockMhz(), cost, "tiles");
        }
    }

    public Predictions {
        configs = List.copyOf(configs);
    }

    /** The family that computes a problem on a GPU. */
    public static FamilySpace family(Families families, GpuConstants gpu) {
        return families.of(gpu.architecture()).orElseThrow();
    }

    /**
     * Predicts.
     *
     * @param wanted values of parameters that alone may be picked, in place of the usual ones
     * @param most how many configs at the most
     * @throws IllegalArgumentException naming why the family does not compute the problem, the parameter or value that
     *     it does not have, or the rules that leave no config
     */
    public static Predictions of(
            FamilySpace family, Problem problem, GpuConstants gpu, Map<String, List<ParameterValue>> wanted, int most) {
        SpaceTree space = space(family, problem, gpu, wanted);
        LaunchModel model = CostModel.of(gpu);
        List<Timed> timed = best(family, space, problem, model, Math.max(most, LEAST_WALKED)).parallelStream()
                .map(config -> Timed.of(gpu, model, problem, config))
                .sorted(Comparator.comparingDouble(Timed::ns))
                .limit(most)
                .toList();
        List<Pick> picks = new ArrayList<>();
        for (Timed each : timed) {
            picks.add(new Pick(
                    picks.size() + 1,
                    each.config(),
                    ConfigText.options(Families.standard(), family.family(), each.config()),
                    each.ns() / 1e3,
                    problem.tflops(each.ns()),
                    each.clockMhz(),
                    each.cost().smShare(),
                    each.cost().limit().text(),
                    each.basis()));
        }
        return new Predictions(
                SIMULATED,
                gpu.name(),
                gpu.version(),
                family.family(),
                problem.shapes() + " " + problem.types().a(),
                space.size(),
                picks);
    }

    /**
     * The configs that may be picked.
     *
     * @throws IllegalArgumentException as {@link #of} does
     */
    static SpaceTree space(
            FamilySpace family, Problem problem, GpuConstants gpu, Map<String, List<ParameterValue>> wanted) {
        family.refusal(problem).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        DeviceLimits limits = DeviceLimits.of(gpu.topology().smCount());
        SpaceTree space = SpaceTree.of(family.space(problem, limits).usual(wanted));
        if (space.isEmpty()) {
            throw new IllegalArgumentException("no config keeps every rule: " + space.emptiedBy());
        }
        return space;
    }

    /** One of each tile: configs of one tile differ in details that the model hardly sees. */
    static List<Config> best(FamilySpace family, SpaceTree space, Problem problem, LaunchModel model, int most) {
        ToDoubleFunction<Config> logTime = config -> {
            try {
                return StrictMath.log(model.settled(problem, config).ns());
            } catch (IllegalArgumentException beyondTheModel) {
                return Double.POSITIVE_INFINITY;
            }
        };
        Set<Tile> tiles = new HashSet<>();
        return Candidates.of(space, family.tile(), family.variants(), logTime).keySet().stream()
                .filter(config -> tiles.add(Tile.of(family.tile(), config)))
                .limit(most)
                .toList();
    }
}
