package dev.tilewright.worker.verify;

import dev.tilewright.gemm.oracle.PoisonKernel;
import dev.tilewright.model.problem.ProblemShape;
import java.util.ArrayList;
import java.util.List;

/** Poisons outputs before a kernel runs and judges them after. */
public record Verifier(Oracle oracle) {

    /**
     * The verdict on some outputs.
     *
     * @param errorRatio the largest of all; NaN if an element is not a number
     * @param complaints one line for each output that is not right; empty if all are
     */
    public record Verdict(double errorRatio, List<String> complaints) {
        public boolean passes() {
            return complaints.isEmpty();
        }
    }

    /** Poisons the outputs of the sets and writes their red zones anew. */
    public void poison(List<OperandSet> sets) {
        sets.forEach(set -> set.d().refill(PoisonKernel.PATTERN));
    }

    /** Judges every element of the outputs of the sets, and their red zones. */
    public Verdict judge(TestData data, List<OperandSet> sets) {
        ProblemShape shape = data.problem().shape();
        double errorRatio = 0;
        List<String> complaints = new ArrayList<>();
        for (OperandSet set : sets) {
            Comparison comparison = oracle.compare(
                    data.problem(),
                    shape,
                    set.d().address(),
                    data.reference().address(),
                    data.magnitude().address());
            errorRatio = Math.max(errorRatio, comparison.errorRatio());
            if (!comparison.passes()) {
                complaints.add(complaint(shape, comparison));
            }
            set.d().damage().ifPresent(complaints::add);
        }
        return new Verdict(errorRatio, List.copyOf(complaints));
    }

    private static String complaint(ProblemShape shape, Comparison comparison) {
        long first = comparison.firstWrong();
        return "%d of %d elements wrong, %d still poisoned, largest error %s of its bound, the first at row %d, column %d"
                .formatted(
                        comparison.wrong(),
                        (long) shape.m() * shape.n(),
                        comparison.poisoned(),
                        comparison.errorRatio(),
                        first < 0 ? -1 : first / shape.n(),
                        first < 0 ? -1 : first % shape.n());
    }
}
