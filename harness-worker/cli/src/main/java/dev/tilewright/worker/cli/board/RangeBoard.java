package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.RangeDocument;
import dev.tilewright.model.exchange.ResultDocument;
import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.range.MeanLoss;
import dev.tilewright.model.range.Regret;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.families.ProblemText;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The table of a range of M that was tuned.
 *
 * @param index among the ranges of the job
 */
public record RangeBoard(ResultDocument result, int index) implements Board {

    /** All lines; of a range without a table the reason. */
    @Override
    public List<String> lines(int width) {
        RangeDocument range = result.ranges().get(index);
        RangeDocument.Table table = range.table();
        Optional<StudyResult> any = studies().stream()
                .filter(study -> study.document().testbed() != null)
                .findFirst();
        if (table == null || any.isEmpty()) {
            String error = range.error();
            return List.of(range.problem() + ": no table of kernels" + (error == null ? "" : ": " + error));
        }
        Testbed testbed = Objects.requireNonNull(any.get().document().testbed());
        String family = range.family();
        boolean simulated = TestbedKind.SIMULATED.isOf(testbed);
        List<String> lines = new ArrayList<>();
        lines.add(range.problem() + ", " + family + " on " + (simulated ? "the model of " : "") + testbed.device()
                + ": the kernel for each M");
        lines.addAll(new SpanTable(family, table.kernels()).lines(width));
        Regret regret = table.regret();
        lines.add(
                regret == null
                        ? "regret: not known"
                                + (range.error() == null
                                        ? ", no kernel of the table completed at the M of the checks"
                                        : ", " + range.error())
                        : SpanTable.regret(
                                regret,
                                table.drawn()
                                        ? "drawn M (seed " + table.seed() + ")"
                                        : "M, all of which took part in the choice",
                                "the " + table.beside() + " most promising others there"));
        if (!table.lost().isEmpty()) {
            lines.add(MeanLoss.line(table.lost()));
        }
        lines.add("chosen among " + table.screened() + " configs that were timed; times are "
                + (simulated ? "of the model" : "of screens"));
        return lines;
    }

    /**
     * The command that asks for the table again.
     *
     * @param options of {@code tune} beside problem, family and device, each behind a blank
     */
    public String again(String options) {
        RangeDocument range = result.ranges().get(index);
        String device = studies().stream()
                .map(study -> study.document().testbed())
                .filter(TestbedKind.SIMULATED::isOf)
                .findFirst()
                .map(ProblemText::device)
                .orElse("");
        return "again: tilewright tune" + ProblemText.of(range.problem().ranged()) + " --family " + range.family()
                + device + options;
    }

    private List<StudyResult> studies() {
        return result.ofRange(index);
    }
}
