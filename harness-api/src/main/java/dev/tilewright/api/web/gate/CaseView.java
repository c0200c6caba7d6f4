package dev.tilewright.api.web.gate;

import dev.tilewright.api.web.Figures;
import dev.tilewright.gate.decision.Waiving;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.Effect;
import dev.tilewright.gate.document.Margins;
import dev.tilewright.gate.document.Retune;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A case of a run.
 *
 * @param ordinal among all cases of the run, the sentinels behind the others
 * @param worth what its blocks are: how many there are, and what they could have seen
 * @param sides the candidate, then the baseline
 * @param waiver that covers it; {@code null} if none does
 * @param retune what tuning it again has brought; {@code null} if it did not fail
 * @param waivable whether somebody may accept it: its kernel is slower, and right
 */
public record CaseView(
        int ordinal,
        String name,
        boolean sentinel,
        String problem,
        VerdictChip chip,
        String effect,
        String worth,
        String reason,
        String margins,
        List<KernelLine> sides,
        List<StageLine> stages,
        @Nullable WaiverView waiver,
        @Nullable RetuneLine retune,
        boolean waivable) {

    /** One of the two kernels. */
    public record KernelLine(
            String role, String kernel, String outcome, String checked, String errorRatio, String ptx, String cubin) {}

    /** Blocks of one process. */
    public record StageLine(
            int number, VerdictChip chip, String effect, String counted, String discarded, String log) {}

    /**
     * The result of tuning again.
     *
     * @param effect of the kernel that was found beside the baseline
     */
    public record RetuneLine(
            String words, String reason, @Nullable UUID job, String effect) {}

    static CaseView of(int ordinal, CaseResult result, boolean sentinel, Instant now) {
        return new CaseView(
                ordinal,
                result.name(),
                sentinel,
                result.problem().toString(),
                VerdictChip.ofCase(result.verdict()),
                effect(result.effect()),
                worth(result.effect()),
                result.reason(),
                margins(result.margins()),
                List.of(side("candidate", result.candidate()), side("baseline", result.baseline())),
                result.stages().stream().map(CaseView::stage).toList(),
                result.waiver() == null ? null : WaiverView.of(result.waiver(), now),
                result.retune() == null ? null : retune(result.retune()),
                !sentinel
                        && result.verdict() != null
                        && Waiving.canWaive(result.verdict())
                        && result.candidate().cubinHash() != null);
    }

    private static RetuneLine retune(Retune retune) {
        return new RetuneLine(
                retune.words(), retune.reason(), retune.job(), retune.effect() == null ? "" : effect(retune.effect()));
    }

    /** Above 0 the candidate is slower. */
    static String effect(@Nullable Effect effect) {
        return effect == null ? Figures.NONE : Figures.effect(effect.percent(), effect.low(), effect.high());
    }

    private static String worth(@Nullable Effect effect) {
        return effect == null
                ? ""
                : Figures.count(effect.blocks(), "block") + "; a slowdown of "
                        + Figures.format("%.2f", effect.detectable()) + " % would have been seen";
    }

    static String margins(Margins margins) {
        return Figures.format("warns above %.2f %%, fails above %.2f %%", margins.warn(), margins.fail());
    }

    private static KernelLine side(String role, CaseResult.Side side) {
        return new KernelLine(
                role,
                side.kernel(),
                side.outcome() == null ? Figures.NONE : side.outcome().toString(),
                side.checked() == null ? "not asked" : side.checked().verdict().toString(),
                side.errorRatio() == null ? Figures.NONE : Figures.format("%.3f", side.errorRatio()),
                Objects.requireNonNullElse(side.ptxHash(), Figures.NONE),
                Objects.requireNonNullElse(side.cubinHash(), Figures.NONE));
    }

    private static StageLine stage(CaseResult.Stage stage) {
        return new StageLine(
                stage.number(),
                VerdictChip.ofCase(stage.verdict()),
                effect(stage.effect()),
                Integer.toString(stage.counted()),
                stage.discarded() + (stage.discards().isEmpty() ? "" : ": " + String.join("; ", stage.discards())),
                stage.log());
    }
}
