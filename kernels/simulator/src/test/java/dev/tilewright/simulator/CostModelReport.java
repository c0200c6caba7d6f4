package dev.tilewright.simulator;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.simulator.sweep.StoredSweep;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How well the cost model orders the configs of each stored sweep: with the committed constants, which were fitted to
 * all of them, and with constants fitted to all others.
 *
 * @param commit of the source; {@code unknown} if nobody said
 * @param version of the constants
 * @param fitted the free constants, as committed and as the fit to all sweeps gives them now
 * @param shapes one for each sweep of the narrow space, in which every parameter was tried that the first kernels had
 * @param broad one for each sweep of the whole space
 * @param later sweeps that nothing is fitted to
 * @param data where the times come from
 */
record CostModelReport(
        String commit,
        String version,
        Map<String, Fitted> fitted,
        List<Shape> shapes,
        List<Shape> broad,
        List<Later> later,
        List<Data> data) {

    /** For how many picks it is said what they hold. */
    static final List<Integer> PICKS = List.of(1, 4, 16, 64);

    /**
     * A free constant.
     *
     * @param least of the fits that leave out a shape
     * @param most likewise
     */
    record Fitted(double committed, double now, double least, double most) {}

    /** A shape, judged with the committed constants and as one that the constants do not know. */
    record Shape(String shape, int configs, Judged committed, Judged leftOut) {}

    /** A sweep file. */
    record Data(String shape, int configs, int timed, List<String> pieces) {}

    /**
     * How predicted and measured times agree.
     *
     * @param spearman rank correlation
     * @param held what the best of the first n picks of the model has of the speed of the best of all, for n of
     *     {@link #PICKS}
     * @param bias geometric mean of predicted / measured time
     * @param spread standard deviation of its logarithm
     */
    record Judged(double spearman, List<Double> held, double bias, double spread) {

        static Judged of(GpuConstants gpu, StoredSweep sweep) {
            CostModel model = CostModel.of(gpu);
            List<StoredSweep.Timed> timed = sweep.timed();
            double[] predicted = timed.stream()
                    .mapToDouble(row -> model.screened(
                                    Problem.of(sweep.shape(), sweep.dtype()), StoredSweep.asLaunched(row.config()))
                            .ns())
                    .toArray();
            double[] measured =
                    timed.stream().mapToDouble(StoredSweep.Timed::ns).toArray();
            double[] errors = IntStream.range(0, predicted.length)
                    .mapToDouble(i -> StrictMath.log(predicted[i] / measured[i]))
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
            List<Double> held = PICKS.stream()
                    .map(picks -> best
                            / order.stream()
                                    .limit(picks)
                                    .mapToDouble(i -> measured[i])
                                    .min()
                                    .orElseThrow())
                    .toList();
            return new Judged(Ranks.spearman(predicted, measured), held, StrictMath.exp(bias), Math.sqrt(variance));
        }

        /** Share of the best that the first 16 hold. */
        double heldBySixteen() {
            return held.get(PICKS.indexOf(16));
        }
    }

    /** How the committed constants do on a sweep that is not among those they were fitted to. */
    record Later(String shape, int configs, Judged committed) {
        static Later of(GpuConstants gpu, StoredSweep sweep) {
            return new Later(sweep.shape().toString(), sweep.timed().size(), Judged.of(gpu, sweep));
        }
    }

    /** A shape is left out with all its sweeps. */
    static CostModelReport make(
            String commit,
            GpuConstants gpu,
            List<StoredSweep> narrow,
            List<StoredSweep> broad,
            List<StoredSweep> later) {
        List<StoredSweep> sweeps =
                Stream.concat(narrow.stream(), broad.stream()).toList();
        GpuConstants now = ConstantFit.fit(gpu, sweeps);
        Map<ProblemShape, GpuConstants> without = new LinkedHashMap<>();
        for (StoredSweep left : sweeps) {
            without.computeIfAbsent(left.shape(), shape -> ConstantFit.fit(gpu, without(sweeps, shape)));
        }
        List<double[]> fits = without.values().stream().map(FreeConstants::of).toList();
        Map<String, Fitted> fitted = new LinkedHashMap<>();
        for (int i = 0; i < FreeConstants.NAMES.size(); i++) {
            int constant = i;
            fitted.put(
                    FreeConstants.NAMES.get(i),
                    new Fitted(
                            FreeConstants.of(gpu)[i],
                            FreeConstants.of(now)[i],
                            fits.stream()
                                    .mapToDouble(fit -> fit[constant])
                                    .min()
                                    .orElseThrow(),
                            fits.stream()
                                    .mapToDouble(fit -> fit[constant])
                                    .max()
                                    .orElseThrow()));
        }
        List<Data> data = Stream.concat(sweeps.stream(), later.stream())
                .map(sweep -> new Data(
                        sweep.shape().toString(),
                        sweep.rows().size(),
                        sweep.timed().size(),
                        sweep.pieces()))
                .toList();
        List<Later> judged = later.stream().map(sweep -> Later.of(gpu, sweep)).toList();
        return new CostModelReport(
                commit, gpu.version(), fitted, shapes(gpu, without, narrow), shapes(gpu, without, broad), judged, data);
    }

    /** All sweeps but those of a shape. */
    static List<StoredSweep> without(List<StoredSweep> sweeps, ProblemShape shape) {
        return sweeps.stream().filter(sweep -> !sweep.shape().equals(shape)).toList();
    }

    private static List<Shape> shapes(
            GpuConstants gpu, Map<ProblemShape, GpuConstants> without, List<StoredSweep> sweeps) {
        return sweeps.stream()
                .map(sweep -> new Shape(
                        sweep.shape().toString(),
                        sweep.timed().size(),
                        Judged.of(gpu, sweep),
                        Judged.of(Objects.requireNonNull(without.get(sweep.shape())), sweep)))
                .toList();
    }

    String markdown() {
        StringBuilder text = new StringBuilder("""
                # The cost model of the H200 beside stored sweeps

                Written by `CostModelReportTest`; `docs/simulator.md` says what the model is and how it is fitted. *Left out*: the free constants were fitted to all sweeps of all other shapes, so the
                shape is one that they do not know. *Held by n*: speed of the best of the model's first n picks over that of the best of the whole sweep, as the screens measured both. *Bias*: geometric
                mean of predicted / measured time; *spread*: standard deviation of its logarithm.

                """);
        text.append("Constants ")
                .append(version)
                .append(", commit ")
                .append(commit)
                .append(".\n\n");
        table(text, shapes);
        text.append("""
                ## The whole space

                Random configs of all parameters and values that the kernel has, each timed beside an anchor. The constants are fitted to every fifth of them; all are judged. The bias is that of the
                clock as well, which was lower than in the sweeps above; the fit takes out what all configs of a sweep are off.

                """);
        table(text, broad);
        text.append("""
                ## Sweeps that nothing was fitted to

                Random configs of the wide space, with parameters and values that the others do not have, each timed beside an anchor.

                | shape | configs | rank correlation | held by 1 / 4 / 16 / 64 | spread |
                | --- | --- | --- | --- | --- |
                """);
        for (Later sweep : later) {
            Judged judged = sweep.committed();
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %d | **%.3f** | %.1f / %.1f / **%.1f** / %.1f %% | %.3f |%n",
                    sweep.shape(),
                    sweep.configs(),
                    judged.spearman(),
                    100 * judged.held().get(0),
                    100 * judged.held().get(1),
                    100 * judged.held().get(2),
                    100 * judged.held().get(3),
                    judged.spread()));
        }
        text.append("""

                ## Fitted constants

                | constant | committed | fit to all | range over the fits that leave out a shape |
                | --- | --- | --- | --- |
                """);
        fitted.forEach((name, value) -> text.append(String.format(
                Locale.ROOT,
                "| %s | %.4g | %.4g | %.4g to %.4g |%n",
                name,
                value.committed(),
                value.now(),
                value.least(),
                value.most())));
        text.append("""

                ## Data

                | shape | configs | with a time | pieces |
                | --- | --- | --- | --- |
                """);
        data.forEach(sweep -> text.append(String.format(
                Locale.ROOT,
                "| %s | %d | %d | %s |%n",
                sweep.shape(),
                sweep.configs(),
                sweep.timed(),
                String.join("; ", sweep.pieces()))));
        return text.toString();
    }

    private static void table(StringBuilder text, List<Shape> shapes) {
        text.append("""
                | shape | configs | rank correlation, **left out** | held by 16, **left out** | held by 1 / 4 / 64 | bias | spread | rank correlation, fitted with |
                | --- | --- | --- | --- | --- | --- | --- | --- |
                """);
        for (Shape shape : shapes) {
            Judged left = shape.leftOut();
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %d | **%.3f** | **%.1f %%** | %.1f / %.1f / %.1f %% | %.2f | %.3f | %.3f |%n",
                    shape.shape(),
                    shape.configs(),
                    left.spearman(),
                    100 * left.heldBySixteen(),
                    100 * left.held().get(0),
                    100 * left.held().get(1),
                    100 * left.held().get(3),
                    left.bias(),
                    left.spread(),
                    shape.committed().spearman()));
        }
        text.append(String.format(
                Locale.ROOT,
                "%nLeast rank correlation of a left-out shape %.3f, mean %.3f; least share held by 16 picks %.1f %%.%n%n",
                shapes.stream()
                        .mapToDouble(shape -> shape.leftOut().spearman())
                        .min()
                        .orElseThrow(),
                shapes.stream()
                        .mapToDouble(shape -> shape.leftOut().spearman())
                        .average()
                        .orElseThrow(),
                100
                        * shapes.stream()
                                .mapToDouble(shape -> shape.leftOut().heldBySixteen())
                                .min()
                                .orElseThrow()));
    }
}
