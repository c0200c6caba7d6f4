package dev.tilewright.worker.verify;

import dev.tilewright.gemm.launch.OperandLayout;
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
        List<Stretch> stretches = Stretch.of(data.layout());
        double errorRatio = 0;
        List<String> complaints = new ArrayList<>();
        for (OperandSet set : sets) {
            Comparison comparison = compare(data, stretches, set);
            errorRatio = Math.max(errorRatio, comparison.errorRatio());
            if (!comparison.passes()) {
                complaints.add(complaint(data.layout(), comparison));
            }
            set.d().damage().ifPresent(complaints::add);
        }
        return new Verdict(errorRatio, List.copyOf(complaints));
    }

    /** All GEMMs of a set, elements numbered through. */
    private Comparison compare(TestData data, List<Stretch> stretches, OperandSet set) {
        return stretches.stream()
                .map(stretch -> oracle.compare(
                                data.problem(),
                                stretch.outputs(),
                                data.addressOfD(set, stretch.first()),
                                data.addressOfReference(stretch.first()),
                                data.addressOfMagnitude(stretch.first()))
                        .after(stretch.first().d()))
                .reduce(Comparison::and)
                .orElseThrow();
    }

    /**
     * Equal GEMMs one behind the other, such as those of a batch: their outputs are compared as one, which is as many
     * times higher.
     */
    private record Stretch(OperandLayout.Gemm first, int count) {

        static List<Stretch> of(OperandLayout layout) {
            List<Stretch> stretches = new ArrayList<>();
            for (OperandLayout.Gemm gemm : layout.gemms()) {
                if (!stretches.isEmpty() && stretches.getLast().takes(gemm)) {
                    Stretch longer = stretches.removeLast();
                    stretches.add(new Stretch(longer.first, longer.count + 1));
                } else {
                    stretches.add(new Stretch(gemm, 1));
                }
            }
            return stretches;
        }

        private boolean takes(OperandLayout.Gemm gemm) {
            return gemm.shape().equals(first.shape())
                    && (count + 1L) * first.shape().m() <= Integer.MAX_VALUE;
        }

        ProblemShape outputs() {
            ProblemShape shape = first.shape();
            return new ProblemShape(count * shape.m(), shape.n(), shape.k());
        }
    }

    private static String complaint(OperandLayout layout, Comparison comparison) {
        return "%d of %d elements wrong, %d still poisoned, largest error %s of its bound, the first at %s"
                .formatted(
                        comparison.wrong(),
                        layout.elementsD(),
                        comparison.poisoned(),
                        comparison.errorRatio(),
                        place(layout, comparison.firstWrong()));
    }

    private static String place(OperandLayout layout, long element) {
        if (element < 0) {
            return "row -1, column -1";
        }
        int index = layout.gemmOf(element);
        OperandLayout.Gemm gemm = layout.gemms().get(index);
        long own = element - gemm.d();
        int n = gemm.shape().n();
        return "row " + own / n + ", column " + own % n + (layout.gemms().size() == 1 ? "" : " of GEMM " + index);
    }
}
