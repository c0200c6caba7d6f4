package dev.tilewright.api.job;

import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.JobRequest;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The problems of a submission, those with one number of rows and the ranges of M, each with the pointer to it. */
record AskedProblems(List<Pointed<Problem>> singles, List<Pointed<RangedProblem>> ranges) {

    private static final int MOST_PROBLEMS = 256;

    /** Each has up to 128 studies. */
    private static final int MOST_RANGES = 16;

    /** A part of a request with its pointer. */
    record Pointed<T>(String pointer, T value) {}

    /** Reads all of them; what is wrong with any is among the faults then. */
    static AskedProblems read(JobRequest request, List<Fault> faults) {
        int count = request.problems().size();
        if (count == 0 || count > MOST_PROBLEMS) {
            faults.add(new Fault("/problems", "must have from 1 to " + MOST_PROBLEMS + " problems, got " + count));
        }
        ProblemReader reader = new ProblemReader(faults);
        List<Pointed<Problem>> singles = new ArrayList<>();
        List<Pointed<RangedProblem>> ranges = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ProblemDocument problem = request.problems().get(i);
            String pointer = "/problems/" + i;
            if (problem.isRanged()) {
                reader.readRange(problem, pointer).ifPresent(ranged -> ranges.add(new Pointed<>(pointer, ranged)));
            } else {
                reader.read(problem, pointer).ifPresent(single -> singles.add(new Pointed<>(pointer, single)));
            }
        }
        return new AskedProblems(singles, ranges);
    }

    /** Refuses options for ranges of M where there are none, and beside ranges those that these cannot have. */
    void refuseWithRanges(JobRequest request, Optional<DeviceSelector> device, List<Fault> faults) {
        if (ranges.isEmpty()) {
            if (request.kernels() != null && request.problems().stream().noneMatch(ProblemDocument::isRanged)) {
                faults.add(new Fault("/kernels", "is for tables of ranges of M, and no problem has mTo"));
            }
            return;
        }
        if (ranges.size() > MOST_RANGES) {
            faults.add(
                    new Fault("/problems", "must have at most " + MOST_RANGES + " ranges of M, got " + ranges.size()));
        }
        if (device.filter(DeviceSelector.Emulated.class::isInstance).isPresent()) {
            faults.add(new Fault(
                    "/device", "a range of M needs times, and " + device.get() + " proves kernels without any"));
        }
        if (request.peers() != null && !request.peers().isEmpty()) {
            faults.add(new Fault(
                    "/peers",
                    "kernels of others run in finals, and a range of M has no final; got "
                            + String.join(", ", request.peers())));
        }
        if (Boolean.TRUE.equals(request.eachScheduler())) {
            faults.add(new Fault(
                    "/eachScheduler", "tile schedulers are compared in finals, and a range of M has no final"));
        }
    }

    List<Problem> problems() {
        return singles.stream().map(Pointed::value).toList();
    }

    List<RangedProblem> ranged() {
        return ranges.stream().map(Pointed::value).toList();
    }

    /** The problems that a family must take: of a range those with the least and the most M. */
    List<Pointed<Problem>> ends() {
        return Stream.concat(singles.stream(), ranges.stream().flatMap(range -> Stream.of(least(range), most(range))))
                .toList();
    }

    /** A problem of each: of a range that with the most M. */
    List<Pointed<Problem>> wholes() {
        return Stream.concat(singles.stream(), ranges.stream().map(AskedProblems::most))
                .toList();
    }

    /** A problem of each, whose space names its configs: of a range that with the least M. */
    List<Pointed<Problem>> naming() {
        return Stream.concat(singles.stream(), ranges.stream().map(AskedProblems::least))
                .toList();
    }

    private static Pointed<Problem> least(Pointed<RangedProblem> range) {
        return new Pointed<>(range.pointer(), range.value().least());
    }

    private static Pointed<Problem> most(Pointed<RangedProblem> range) {
        return new Pointed<>(range.pointer(), range.value().most());
    }
}
