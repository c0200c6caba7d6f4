package dev.tilewright.simulator;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.ShapeRange;
import dev.tilewright.model.range.MeanLoss;
import dev.tilewright.model.range.Regret;
import dev.tilewright.model.range.Reign;
import dev.tilewright.model.range.Reigns;
import dev.tilewright.model.range.RowSamples;
import dev.tilewright.model.range.Span;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.device.LaunchModel;
import dev.tilewright.space.family.FamilySpace;
import java.util.ArrayList;
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
 * @param seed of the drawn M
 * @param drawn whether the table was checked at drawn M; a range of few M has none that were not searched, and is
 *     checked at those
 * @param kernels in the order of their M, without gaps; one may be there more than once
 * @param regret of the table beside the best config that the model finds at each M of the check
 * @param lost the mean loss of the table, and that of one with twice as many kernels if it loses less
 */
public record RangePredictions(
        String kind,
        String device,
        String version,
        String family,
        String problem,
        int screened,
        long seed,
        boolean drawn,
        List<Span> kernels,
        Regret regret,
        List<MeanLoss> lost) {

    /** So many M are searched; each takes a second or less. */
    private static final int SEARCHES = 16;

    private static final int TILES_A_SEARCH = 32;
    private static final int CHECKS = 16;

    public RangePredictions {
        kernels = List.copyOf(kernels);
        lost = List.copyOf(lost);
    }

    /**
     * Predicts.
     *
     * @param wanted values of parameters that alone may be picked, in place of the usual ones
     * @param most kernels of the table at the most
     * @param seed of the M at which the table is checked
     * @throws IllegalArgumentException naming why the family does not compute the problem with the least or the most M,
     *     or why no M has a config
     */
    public static RangePredictions of(
            FamilySpace family,
            RangedProblem ranged,
            GpuConstants gpu,
            Map<String, List<ParameterValue>> wanted,
            int most,
            long seed) {
        return new Search(family, ranged, gpu, wanted).predicted(most, seed);
    }

    /** The searches of one range. */
    private record Search(
            FamilySpace family, RangedProblem ranged, GpuConstants gpu, Map<String, List<ParameterValue>> wanted) {

        private RangePredictions predicted(int most, long seed) {
            ShapeRange range = ranged.range();
            for (int m : List.of(range.least(), range.most())) {
                family.refusal(ranged.at(m)).ifPresent(reason -> {
                    throw new IllegalArgumentException(reason);
                });
            }
            LaunchModel model = CostModel.of(gpu);
            int[] searched = RowSamples.even(range.least(), range.most(), SEARCHES);
            List<Config> configs = screened(model, searched);
            List<IntToDoubleFunction> times = new ArrayList<>();
            for (Config config : configs) {
                times.add(m -> us(model, config, m).orElseThrow());
            }
            Reigns.Choice table = Reigns.among(times, RowSamples.near(range.least(), range.most()))
                    .table(most);
            List<Reign> reigns = table.reigns();
            int[] drawn = RowSamples.drawn(range.least(), range.most(), CHECKS, seed, searched);
            boolean anyDrawn = drawn.length > 0;
            return new RangePredictions(
                    Predictions.SIMULATED,
                    gpu.name(),
                    gpu.version(),
                    family.family(),
                    range + " " + ranged.like().types().a(),
                    configs.size(),
                    seed,
                    anyDrawn,
                    reigns.stream()
                            .map(reign -> span(model, configs.get(reign.kernel()), reign))
                            .toList(),
                    regret(model, reigns, times, anyDrawn ? drawn : searched),
                    table.lost());
        }

        /** The configs that the searches find. An M may have no config with the wanted values, but not every one. */
        private List<Config> screened(LaunchModel model, int[] searched) {
            Set<Config> found = new LinkedHashSet<>();
            List<String> reasons = new ArrayList<>();
            // A space of few rows may have a parameter that others lack: the same kernel has one name.
            SearchSpace least =
                    family.space(ranged.least(), DeviceLimits.of(gpu.topology().smCount()));
            for (int m : searched) {
                try {
                    best(model, m, TILES_A_SEARCH).stream()
                            .map(least::completed)
                            .forEach(found::add);
                } catch (IllegalArgumentException none) {
                    reasons.add("with M = " + m + ": " + none.getMessage());
                }
            }
            List<Config> timed = found.stream()
                    .filter(config -> us(model, config, ranged.range().least()).isPresent())
                    .toList();
            if (timed.isEmpty()) {
                throw new IllegalArgumentException(
                        reasons.isEmpty() ? "the model has no time for any config" : reasons.getLast());
            }
            return timed;
        }

        private List<Config> best(LaunchModel model, int m, int most) {
            Problem problem = ranged.at(m);
            return Predictions.best(family, Predictions.space(family, problem, gpu, wanted), problem, model, most);
        }

        /** Of a search at one M; absent where no config has the wanted values there. */
        private OptionalDouble fastest(LaunchModel model, int m) {
            try {
                return best(model, m, 1).stream()
                        .flatMapToDouble(config -> us(model, config, m).stream())
                        .min();
            } catch (IllegalArgumentException none) {
                return OptionalDouble.empty();
            }
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
                double screenedUs = times.stream()
                        .mapToDouble(time -> time.applyAsDouble(m))
                        .min()
                        .orElseThrow();
                checks.add(new Regret.Check(
                        m, us, Math.min(screenedUs, fastest(model, m).orElse(screenedUs))));
            }
            return Regret.of(checks);
        }
    }
}
