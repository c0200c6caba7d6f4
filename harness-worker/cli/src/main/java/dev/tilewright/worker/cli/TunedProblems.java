package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.simulator.GpuConstants;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.worker.cli.ProblemOptions.Named;
import dev.tilewright.worker.cli.ProblemOptions.NamedRange;
import dev.tilewright.worker.cli.board.ListedShape;
import dev.tilewright.worker.cli.capture.CapturePlan;
import dev.tilewright.worker.cli.capture.CaptureReader;
import dev.tilewright.worker.cli.capture.PlanTable;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code tune} that say what is tuned: shapes, a file of them, ranges of M, or a recording. */
final class TunedProblems {

    @Mixin
    private ProblemOptions problems = new ProblemOptions();

    @Option(
            names = "--shapes",
            paramLabel = "FILE",
            description =
                    "Shapes from a file, - for standard input: CSV with a header, or a JSON object a line, with m,"
                            + " n, k and perhaps batch, types, name and weight; m may be a range, such as 1-4096. At most "
                            + ShapesFile.MOST_SHAPES + " shapes. One table shows the best of each.")
    private @Nullable Path shapesFile;

    @Option(
            names = "--from",
            paramLabel = "DIR|FILE",
            description = "Problems of a recording that `tilewright capture` has made, in the order of what they may"
                    + " save; a table says what is not tuned and why.")
    private @Nullable Path recording;

    @Option(
            names = "--least-share",
            paramLabel = "PERCENT",
            description = "With --from: tune only what has at least so many percent of the time, from 0 to 100"
                    + " (default: 1.0).")
    private @Nullable Double leastShare;

    @Option(
            names = BusySms.OPTION,
            paramLabel = "N[,N...]",
            description = "Hold so many SMs back while kernels are timed; with several numbers, such as 0,8,20 or"
                    + " 0-32/4, each shape is tuned for each of them (default: 0).")
    private @Nullable String busySms;

    /** The problems of the request, each in each scenario: those with one number of rows, then ranges of M. */
    record Asked(List<Named> singles, List<NamedRange> ranges) {

        List<ProblemDocument> documents() {
            return Stream.concat(
                            singles.stream().map(named -> ProblemDocument.inShort(named.problem())),
                            ranges.stream().map(range -> ProblemDocument.inShort(range.problem())))
                    .toList();
        }

        /** The option behind each problem, for what the service says of it. */
        List<String> options() {
            return Stream.concat(
                            singles.stream().map(Named::option), ranges.stream().map(NamedRange::option))
                    .toList();
        }

        /** The names and weights of the problems with one number of rows. */
        List<ListedShape> listed() {
            return singles.stream().map(Named::listed).toList();
        }
    }

    /** Where the options do not say them, types and layouts are those of a problem. */
    void unlessGiven(Problem other) {
        problems.unlessGiven(other);
    }

    /**
     * Reads all of it.
     *
     * @param out is told what of a recording is tuned, and what is not
     */
    Asked asked(DeviceSelector selector, Printer out) {
        Optional<ShapesFile> file = Optional.ofNullable(shapesFile).map(path -> ShapesFile.read(path, System.in));
        List<Scenario> scenarios = busySms == null ? List.of(Scenario.QUIET) : BusySms.scenarios(busySms, selector);
        ProblemOptions.Asked asked =
                (recording == null ? named(file) : recorded(recording, selector, out)).beside(scenarios);
        return new Asked(asked.singles(), asked.ranges());
    }

    private ProblemOptions.Asked named(Optional<ShapesFile> file) {
        if (leastShare != null) {
            throw CommandFailedException.usage("--least-share: is for a recording, --from DIR; got " + leastShare);
        }
        return problems.asked(", a file --shapes FILE, or a recording --from DIR", file);
    }

    /** Says what is tuned of a recording and what is not. */
    private ProblemOptions.Asked recorded(Path path, DeviceSelector selector, Printer out) {
        if (problems.isGiven() || shapesFile != null) {
            throw CommandFailedException.usage("--from: a recording has its own problems; give no other ones, and no"
                    + " types, layouts, scales or epilogue");
        }
        double least = CapturePlan.leastShare(leastShare == null ? 1 : leastShare);
        Optional<GpuConstants> model = selector instanceof DeviceSelector.Simulated(String gpu)
                ? Optional.of(SimulatedGpus.named(gpu))
                : Optional.empty();
        CapturePlan plan = CapturePlan.of(CaptureReader.read("--from", path), least, model);
        out.show(new PlanTable(plan));
        return new ProblemOptions.Asked(
                plan.tuned().stream()
                        .filter(line -> line.range().isEmpty())
                        .map(line -> new Named("--from " + path, line.tuned(), new ListedShape(null, line.weight())))
                        .toList(),
                plan.tuned().stream()
                        .flatMap(line -> line.ranged().stream())
                        .map(range -> new NamedRange("--from " + path, range))
                        .toList());
    }
}
