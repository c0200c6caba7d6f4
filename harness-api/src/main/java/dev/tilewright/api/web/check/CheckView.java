package dev.tilewright.api.web.check;

import dev.tilewright.api.textcheck.TextCheckDocument;
import dev.tilewright.api.web.Figures;
import dev.tilewright.model.exchange.GpuTaskResult.CheckedText;
import dev.tilewright.model.exchange.GpuTaskResult.TextHazard;
import dev.tilewright.model.exchange.GpuTaskResult.TextSite;
import dev.tilewright.model.exchange.TaskState;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A check as its page shows it.
 *
 * @param word its verdict, or how far it is
 * @param look class of the colour of the word, which says the same
 * @param means what the word says, in one sentence
 * @param accepted rules that the text may break; empty for none
 * @param lines of the whole verdict; empty before there is one
 */
public record CheckView(
        UUID id,
        String word,
        String look,
        String means,
        boolean open,
        List<Hazard> hazards,
        String lines,
        @Nullable String error,
        String ptx,
        String launch,
        String accepted,
        String submitted) {

    /**
     * A finding.
     *
     * @param waiters who else was there, each in one line
     * @param excerpt the lines around it
     */
    public record Hazard(
            String rule,
            String kind,
            String message,
            String site,
            String who,
            String instruction,
            List<String> waiters,
            String excerpt,
            String seed) {

        static Hazard of(TextHazard hazard) {
            TextSite site = hazard.site();
            return new Hazard(
                    hazard.rule(),
                    hazard.kind(),
                    hazard.message(),
                    "line " + site.line() + " of kernel " + site.kernel(),
                    who(site),
                    site.instruction(),
                    hazard.waiters().stream()
                            .map(waiter -> who(waiter.site()) + ", at line "
                                    + waiter.site().line() + ": " + waiter.reason())
                            .toList(),
                    String.join("\n", hazard.excerpt()),
                    Long.toString(hazard.seed()));
        }

        private static String who(TextSite site) {
            return "CTA " + site.cta() + ", warp " + site.warp() + (site.lane() < 0 ? "" : ", lane " + site.lane());
        }
    }

    static CheckView of(TextCheckDocument check) {
        CheckedText result = check.result();
        return new CheckView(
                check.id(),
                result == null ? check.state().toString() : result.verdict().toString(),
                result == null ? look(check.state()) : look(result),
                result == null ? means(check.state()) : means(result),
                !check.state().isOver(),
                result == null
                        ? List.of()
                        : result.hazards().stream().map(Hazard::of).toList(),
                result == null ? "" : String.join("\n", result.lines()),
                check.error(),
                check.ptx(),
                check.launch(),
                String.join(", ", check.accept()),
                Figures.moment(check.createdAt()));
    }

    private static String look(TaskState state) {
        return switch (state) {
            case QUEUED, LEASED, FINISHED -> "running";
            case FAILED, CANCELLED -> "failed";
        };
    }

    private static String look(CheckedText result) {
        return switch (result.verdict()) {
            case PROVED -> "finished";
            case SHALLOW, UNSUPPORTED -> "unsure";
            case HAZARD, MISMATCH, WRONG -> "failed";
        };
    }

    private static String means(TaskState state) {
        return switch (state) {
            case QUEUED -> "It waits for a worker with an emulated GPU.";
            case LEASED -> "An emulated GPU runs it, for 2 minutes at the most.";
            case FINISHED -> "";
            case FAILED -> "Nothing can be said of the text.";
            case CANCELLED -> "Nobody wants to know any more.";
        };
    }

    private static String means(CheckedText result) {
        return switch (result.verdict()) {
            case PROVED ->
                "No run showed a hazard, every result was as expected, and every ring was gone through often"
                        + " enough.";
            case SHALLOW -> "Nothing wrong was seen, but rings were not gone through often enough for a proof.";
            case HAZARD -> "A run broke a rule: on a GPU this kernel may be right today and wrong tomorrow.";
            case MISMATCH -> "A run ended, and a buffer does not hold what it should.";
            case UNSUPPORTED -> "The text uses what is not emulated.";
            case WRONG ->
                "The text is no PTX, the description is none of a launch, or they do not fit. Nothing was run.";
        };
    }
}
