package dev.tilewright.worker.cli.capture;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.ShapeRange;
import dev.tilewright.simulator.GpuConstants;
import dev.tilewright.simulator.Predictions;
import dev.tilewright.simulator.Roofline;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.space.families.Families;
import dev.tilewright.worker.cli.capture.CapturedProblem.Row;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The tuned problems of a recording in their order, and the reasons why the others are not tuned.
 *
 * @param basis the source of the shares, for people
 * @param lines one for each problem and M, the largest share of time first
 */
public record CapturePlan(String basis, List<Line> lines) {

    /** As many problems as a job may have. */
    static final int MOST_TUNED = 256;

    /**
     * A call within this of the roofline has nothing to gain. The model refuses none: it knows kernels of few rows by
     * up to twice their time, and a program that rests between its steps clocks higher than the model's sustained
     * state.
     */
    static final double NO_ROOM = 0.03;

    /** As many M as a range has kernels are tuned one by one, or not at all. */
    private static final int FEW = 8;

    /** Predicts the time of the best config. */
    interface Model {

        /** Microseconds; empty for a problem that the model does not know. */
        OptionalDouble us(Problem problem, GpuConstants gpu);
    }

    /**
     * A problem with one M, or with a range of M of which none is worth it by itself.
     *
     * @param row of the range: all of its calls, with the least M
     * @param range empty for one M
     * @param share of the recorded GPU time, or of the least time of all problems where nothing was profiled
     * @param vendorUs microseconds that a call took in the recording
     * @param modelUs microseconds of the best config by the model; only where there is something to compare it with
     * @param rooflineUs microseconds of a call at the roofline of the recorded GPU; likewise
     * @param skipped why it is not tuned; empty if it is
     */
    public record Line(
            CapturedProblem problem,
            Row row,
            Optional<ShapeRange> range,
            double share,
            Optional<Double> vendorUs,
            Optional<Double> modelUs,
            Optional<Double> rooflineUs,
            Optional<String> skipped) {

        private Line(
                CapturedProblem problem, Row row, Optional<ShapeRange> range, double share, Optional<String> skipped) {
            this(problem, row, range, share, row.us(), Optional.empty(), Optional.empty(), skipped);
        }

        private Line skipped(String why) {
            return new Line(problem, row, range, share, Optional.of(why));
        }

        /** The part of a call's time that the model expects to save. */
        Optional<Double> gain() {
            return modelUs.flatMap(model -> vendorUs.map(vendor -> 1 - model / vendor));
        }

        /** The part of a call's time above the roofline, where it is above it. */
        Optional<Double> room() {
            return rooflineUs.flatMap(least -> vendorUs.map(vendor -> Math.max(0, 1 - least / vendor)));
        }

        /** Share times what the model expects and what the roofline allows; all of it without a measured time. */
        private double worth() {
            return share
                    * room().map(room -> room + Math.max(gain().orElse(0.0), 0)).orElse(1.0);
        }

        /** The problem, of a range that with the least M; only of a line that is tuned. */
        public Problem tuned() {
            return problem.problem(row).orElseThrow();
        }

        /** The range of M of the problem; only of a line that is tuned. */
        public Optional<RangedProblem> ranged() {
            return range.map(known -> new RangedProblem(known, tuned()));
        }

        /** The problem with its M, for people. */
        public String text() {
            return range.map(known -> problem.text(known.toString())).orElseGet(() -> problem.text(row));
        }

        /** How often the recording computed it. */
        public double weight() {
            return row.launches();
        }
    }

    public CapturePlan {
        lines = List.copyOf(lines);
    }

    /**
     * The least share of {@code --least-share}.
     *
     * @param percent as the user gave it
     * @throws CommandFailedException if it is none
     */
    public static double leastShare(double percent) {
        if (!(percent >= 0 && percent <= 100)) {
            throw CommandFailedException.usage("--least-share: must be from 0 to 100, got " + percent);
        }
        return percent / 100;
    }

    /**
     * Plans.
     *
     * @param leastShare problems with a smaller share are not tuned
     * @param simulated the model's GPU where the user named one; otherwise it is the recorded one
     * @throws CommandFailedException if nothing of the recording is tuned
     */
    public static CapturePlan of(CaptureFile file, double leastShare, Optional<GpuConstants> simulated) {
        return of(file, leastShare, simulated, CapturePlan::predicted);
    }

    static CapturePlan of(CaptureFile file, double leastShare, Optional<GpuConstants> simulated, Model model) {
        CapturePlan shares = byShare(file, leastShare, simulated);
        Optional<GpuConstants> recorded = file.device().flatMap(SimulatedGpus::ofDevice);
        // Times of one GPU say nothing about the model of another one.
        boolean comparable =
                recorded.isPresent() && simulated.or(() -> recorded).equals(recorded);
        CapturePlan plan = comparable
                ? new CapturePlan(
                        shares.basis(),
                        shares.lines().stream()
                                .map(line -> compared(line, recorded.get(), model))
                                .toList())
                : shares;
        if (plan.tuned().isEmpty()) {
            throw CommandFailedException.usage("--from: nothing of the recording is tuned: "
                    + plan.lines().stream()
                            .findFirst()
                            .map(line -> line.text() + ": " + line.skipped().orElse(""))
                            .orElse("it has no GEMM"));
        }
        return plan;
    }

