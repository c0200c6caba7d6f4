package dev.tilewright.api.gate;

import dev.tilewright.api.study.SpaceRestriction;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Retune;
import dev.tilewright.gate.document.Retune.State;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;

/** The choice of the cases of a decided run that are tuned again, with the reason for each other case. */
@Service
record Retuning(StudySpaces spaces) {

    /** Whether it is not known yet what comes of it. */
    static boolean isOpen(GateCaseRow each) {
        return each.retune() != null && !each.retune().state().isOver();
    }

    /**
     * The same cases; those that failed and that nobody has waived say what becomes of them.
     *
     * @param trusted whether the instrument was
     */
    List<GateCaseRow> begun(GateRunRow run, List<GateCaseRow> decided, boolean trusted) {
        List<GateCaseRow> told = decided.stream()
                .map(each -> hasFailed(each) ? each.with(first(run, each, trusted)) : each)
                .toList();
        int most = run.retuneSeconds() == null ? 0 : run.retuneSeconds() / Retune.LEAST_SECONDS;
        Set<Integer> late = told.stream()
                .filter(Retuning::isOpen)
                .sorted(RetunePlan.GREATEST_LOSS_FIRST)
                .skip(most)
                .map(GateCaseRow::ordinal)
                .collect(Collectors.toSet());
        return told.stream()
                .map(each -> late.contains(each.ordinal())
                        ? each.with(Retune.of(
                                State.UNKNOWN,
                                "the " + run.retuneSeconds() + " s for tuning again suffice for the " + most
                                        + " greatest losses, and this is not one of them"))
                        : each)
                .toList();
    }

    private static boolean hasFailed(GateCaseRow each) {
        GateCaseRow.CaseVerdict verdict = Objects.requireNonNull(each.verdict());
        return each.sentinel() == null
                && verdict.verdict() == GateVerdict.FAIL
                && verdict.effect() != null
                && each.waiver() == null;
    }

    private Retune first(GateRunRow run, GateCaseRow each, boolean trusted) {
        if (!trusted) {
            return Retune.of(State.UNKNOWN, "the instrument is not to be trusted, so nothing is known to be lost");
        }
        GateKernel candidate = each.spec().candidate();
        if (candidate.peer() != null) {
            return Retune.of(
                    State.IMPOSSIBLE, candidate.peer() + " chooses its kernels by itself: nothing can be tuned");
        }
        try {
            return hasChoice(run, each, Objects.requireNonNull(candidate.family()))
                    ? asked(run)
                    : Retune.of(
                            State.IMPOSSIBLE,
                            candidate.family() + " has one config for this problem: there is nothing to tune");
        } catch (IllegalArgumentException | IllegalStateException gone) {
            // Whatever is wrong with its space is no reason to have no verdict.
            return Retune.of(State.UNKNOWN, String.valueOf(gone.getMessage()));
        }
    }

    private static Retune asked(GateRunRow run) {
        return run.retuneSeconds() == null
                ? Retune.of(State.UNKNOWN, "it was not asked for: retuneSeconds in tilewright.yaml gives it time")
                : Retune.of(State.WAITING, "it waits to be tuned again");
    }

    private boolean hasChoice(GateRunRow run, GateCaseRow each, String family) {
        return spaces.tree(
                                each.spec().problem().problem(),
                                family,
                                SpaceRestriction.NONE,
                                run.testbed() == null
                                        ? StudySpaces.USUAL_SMS
                                        : run.testbed().smCount())
                        .size()
                > 1;
    }
}
