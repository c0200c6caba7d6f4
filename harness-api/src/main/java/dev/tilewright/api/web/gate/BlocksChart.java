package dev.tilewright.api.web.gate;

import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateBlocks;
import dev.tilewright.gate.document.Margins;
import dev.tilewright.model.text.Count;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a case as points, in percent by which the candidate took longer.
 *
 * @param effect with its bounds; {@code null} if nothing was timed
 * @param says the chart in one sentence, by its name
 */
record BlocksChart(List<ProcessBlocks> stages, @Nullable Bounds effect, Margins margins, Map<String, String> says) {

    /**
     * Blocks of one process, in the order in which they were timed.
     *
     * @param counted how many of them count, from the first on: the rule looks at 10, 20, 40, ... blocks, and what was
     *     timed after the look at which it was decided has no say
     */
    record ProcessBlocks(int number, int counted, List<Double> percent) {}

    /** In percent. */
    record Bounds(double percent, double low, double high) {}

    static BlocksChart of(CaseResult result, List<GateBlocks.OfStage> stages) {
        return new BlocksChart(
                stages.stream()
                        .map(stage -> new ProcessBlocks(
                                stage.number(), counted(result, stage.number()), percents(stage.blocks())))
                        .toList(),
                result.effect() == null
                        ? null
                        : new Bounds(
                                result.effect().percent(),
                                result.effect().low(),
                                result.effect().high()),
                result.margins(),
                Map.of("blocks", says(result, stages)));
    }

    private static int counted(CaseResult result, int number) {
        return result.stages().stream()
                .filter(stage -> stage.number() == number)
                .mapToInt(CaseResult.Stage::counted)
                .findFirst()
                .orElse(0);
    }

    private static String says(CaseResult result, List<GateBlocks.OfStage> stages) {
        return (result.effect() == null
                        ? "Nothing is said of the blocks"
                        : "The candidate takes longer by " + CaseView.effect(result.effect()))
                + " in " + Count.of(stages.size(), "process", "processes") + "; a case "
                + CaseView.margins(result.margins()) + "." + beyond(result, stages);
    }

    /** A note on drawn blocks that do not count; empty if all count. */
    private static String beyond(CaseResult result, List<GateBlocks.OfStage> stages) {
        String some = stages.stream()
                .filter(stage ->
                        counted(result, stage.number()) < stage.blocks().index().size())
                .map(stage -> counted(result, stage.number()) + " of "
                        + Count.of(stage.blocks().index().size(), "block") + " of process " + stage.number())
                .collect(Collectors.joining(", "));
        return some.isEmpty()
                ? ""
                : " Counted: " + some + "; they were enough to decide, and those timed after them are drawn hollow.";
    }

    private static List<Double> percents(GateBlocks.Columns blocks) {
        List<Double> percents = new ArrayList<>();
        for (int i = 0; i < blocks.index().size(); i++) {
            double longer = blocks.candidateNs().get(i) / blocks.baselineNs().get(i) - 1;
            percents.add(Math.round(longer * 1e6) / 1e4);
        }
        return percents;
    }
}