    /**
     * The same, whether or not the model expects a gain; it may have nothing to tune.
     *
     * @param simulated the GPU whose datasheet counts in a recording without times; otherwise it is the recorded one
     */
    public static CapturePlan byShare(CaptureFile file, double leastShare, Optional<GpuConstants> simulated) {
        GpuConstants gpu = simulated
                .or(() -> file.device().flatMap(SimulatedGpus::ofDevice))
                .orElse(SimulatedGpus.H200);
        boolean profiled = file.gpu().isPresent();
        Roofline roofline = Roofline.ofDevice(gpu.name()).orElseThrow();
        List<Line> all = new ArrayList<>();
        double sum = profiled ? 1 : leastTime(file, roofline);
        for (CapturedProblem problem : file.problems()) {
            List<Line> small = new ArrayList<>();
            for (Row row : problem.rows()) {
                double share = profiled
                        ? row.timeShare().orElse(0.0)
                        : sum == 0 ? 0 : row.launches() * leastNs(problem, row, roofline) / sum;
                Line line = new Line(problem, row, Optional.empty(), share, problem.refusal(row));
                if (line.skipped().isPresent() || share >= leastShare) {
                    all.add(line);
                } else if (profiled && row.timeShare().isEmpty()) {
                    all.add(line.skipped("not in the trace"));
                } else {
                    small.add(line);
                }
            }
            all.addAll(together(small, leastShare));
        }
        all.sort(Comparator.comparingDouble(Line::share).reversed());
        String basis = profiled
                ? "shares of GPU time, profiled for "
                        + String.format(
                                Locale.ROOT, "%.2f s", file.gpu().orElseThrow().profiledSeconds())
                : "shares of the least time by the datasheet of " + gpu.name() + ", calls times roofline: the recording"
                        + " has no GPU time";
        return new CapturePlan(basis, all);
    }

    /** Many M of one problem are one range, if only all of them together have the least share. */
    private static List<Line> together(List<Line> small, double leastShare) {
        double share = small.stream().mapToDouble(Line::share).sum();
        if (small.size() <= FEW
                || share < leastShare
                || !small.getFirst().problem().takesRanges()) {
            return small.stream()
                    .map(line -> line.skipped("less than " + CaptureSummary.percent(leastShare)))
                    .toList();
        }
        CapturedProblem problem = small.getFirst().problem();
        List<Row> rows = small.stream().map(Line::row).toList();
        Row all = new Row(
                rows.getFirst().m(),
                rows.stream().mapToLong(Row::calls).sum(),
                rows.stream().mapToLong(Row::replays).sum(),
                rows.getFirst().timeShare().map(_ -> share),
                Optional.empty());
        ShapeRange range = new ShapeRange(all.m(), rows.getLast().m(), problem.n(), problem.k());
        return List.of(new Line(problem, all, Optional.of(range), share, Optional.empty()));
    }

    private static OptionalDouble predicted(Problem problem, GpuConstants gpu) {
        try {
            return OptionalDouble.of(
                    Predictions.of(Predictions.family(Families.standard(), gpu), problem, gpu, Map.of(), 1)
                            .configs()
                            .getFirst()
                            .us());
        } catch (IllegalArgumentException beyondTheModel) {
            return OptionalDouble.empty();
        }
    }

    private static double leastTime(CaptureFile file, Roofline roofline) {
        return file.problems().stream()
                .flatMapToDouble(problem ->
                        problem.rows().stream().mapToDouble(row -> row.launches() * leastNs(problem, row, roofline)))
                .sum();
    }

    /** The time at the roofline; 0 for a problem that nobody can tune. */
    private static double leastNs(CapturedProblem problem, Row row, Roofline roofline) {
        return problem.problem(row)
                .map(known -> roofline.share(known, 1).orElse(0))
                .orElse(0.0);
    }

    private static Line compared(Line line, GpuConstants gpu, Model model) {
        if (line.skipped().isPresent() || line.vendorUs().isEmpty()) {
            return line;
        }
        double vendor = line.vendorUs().orElseThrow();
        double least = 1e-3
                * leastNs(
                        line.problem(),
                        line.row(),
                        Roofline.ofDevice(gpu.name()).orElseThrow());
        // Operands that lie in L2 are read faster than the roofline knows: such a call may well gain.
        boolean hopeless = vendor >= least && vendor < (1 + NO_ROOM) * least;
        OptionalDouble best = model.us(line.tuned(), gpu);
        return new Line(
                line.problem(),
                line.row(),
                line.range(),
                line.share(),
                line.vendorUs(),
                best.isPresent() ? Optional.of(best.getAsDouble()) : Optional.empty(),
                Optional.of(least),
                hopeless
                        ? Optional.of(String.format(
                                Locale.ROOT, "cannot gain: %.2f us at the roofline, %.2f us recorded", least, vendor))
                        : Optional.empty());
    }

    /** The lines that are tuned, those with the largest expected gain times share first. */
    public List<Line> tuned() {
        return lines.stream()
                .filter(line -> line.skipped().isEmpty())
                .sorted(Comparator.comparingDouble(Line::worth).reversed())
                .limit(MOST_TUNED)
                .toList();
    }
}
