package dev.tilewright.proof;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.hazard.Waiter;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.proof.emulation.AcceptedFinding;
import dev.tilewright.proof.emulation.Effort;
import dev.tilewright.proof.emulation.HazardWords;
import dev.tilewright.proof.emulation.ProofPlan;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The output of {@code check --json} about configs; {@code docs/check.schema.json} describes it.
 *
 * @param dtype that of A
 * @param seconds wall time of all proofs together
 */
public record ProofDocument(
        int schemaVersion,
        String family,
        DataType dtype,
        OperandTypes types,
        OperandMajors major,
        ProofPlan plan,
        ProofTally tally,
        double seconds,
        int threads,
        List<Entry> proofs) {

    private static final int SCHEMA_VERSION = 1;

    /**
     * One config on one problem.
     *
     * @param asked the problem in question; of several GEMMs the first
     * @param run the problem that was run instead; likewise
     * @param several all GEMMs; {@code null} if there is one
     */
    public record Entry(
            ProblemShape asked,
            ProblemShape run,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Several several,

            Config config,
            String ptxHash,
            String verdict,
            String outcome,
            String summary,
            List<String> details,
            @Nullable Map<String, Integer> depth,
            @Nullable Evidence flaw,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Accepted> accepted,

            Effort effort,
            double seconds) {}

    /**
     * The extents of several GEMMs.
     *
     * @param batch how many there are of each
     */
    public record Several(List<ProblemShape> asked, List<ProblemShape> run, int batch) {}

    /**
     * Why a kernel is wrong.
     *
     * @param rule that is broken, by its name; {@code null} where the result is wrong
     * @param kind of hazard, in words; {@code null} where the result is wrong
     * @param site where the hazard showed; {@code null} where the result is wrong
     * @param waiters all warps that cannot go on in a deadlock
     */
    public record Evidence(
            long seed,
            boolean traced,
            @Nullable String rule,
            @Nullable String kind,
            String message,
            @Nullable Site site,
            List<Waiter> waiters) {}

    /** A finding that was accepted: the first site of each instruction, by the first seed that showed it. */
    public record Accepted(long seed, String rule, String message, Site site) {}

    /** The document of these proofs, in this order. */
    public static ProofDocument of(
            String family,
            OperandTypes types,
            OperandMajors major,
            ProofPlan plan,
            List<TimedProof> proofs,
            double seconds,
            int threads) {
        return new ProofDocument(
                SCHEMA_VERSION,
                family,
                types.a(),
                types,
                major,
                plan,
                ProofTally.of(proofs.stream().map(TimedProof::proof).toList()),
                seconds,
                threads,
                proofs.stream().map(ProofDocument::entry).toList());
    }

    private static Entry entry(TimedProof timed) {
        Proof proof = timed.proof();
        Subject subject = proof.subject();
        return new Entry(
                subject.asked().shape(),
                subject.run().shape(),
                several(subject),
                subject.config(),
                subject.ptxHash(),
                proof.verdict(),
                outcome(proof.outcome()),
                proof.summary(),
                proof.details(),
                depth(proof),
                proof instanceof Proof.Refuted refuted ? evidence(refuted) : null,
                proof.accepted().stream().map(ProofDocument::accepted).toList(),
                proof.effort(),
                timed.seconds());
    }

    private static @Nullable Several several(Subject subject) {
        Problem asked = subject.asked();
        return asked.isSingle()
                ? null
                : new Several(asked.groups(), subject.run().groups(), asked.batch());
    }

    private static String outcome(TrialOutcome outcome) {
        return outcome.toString();
    }

    private static @Nullable Map<String, Integer> depth(Proof proof) {
        return switch (proof) {
            case Proof.Proved proved -> proved.depth().counts();
            case Proof.Shallow shallow -> shallow.depth().counts();
            case Proof.Refuted _, Proof.Unsupported _ -> null;
        };
    }

    private static Accepted accepted(AcceptedFinding accepted) {
        HazardWords words = HazardWords.of(accepted.finding());
        return new Accepted(accepted.seed(), words.rule().text(), words.message(), words.site());
    }

    private static Evidence evidence(Proof.Refuted refuted) {
        return switch (refuted.flaw()) {
            case Flaw.Hazardous hazardous -> {
                HazardWords words = hazardous.words();
                yield new Evidence(
                        refuted.seed(),
                        refuted.traced(),
                        words.rule().text(),
                        words.kind(),
                        words.message(),
                        words.site(),
                        words.waiters());
            }
            case Flaw.WrongResult _, Flaw.Disturbed _, Flaw.WrongVisits _ ->
                new Evidence(
                        refuted.seed(),
                        refuted.traced(),
                        null,
                        null,
                        String.join("; ", refuted.flaw().evidence()),
                        null,
                        List.of());
        };
    }
}
