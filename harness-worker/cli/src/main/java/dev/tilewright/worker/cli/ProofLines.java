package dev.tilewright.worker.cli;

import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.text.Count;
import dev.tilewright.proof.Proof;
import dev.tilewright.proof.ProofTally;
import dev.tilewright.proof.Subject;
import dev.tilewright.proof.TimedProof;
import dev.tilewright.proof.emulation.AcceptedFinding;
import dev.tilewright.proof.emulation.Effort;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.space.families.ConfigText;
import dev.tilewright.space.families.ProblemText;
import dev.tilewright.worker.cli.board.CompactConfig;
import dev.tilewright.worker.cli.board.FamilyConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Proofs of configs as lines for people. */
record ProofLines(CompactConfig form) {

    private static final String INDENT = "    ";
    private static final int MAX_SHAPES_SHOWN = 4;

    /** A line with the verdict; under it the evidence, unless there is nothing to say but that it is proved. */
    List<String> lines(TimedProof timed) {
        Proof proof = timed.proof();
        Subject subject = proof.subject();
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%-11s %6.1f s  %s on %s%s",
                proof.verdict() + AcceptedFinding.count(proof.accepted()),
                timed.seconds(),
                form.format(new FamilyConfig(subject.family(), subject.config())),
                subject.run().shapes(),
                subject.isMapped() ? " for " + subject.asked().shapes() : ""));
        proof.accepted().forEach(accepted -> lines.add(INDENT + accepted.line()));
        switch (proof) {
            case Proof.Proved _ -> {}
            case Proof.Refuted(Subject _, var _, long seed, boolean _, Effort _) -> {
                proof.details().forEach(detail -> lines.add(INDENT + detail));
                lines.add(INDENT + "again: " + command(subject, seed));
            }
            case Proof.Shallow _, Proof.Unsupported _ -> proof.details().forEach(detail -> lines.add(INDENT + detail));
        }
        return lines;
    }

    /** The call that shows this one config with this one seed. */
    private String command(Subject subject, long seed) {
        return "tilewright check" + ProblemText.of(subject.asked()) + " "
                + ConfigText.options(form.families(), subject.family(), subject.config()) + " --sms "
                + subject.plan().sms() + accepted(subject.plan()) + " --seed " + seed + " --seeds 1";
    }

    private static String accepted(ProofPlan plan) {
        return plan.accepted().isEmpty()
                ? ""
                : plan.accepted().stream().map(Rule::text).sorted().collect(Collectors.joining(",", " --accept ", ""));
    }

    /** A summary of all proofs on one line. */
    static String summary(List<TimedProof> timed, ProofPlan plan, double seconds, int threads) {
        List<Proof> proofs = timed.stream().map(TimedProof::proof).toList();
        ProofTally tally = ProofTally.of(proofs);
        Effort effort = tally.effort();
        return String.format(
                Locale.ROOT,
                "%s: %d proved, %d refuted, %d shallow, %d unsupported; %s on %s; asked %s, ran %s; "
                        + "%,d warp instructions and %,d multiply-adds in %s; %.1f s on %s",
                proved(proofs),
                tally.proved(),
                tally.refuted(),
                tally.shallow(),
                tally.unsupported(),
                plan.seedRange(),
                plan.gpu(),
                shapes(proofs, Subject::asked),
                shapes(proofs, Subject::run),
                effort.instructions(),
                effort.multiplyAdds(),
                Count.of(effort.runs(), "run"),
                seconds,
                Count.of(threads, "thread"));
    }

    /** A config has several proofs where it is checked on several problems. */
    private static String proved(List<Proof> proofs) {
        int configs = (int) proofs.stream()
                .map(proof -> proof.subject().config())
                .distinct()
                .count();
        return configs == proofs.size()
                ? Count.of(configs, "config")
                : Count.of(proofs.size(), "proof") + " of " + Count.of(configs, "config");
    }

    private static String shapes(List<Proof> proofs, Function<Subject, Problem> problem) {
        List<String> all = proofs.stream()
                .map(proof -> problem.apply(proof.subject()).shapes())
                .distinct()
                .toList();
        return String.join(" ", all.subList(0, Math.min(MAX_SHAPES_SHOWN, all.size())))
                + (all.size() > MAX_SHAPES_SHOWN ? " and " + (all.size() - MAX_SHAPES_SHOWN) + " more" : "");
    }
}
