package dev.tilewright.api.web.gate;

import dev.tilewright.api.web.Figures;
import dev.tilewright.gate.document.GateRunLine;
import dev.tilewright.model.exchange.DeviceSelector;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run in a list.
 *
 * @param simulated whether nothing was measured
 * @param open whether it may still change
 */
public record RunLine(
        UUID id,
        String gate,
        VerdictChip chip,
        String commit,
        String branch,
        String device,
        boolean simulated,
        boolean open,
        String cases,
        String why,
        String submittedBy,
        String created) {

    /** Digits by which a commit is known. */
    private static final int DIGITS = 12;

    static RunLine of(GateRunLine run) {
        return new RunLine(
                run.id(),
                run.gate(),
                VerdictChip.of(run.state(), run.verdict()),
                commit(run.commit()),
                Objects.requireNonNullElse(run.branch(), Figures.NONE),
                run.device(),
                isSimulated(run.device()),
                !run.state().isOver(),
                run.measured() + " of " + run.cases(),
                why(run.error(), run.reason()),
                Objects.requireNonNullElse(run.submittedBy(), Figures.NONE),
                Figures.moment(run.createdAt()));
    }

    /** Why a run failed, or has its verdict; empty of one that is under way. */
    static String why(@Nullable String error, @Nullable String reason) {
        return Objects.requireNonNullElse(error == null ? reason : error, "");
    }

    /** A commit as short as people say it. */
    static String commit(@Nullable String commit) {
        return commit == null ? "none" : commit.substring(0, Math.min(DIGITS, commit.length()));
    }

    static boolean isSimulated(String device) {
        return DeviceSelector.parse(device) instanceof DeviceSelector.Simulated;
    }
}
