package dev.tilewright.simulator;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.ShapeRange;
import dev.tilewright.model.range.Regret;
import dev.tilewright.model.range.Reign;
import dev.tilewright.model.range.Reigns;
import dev.tilewright.model.range.RowSamples;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.device.LaunchModel;
import dev.tilewright.space.family.FamilySpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.IntToDoubleFunction;

/**
 * The table of kernels that the model of a GPU would use for a range of M; its times are predicted, not measured. The
 * model searches the space at some M, and of what it finds the table has the few kernels that lose least between them.
 * A kernel takes any M: its extents, tiles and tensor maps are arguments of the launch.
 *
 * @param kind always {@code simulated}
 * @param device of the model, such as {@code h200}
 * @param version of its constants
 * @param problem as users write it, such as {@code 1-4096x1024x768 bf16}
 * @param screened how many configs took part
 * @param seed of the M at which the table is checked
 * @param kernels in the order of their M, without gaps; one may be there more than once
 * @param regret of the table beside the best config that the model finds at each of the drawn M
 */
public record RangePredictions(
        String kind,
        String device,
        String version,
        String family,
        String problem,
        int screened,
        long seed,
        List<Span> kernels,
        Regret regret) {

    /** Kernels of a table at the most. */
    public static final int MOST_KERNELS = 8;

    /** So many M are searched; each takes a second or less. */
    private static final int SEARCHES = 16;

    private static final int TILES_A_SEARCH = 32;
    private static final int CHECKS = 16;

    /**
     * A kernel of the table.
     *
     * @param from the least M for which it is launched
     * @param to the most of them
     * @param settings the options of {@code tune} that try this config alone
     * @param usFrom microseconds of one launch with the least M
     * @param usTo the same with the most
     */
    public record Span(int from, int to, Config config, String settings, double usFrom, double usTo) {}

    public RangePredictions {
        kernels = List.copyOf(kernels);
    }

    /**
     * Predicts.
     *
     * @param wanted values of parameters that alone may be picked, in place of the usual ones
     * @param seed of the M at which the table is checked
     * @throws IllegalArgumentException as {@link Predictions#of} does
     */
    public static RangePredictions of(
            FamilySpace family,
            RangedProblem ranged,
            GpuConstants gpu,
            Map<String, List<ParameterValue>> wanted,
            long seed) {
        return new Search(family, ranged, gpu, wanted).predicted(seed);
    }

    /** What the searches of one range share. */
    private record Search(
            FamilySpace family, RangedProblem ranged, GpuConstants gpu, Map<String, List<ParameterValue>> wanted) {

        private RangePredictions predicted(long seed) {
            ShapeRange range = ranged.range();
            LaunchModel model = CostModel.of(gpu);
            int[] searched = RowSamples.even(range.least(), range.most(), SEARCHES);
            int[] samples = RowSamples.near(range.least(), range.most());
            Set<Config> found = new LinkedHashSet<>();
            for (int m : searched) {
                found.addAll(best(model, m, TILES_A_SEARCH));
            }
            List<Config> configs = found.stream()
                    .filter(config -> Arrays.stream(samples)
                            .allMatch(m -> us(model, config, m).isPresent()))
                    .toList();
            List<IntToDoubleFunction> times = new ArrayList<>();
            for (Config config : configs) {
                times.add(m -> us(model, config, m).orElseThrow());
            }
            List<Reign> reigns = Reigns.of(times, samples, MOST_KERNELS);
            return new RangePredictions(
                    Predictions.SIMULATED,
                    gpu.name(),
                    gpu.version(),
                    family.family(),
                    range + " " + ranged.like().types().a(),
                    configs.size(),
                    seed,
                    reigns.stream()
                            .map(reign -> span(model, configs.get(reign.kernel()), reign))
                            .toList(),
                    regret(
                            model,
                            reigns,
                            times,
                            RowSamples.drawn(range.least(), range.most(), CHECKS, seed, searched)));
        }

        private List<Config> best(LaunchModel model, int m, int most) {
            Problem problem = ranged.at(m);
            return Predictions.best(family, Predictions.space(family, problem, gpu, wanted), problem, model, most);
        }

        /** Absent where the model has no time for the config. */
        private OptionalDouble us(LaunchModel model, Config config, int m) {
            try {
                return OptionalDouble.of(model.settled(ranged.at(m), config).ns() / 1e3);
            } catch (IllegalArgumentException beyondTheModel) {
                return OptionalDouble.empty();
            }
        }

        private Span span(LaunchModel model, Config config, Reign reign) {
            return new Span(
                    reign.from(),
                    reign.to(),
                    config,
                    config.asOptions(),
                    us(model, config, reign.from()).orElseThrow(),
                    us(model, config, reign.to()).orElseThrow());
        }

        private Regret regret(LaunchModel model, List<Reign> reigns, List<IntToDoubleFunction> times, int[] rows) {
            List<Regret.Check> checks = new ArrayList<>();
            for (int m : rows) {
                Reign reign = reigns.stream()
                        .filter(each -> m <= each.to())
                        .findFirst()
                        .orElseThrow();
                double us = times.get(reign.kernel()).applyAsDouble(m);
                double searchedUs = best(model, m, 1).stream()
                        .mapToDouble(config -> us(model, config, m).orElseThrow())
                        .min()
                        .orElseThrow();
                double screenedUs = times.stream()
                        .mapToDouble(time -> time.applyAsDouble(m))
                        .min()
                        .orElseThrow();
                checks.add(new Regret.Check(m, us, Math.min(searchedUs, screenedUs)));
            }
            return Regret.of(checks);
        }
    }
}
