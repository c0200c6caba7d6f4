package dev.tilewright.api.gate;

import dev.tilewright.api.best.BestKnown;
import dev.tilewright.gate.document.Effect;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.springframework.stereotype.Service;

/**
 * Whether tuning again would win back what a case has lost: whether a config is known that is faster than the candidate
 * by that much. Times of two runs differ with the clock by a percent or so, which is said beside it.
 */
@Service
class Retuning {

    private final BestKnown best;
    private final GateCaseRepository cases;

    Retuning(BestKnown best, GateCaseRepository cases) {
        this.best = best;
        this.cases = cases;
    }

    /** In one sentence; empty where nothing was lost. */
    Optional<String> of(GateRunRow run, GateCaseRow decided) {
        GateCaseRow.CaseVerdict verdict = Objects.requireNonNull(decided.verdict());
        boolean lost = verdict.verdict() == GateVerdict.FAIL || verdict.verdict() == GateVerdict.WARN;
        GateKernel candidate = decided.spec().candidate();
        if (!lost || verdict.effect() == null || candidate.config() == null || run.testbed() == null) {
            return Optional.empty();
        }
        Problem problem = decided.spec().problem().problem();
        String gpu = run.testbed().device();
        Optional<BestKnown.Winner> known = best.onGpu(problem, candidate.family(), gpu);
        if (known.isEmpty()) {
            return Optional.of("unknown: no final of " + decided.spec().problem() + " with family " + candidate.family()
                    + " on " + gpu + " is known; tune it");
        }
        if (known.get().config().equals(Config.of(candidate.config()))) {
            return Optional.of("no: the candidate has the best config that is known for it");
        }
        return candidateNs(run, decided).map(ns -> said(known.get(), ns, verdict.effect()));
    }

    private Optional<Double> candidateNs(GateRunRow run, GateCaseRow decided) {
        return cases.blocks(run.id(), decided.ordinal()).stream()
                .flatMap(stage -> new StageBlocks(stage.blocks(), List.of(), List.of()).candidateNs().stream())
                .reduce((first, last) -> last);
    }

    private static String said(BestKnown.Winner known, double candidateNs, Effect effect) {
        double faster = 100 * (candidateNs / known.medianNs() - 1);
        return String.format(
                Locale.ROOT,
                "%s: the best known config took %.1f us in its final, the candidate %.1f us here: %+.2f %% of %.2f %% lost"
                        + " (other runs, so other clocks); it is that of trial %s",
                faster >= effect.percent() ? "yes" : "no",
                known.medianNs() / 1e3,
                candidateNs / 1e3,
                faster,
                effect.percent(),
                known.trialId());
    }
}
