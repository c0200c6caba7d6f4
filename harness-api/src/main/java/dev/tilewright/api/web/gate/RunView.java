package dev.tilewright.api.web.gate;

import dev.tilewright.api.web.Figures;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run as its page shows it.
 *
 * @param simulated whether nothing was measured
 * @param errorRates how often the instrument was wrong, in one sentence; {@code null} where that was never measured
 */
public record RunView(
        UUID id,
        String gate,
        String title,
        VerdictChip chip,
        boolean open,
        boolean simulated,
        String device,
        String why,
        List<Fact> facts,
        List<CaseView> cases,
        List<CaseView> sentinels,
        @Nullable String errorRates) {

    /** A name and its value. */
    public record Fact(String name, String value) {}

    static RunView of(GateRun run, Instant now) {
        return new RunView(
                run.id(),
                run.gate(),
                run.commit() == null ? "Run of no commit" : "Run of commit " + RunLine.commit(run.commit()),
                VerdictChip.of(run.state(), run.verdict()),
                !run.state().isOver() || run.isRetuning(),
                RunLine.isSimulated(run.device()),
                run.device(),
                RunLine.why(run.error(), run.reason()),
                facts(run),
                views(run.cases(), 0, false, now),
                views(run.sentinels(), run.cases().size(), true, now),
                errorRates(run.errorRates()));
    }

    private static List<CaseView> views(List<CaseResult> results, int from, boolean sentinels, Instant now) {
        List<CaseView> views = new ArrayList<>();
        results.forEach(result -> views.add(CaseView.of(from + views.size(), result, sentinels, now)));
        return views;
    }

    /** All of them, in the order of their ordinals. */
    List<CaseView> all() {
        List<CaseView> all = new ArrayList<>(cases);
        all.addAll(sentinels);
        return all;
    }

    private static List<Fact> facts(GateRun run) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Commit", Objects.requireNonNullElse(run.commit(), Figures.NONE)));
        facts.add(new Fact("Branch", Objects.requireNonNullElse(run.branch(), Figures.NONE)));
        facts.add(new Fact(
                "Testbed",
                run.testbed() == null
                        ? "none; asked for: " + run.device()
                        : run.testbed().device() + ", " + run.testbed().driver()));
        facts.add(new Fact(
                "GPU time",
                Figures.format("%.1f s", run.gpuSeconds())
                        + (run.budgetSeconds() == null
                                ? ""
                                : " of at most " + Figures.format("%.1f s", run.budgetSeconds()))));
        if (run.retuneSeconds() != null) {
            facts.add(new Fact("Failures are tuned again for", run.retuneSeconds() + " s"));
        }
        facts.add(new Fact("Rules, seed", run.decision() + ", " + run.seed()));
        facts.add(new Fact("Submitted by", Objects.requireNonNullElse(run.submittedBy(), Figures.NONE)));
        facts.add(new Fact("Submitted", Figures.moment(run.createdAt())));
        facts.add(new Fact("Ended", Figures.moment(run.finishedAt())));
        return facts;
    }

    private static @Nullable String errorRates(GateRun.@Nullable ErrorRates rates) {
        return rates == null
                ? null
                : Figures.format(
                        "On such a GPU %d of %d cases beside themselves have failed, so at most %s do; %d of %d slowed"
                                + " by %.1f %% were caught, so at least %s are (95 %% bounds).",
                        rates.falseFails(),
                        rates.equalRuns(),
                        Figures.percent(rates.falseFailUpperBound()),
                        rates.caught(),
                        rates.slowedRuns(),
                        rates.slowedPercent(),
                        Figures.percent(rates.caughtLowerBound()));
    }
}
