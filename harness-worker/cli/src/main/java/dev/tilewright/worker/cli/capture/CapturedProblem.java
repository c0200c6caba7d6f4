package dev.tilewright.worker.cli.capture;

import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.space.families.Families;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * GEMMs that differ in M alone.
 *
 * @param ops operators of PyTorch that were called
 * @param said types, epilogue and what else distinguishes it, for people
 * @param terms empty if no problem says what is computed
 * @param why the reason for that
 * @param rows one for each M, in ascending order
 */
public record CapturedProblem(
        List<String> ops, int n, int k, String said, Optional<Terms> terms, Optional<String> why, List<Row> rows) {

    /** The parts of a problem beside its shape. */
    public record Terms(int batch, OperandTypes types, OperandMajors major, Epilogue epilogue, Scales scales) {}

    /**
     * Calls with one M.
     *
     * @param calls outside of graphs
     * @param replays in replayed graphs
     * @param timeShare of the time of all kernels of the trace; empty if it is not in the trace
     * @param us mean microseconds of a call in the trace
     */
    public record Row(int m, long calls, long replays, Optional<Double> timeShare, Optional<Double> us) {

        /** How often a GPU computed it. */
        public long launches() {
            return calls + replays;
        }
    }

    public CapturedProblem {
        ops = List.copyOf(ops);
        rows = List.copyOf(rows);
    }

    /** The problem with this M; empty if none says what is computed. */
    Optional<Problem> problem(Row row) {
        return terms.map(parts -> new Problem(
                List.of(new ProblemShape(row.m(), n, k)),
                parts.batch(),
                parts.types(),
                parts.major(),
                Scenario.QUIET,
                parts.epilogue(),
                parts.scales()));
    }

    /** Why no kernel of ours replaces the calls of a row; empty if one does. */
    Optional<String> refusal(Row row) {
        return problem(row).map(CapturedProblem::refusal).orElse(why);
    }

    private static Optional<String> refusal(Problem problem) {
        List<Optional<String>> reasons = Families.standard().all().stream()
                .filter(family -> !family.isInstalled())
                .map(family -> family.refusal(problem))
                .toList();
        return reasons.stream().allMatch(Optional::isPresent) ? reasons.getFirst() : Optional.empty();
    }

    /** The extents and what is said of the problem, for any M. */
    public String text() {
        return text("Mx" + n + "x" + k);
    }

    /** The extents with this M and what is said of the problem. */
    String text(Row row) {
        return text(row.m() + "x" + n + "x" + k);
    }

    /** Extents and what is said of the problem. */
    String text(String extents) {
        return extents + " " + said;
    }

    /** Whether one table of kernels can be for several of its M. */
    boolean takesRanges() {
        return terms.isPresent()
                && terms.get().batch() == 1
                && terms.get().major().a() == Major.K
                && terms.get().major().d() == Major.N;
    }

    /** The operators, for a table. */
    String operators() {
        return ops.stream().collect(Collectors.joining(" "));
    }
}
