package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.trial.Checked;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The trials of a study on an emulated GPU: what was proved, and how. There is nothing to rank by.
 *
 * @param top how many trials are listed
 * @param width columns that the table fits
 * @param study of which they are
 */
record ProofTable(int top, int width, StudyResult study) {

    private static final String NONE = "-";

    private static final List<String> HEADER = List.of(
            "#", "config", "outcome", "verdict", "seeds", "run shape", "steps", "regs", "shared B", "tiles per SM");

    List<String> lines(List<TrialDocument> ranked) {
        List<TrialDocument> shown = ranked.subList(0, Math.min(top, ranked.size()));
        List<FamilyConfig> configs =
                shown.stream().map(trial -> FamilyConfig.of(study, trial)).toList();
        CompactConfig form = CompactConfig.of(configs);
        TextTable table = new TextTable(HEADER, "rlllrlrrrl");
        for (TrialDocument trial : shown) {
            List<String> row = new ArrayList<>(List.of(
                    Integer.toString(shown.indexOf(trial) + 1),
                    form.format(FamilyConfig.of(study, trial)),
                    String.valueOf(trial.outcome())));
            row.addAll(proof(trial.checked(), study.document().problem()));
            row.addAll(List.of(
                    Leaderboard.orNone(trial.registers()),
                    Leaderboard.orNone(trial.sharedBytes()),
                    Leaderboard.tiles(trial)));
            table.add(row);
        }
        List<String> lines = new ArrayList<>(table.lines(width));
        Leaderboard.more(ranked.size(), shown.size()).ifPresent(lines::add);
        lines.addAll(Legend.of(form, configs).lines(width));
        return lines;
    }

    /** Verdict, seeds, shape that was run and steps. What was run of several GEMMs is in the finding. */
    static List<String> proof(@Nullable Checked checked, ProblemDocument problem) {
        return checked == null
                ? List.of(NONE, NONE, NONE, NONE)
                : List.of(
                        checked.verdict().toString(),
                        Integer.toString(checked.seeds()),
                        checked.runShape() == null || !problem.problem().isSingle()
                                ? NONE
                                : checked.runShape().toString(),
                        Long.toString(checked.steps()));
    }
}
