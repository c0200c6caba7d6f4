package dev.tilewright.proof;

import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.proof.emulation.AcceptedFinding;
import dev.tilewright.proof.emulation.Effort;
import java.util.ArrayList;
import java.util.List;

/** The result of a proof of a kernel on the emulator. */
public sealed interface Proof {

    Subject subject();

    /** The effort of the emulator for it. */
    Effort effort();

    /** The findings that broke a rule and that the plan accepts. */
    default List<AcceptedFinding> accepted() {
        return List.of();
    }

    /** {@code proved}, {@code refuted}, {@code shallow} or {@code unsupported}. */
    String verdict();

    /** The outcome of a trial that ends so. */
    TrialOutcome outcome();

    /** The result on one line, without the config. */
    String summary();

    /** The evidence, a line each. */
    List<String> details();

    /** No seed showed anything wrong, and the runs went deep enough. */
    record Proved(Subject subject, Depth depth, Effort effort, List<AcceptedFinding> accepted) implements Proof {
        @Override
        public String verdict() {
            return "proved";
        }

        @Override
        public TrialOutcome outcome() {
            return TrialOutcome.COMPLETED;
        }

        @Override
        public String summary() {
            return "proved with " + subject.plan().seedRange() + ": " + depth;
        }

        @Override
        public List<String> details() {
            return List.of("at least: " + depth, where(subject));
        }
    }

    /**
     * The kernel is wrong.
     *
     * @param seed that showed it
     * @param traced whether it was the traced twin that showed it
     */
    record Refuted(Subject subject, Flaw flaw, long seed, boolean traced, Effort effort) implements Proof {
        @Override
        public String verdict() {
            return "refuted";
        }

        @Override
        public TrialOutcome outcome() {
            return flaw.outcome();
        }

        @Override
        public String summary() {
            return "refuted by seed " + seed + ": " + flaw.summary();
        }

        @Override
        public List<String> details() {
            List<String> lines = new ArrayList<>(flaw.evidence());
            lines.add("seed: " + seed + (traced ? ", in the traced twin of the kernel" : ""));
            lines.add(where(subject));
            return List.copyOf(lines);
        }
    }

    /**
     * No seed showed anything wrong, but the problem is too small for that to mean much. As the outcome of a trial this
     * is {@code pruned}: the depth that a proof needs is a rule, and the numbers that break it are known.
     */
    record Shallow(Subject subject, Depth depth, Effort effort, List<AcceptedFinding> accepted) implements Proof {
        @Override
        public String verdict() {
            return "shallow";
        }

        @Override
        public TrialOutcome outcome() {
            return TrialOutcome.PRUNED;
        }

        @Override
        public String summary() {
            return "shallow: " + String.join("; ", depth.lacking());
        }

        @Override
        public List<String> details() {
            List<String> lines = new ArrayList<>();
            depth.lacking().forEach(lack -> lines.add("shallow: " + lack));
            lines.add("goes deeper with more tiles for each CTA (a larger M or N, fewer SMs) or a longer K");
            lines.add("nothing wrong with " + subject.plan().seedRange());
            lines.add(where(subject));
            return List.copyOf(lines);
        }
    }

    /**
     * The emulator cannot run the text. As the outcome of a trial this is {@code unassembled}: nothing here takes it,
     * and the config is not to blame.
     *
     * @param reasons what it does not know, with the position
     */
    record Unsupported(Subject subject, List<String> reasons) implements Proof {
        public Unsupported {
            reasons = List.copyOf(reasons);
        }

        @Override
        public Effort effort() {
            return Effort.NONE;
        }

        @Override
        public String verdict() {
            return "unsupported";
        }

        @Override
        public TrialOutcome outcome() {
            return TrialOutcome.UNASSEMBLED;
        }

        @Override
        public String summary() {
            return "unsupported: " + reasons.getFirst()
                    + (reasons.size() == 1 ? "" : " and " + (reasons.size() - 1) + " more");
        }

        @Override
        public List<String> details() {
            return reasons.stream().map(reason -> "unsupported: " + reason).toList();
        }
    }

    private static String where(Subject subject) {
        return "ran: " + subject.runShapes()
                + (subject.isMapped() ? " in place of " + subject.askedShapes() + ", which has the same tails," : "")
                + " on " + subject.plan().gpu();
    }
}
