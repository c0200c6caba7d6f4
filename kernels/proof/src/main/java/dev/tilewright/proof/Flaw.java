package dev.tilewright.proof;

import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.proof.emulation.HazardWords;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Why a kernel is wrong. */
public sealed interface Flaw {

    /** The outcome of a trial with this flaw. */
    TrialOutcome outcome();

    /** The flaw on one line. */
    String summary();

    /** The facts about the flaw, one a line. The first line names the flaw. */
    List<String> evidence();

    /** The emulator stopped the run. */
    record Hazardous(Finding finding) implements Flaw {
        @Override
        public TrialOutcome outcome() {
            return TrialOutcome.HAZARD;
        }

        /** In words. */
        public HazardWords words() {
            return HazardWords.of(finding);
        }

        @Override
        public String summary() {
            return words().kind() + " at " + words().site();
        }

        @Override
        public List<String> evidence() {
            Site site = words().site();
            List<String> lines = new ArrayList<>(words().lines());
            lines.add("rule: " + finding.rule().text());
            lines.add("instruction: " + site.instruction());
            lines.add("site: kernel " + site.kernel() + ", line " + site.line() + ", CTA " + site.cta() + " (rank "
                    + site.rank() + " of its cluster), warp " + site.warp() + ", lane " + site.lane());
            return List.copyOf(lines);
        }
    }

    /**
     * D is not what the reference says.
     *
     * @param wrong how many elements are
     * @param elements how many there are
     * @param gemm which of several GEMMs the first wrong one is of, all batches counted; empty if there is one
     * @param row of the first wrong one
     * @param column of the first wrong one
     * @param unwritten whether it still holds what D was filled with before the run
     * @param actual its value
     * @param expected what it should be
     * @param bound how far off it may be; 0 where the data are whole numbers and the result is exact
     */
    record WrongResult(
            long wrong,
            long elements,
            OptionalInt gemm,
            int row,
            int column,
            boolean unwritten,
            double actual,
            double expected,
            double bound)
            implements Flaw {
        /** This element as the first of that many. */
        WrongResult amongAll(long count) {
            return new WrongResult(count, elements, gemm, row, column, unwritten, actual, expected, bound);
        }

        private String element() {
            return "D[" + row + "," + column + "]" + (gemm.isPresent() ? " of GEMM " + gemm.getAsInt() : "");
        }

        @Override
        public TrialOutcome outcome() {
            return TrialOutcome.MISMATCH;
        }

        @Override
        public String summary() {
            return wrong + " of " + elements + " elements of D are wrong, the first is " + element();
        }

        @Override
        public List<String> evidence() {
            return List.of(
                    "mismatch: " + summary(),
                    "element: " + element() + " "
                            + (unwritten
                                    ? "was never written"
                                    : "is " + actual + " instead of " + expected
                                            + (bound == 0 ? ", exactly" : ", give or take " + bound)));
        }
    }

    /**
     * A buffer is not left as it should be.
     *
     * @param offset of the first wrong byte
     * @param rule what it should be
     */
    record Disturbed(String buffer, int offset, String rule) implements Flaw {
        @Override
        public TrialOutcome outcome() {
            return TrialOutcome.MISMATCH;
        }

        @Override
        public String summary() {
            return "buffer " + buffer + " " + rule + ", but byte " + offset + " is not";
        }

        @Override
        public List<String> evidence() {
            return List.of("mismatch: " + summary());
        }
    }

    /**
     * The traced twin did not compute each tile once.
     *
     * @param what the first such tile
     */
    record WrongVisits(String what) implements Flaw {
        @Override
        public TrialOutcome outcome() {
            return TrialOutcome.MISMATCH;
        }

        @Override
        public String summary() {
            return what;
        }

        @Override
        public List<String> evidence() {
            return List.of("mismatch: " + what);
        }
    }
}
