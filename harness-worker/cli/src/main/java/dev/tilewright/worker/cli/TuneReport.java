package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.ResultDocument;
import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.worker.cli.board.Board;
import dev.tilewright.worker.cli.board.Leaderboard;
import dev.tilewright.worker.cli.board.ListedShape;
import dev.tilewright.worker.cli.board.MarkdownReport;
import dev.tilewright.worker.cli.board.RacedTable;
import dev.tilewright.worker.cli.board.RangeBoard;
import dev.tilewright.worker.cli.board.ShapesTable;
import dev.tilewright.worker.cli.board.SweepExport;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The report of {@code tune} when a job is over.
 *
 * @param listed what the user calls the problem of each study
 * @param top rows of a leaderboard
 * @param boards whether there is one for each of several shapes
 * @param options beside problem, family and device that ask for the same again, each behind a blank
 */
record TuneReport(ResultDocument result, List<ListedShape> listed, int top, boolean boards, String options)
        implements Board {

    /** The system property by which the launcher tells the commit that was built. */
    private static final String COMMIT = "tilewright.commit";

    /**
     * The tables of ranges of M, and the leaderboard of the one shape or the table of several, each behind an empty
     * line; at last one more.
     */
    @Override
    public List<String> lines(int width) {
        List<String> lines = new ArrayList<>();
        List<StudyResult> single = result.single();
        boolean several = single.size() > 1;
        for (int range = 0; range < result.ranges().size(); range++) {
            lines.add("");
            RangeBoard board = new RangeBoard(result, range);
            lines.addAll(board.lines(width));
            lines.add(board.again(options));
        }
        if (boards || !several) {
            for (StudyResult study : single) {
                lines.add("");
                lines.addAll(new Leaderboard(study, top).lines(width));
            }
        }
        if (several) {
            lines.add("");
            lines.addAll(new ShapesTable(single, listed).lines(width));
        }
        if (several && !boards) {
            lines.add("(--boards shows the leaderboard of each shape, --json FILE has all trials)");
        }
        lines.add("");
        return lines;
    }

    /** Where the numbers come from. */
    String origins() {
        return "numbers: "
                + String.join(
                        "; ",
                        result.studies().stream()
                                .map(Leaderboard::origin)
                                .distinct()
                                .toList());
    }

    String markdown(List<RacedTable> raced) {
        List<String> lines = new ArrayList<>(new MarkdownReport(System.getProperty(COMMIT)).lines(result, listed));
        lines.addAll(MarkdownReport.races(raced));
        return String.join("\n", lines) + "\n";
    }

    /** Three where a GPU was too busy or too noisy to call anything best: what was asked for is not known. */
    ExitCode exit() {
        if (result.hasNoise()) {
            return ExitCode.INCONCLUSIVE;
        }
        return anyCompleted() && result.ranges().stream().allMatch(range -> range.table() != null)
                ? ExitCode.OK
                : ExitCode.NEGATIVE;
    }

    private boolean anyCompleted() {
        return result.studies().stream()
                .flatMap(study -> study.trials().stream())
                .anyMatch(TrialDocument::isCompleted);
    }

    /**
     * Adds the trials to stored sweeps. After all else was said: whatever is wrong with the folder, results are there.
     */
    List<SweepFolder.Added> addTo(Path folder) {
        String commit = Objects.requireNonNullElse(System.getProperty(COMMIT), "");
        try {
            return new SweepFolder(folder).add(new SweepExport(commit).sweeps(result));
        } catch (IllegalArgumentException | IOException wrong) {
            throw CommandFailedException.usage("--sweeps " + folder + ": " + wrong.getMessage());
        }
    }
}
