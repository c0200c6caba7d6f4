package dev.tilewright.simulator;

import dev.tilewright.simulator.sweep.Sweep;
import dev.tilewright.simulator.sweep.SweepFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** How well the cost model orders the configs of a shape that its constants were not fitted to. */
final class CostModelReport {

    static final Path SWEEPS = Path.of("../../docs/results/h200/sweeps");

    private CostModelReport() {}

    /**
     * One shape.
     *
     * @param spearman rank correlation of predicted and measured times
     * @param first what the best of the first n picks holds of the best of all, for n of {@link #PICKS}
     * @param bias geometric mean of predicted / measured time
     * @param spread standard deviation of its logarithm
     */
    record Judged(String shape, int configs, double spearman, List<Double> first, double bias, double spread) {}

    static final List<Integer> PICKS = List.of(1, 4, 16, 64);

    static Judged judge(GpuConstants gpu, Sweep sweep) {
        CostModel model = CostModel.of(gpu);
        List<Sweep.Timed> timed = sweep.timed();
        double[] predicted = timed.stream()
                .mapToDouble(row -> model.screened(sweep.problem(), row.config()).ns())
                .toArray();
        double[] measured = timed.stream().mapToDouble(Sweep.Timed::cost).toArray();
        double[] errors = IntStream.range(0, predicted.length)
                .mapToDouble(i ->
                        StrictMath.log(predicted[i] / timed.get(i).time().medianNs()))
                .toArray();
        double bias = Arrays.stream(errors).average().orElseThrow();
        double variance = Arrays.stream(errors)
                .map(error -> (error - bias) * (error - bias))
                .average()
                .orElseThrow();
        double best = Arrays.stream(measured).min().orElseThrow();
        List<Integer> order = IntStream.range(0, predicted.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> predicted[i]))
                .toList();
        List<Double> first = PICKS.stream()
                .map(picks -> best
                        / order.stream()
                                .limit(picks)
                                .mapToDouble(i -> measured[i])
                                .min()
                                .orElseThrow())
                .toList();
        return new Judged(
                sweep.shape().toString(),
                timed.size(),
                Ranks.spearman(predicted, measured),
                first,
                StrictMath.exp(bias),
                Math.sqrt(variance));
    }

    static void main() throws IOException {
        List<Sweep> sweeps = SweepFile.readAll(SWEEPS);
        GpuConstants all = ConstantFit.fit(SimulatedGpus.H200, sweeps);
        double[] fitted = FreeConstants.of(all);
        for (int i = 0; i < fitted.length; i++) {
            IO.println(String.format(Locale.ROOT, "%-24s %.5g", FreeConstants.NAMES.get(i), fitted[i]));
        }
        for (Sweep left : sweeps) {
            List<Sweep> others = new ArrayList<>(sweeps);
            others.remove(left);
            IO.println(judge(all, left));
            IO.println("  left out " + judge(ConstantFit.fit(all, others), left));
        }
    }
}
