package dev.tilewright.worker.cli.bundle;

import dev.tilewright.launch.bundle.BundleKernel;
import dev.tilewright.model.text.Count;
import dev.tilewright.worker.cli.export.TextAssembler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Results of the assembler of this machine, one for each text. */
final class AssembledTexts {
    private final TextAssembler assembler;
    private final Map<String, TextAssembler.Outcome> outcomes = new HashMap<>();

    AssembledTexts(TextAssembler assembler) {
        this.assembler = assembler;
    }

    /** Why it refuses a kernel; nothing if it takes it, or does not know it. */
    List<String> refusal(BundleKernel kernel) {
        return switch (kernel) {
            case BundleKernel.Binary _ -> List.of();
            case BundleKernel.Text text ->
                switch (outcomes.computeIfAbsent(text.ptx(), ptx -> assembler.assemble(ptx, text.target()))) {
                    case TextAssembler.Outcome.Assembled _, TextAssembler.Outcome.Unavailable _ -> List.of();
                    case TextAssembler.Outcome.Refused(String reason) ->
                        reason.lines().filter(line -> !line.isBlank()).toList();
                };
        };
    }

    long refused() {
        return count(TextAssembler.Outcome.Refused.class);
    }

    /** How many it took. */
    long assembled() {
        return count(TextAssembler.Outcome.Assembled.class);
    }

    private long count(Class<? extends TextAssembler.Outcome> kind) {
        return outcomes.values().stream().filter(kind::isInstance).count();
    }

    /** How many were assembled, and why others were not. */
    String summary() {
        TreeSet<String> reasons = new TreeSet<>();
        outcomes.values().forEach(outcome -> {
            if (outcome instanceof TextAssembler.Outcome.Unavailable(String reason)) {
                reasons.add(reason);
            }
        });
        return "assembled " + assembled() + " of " + Count.of(outcomes.size(), "text")
                + (reasons.isEmpty() ? "" : "; not assembled here: " + String.join("; ", reasons));
    }
}
