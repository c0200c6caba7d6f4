package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.text.Count;
import dev.tilewright.model.trial.SchedulerEvidence;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The schedule of a traced trial in words. */
final class ScheduleWords {

    private ScheduleWords() {}

    /** {@code "1040 tiles on 132 SMs (7.88 a SM), idle tail 3.1 % of SM time"}; nothing if it was not traced. */
    static Optional<String> load(TrialDocument trial) {
        List<Integer> tiles = trial.tilesPerFreeSm();
        if (tiles.isEmpty()) {
            return Optional.empty();
        }
        int sum = tiles.stream().mapToInt(Integer::intValue).sum();
        String load = String.format(
                Locale.ROOT, "%d tiles on %d SMs (%.2f a SM)", sum, tiles.size(), (double) sum / tiles.size());
        return Optional.of(
                trial.idleTailFraction() == null ? load : load + ", idle tail " + idleTail(trial) + " of SM time");
    }

    /** {@code "3.1 %"}; a dash if it is not known. */
    static String idleTail(TrialDocument trial) {
        return trial.idleTailFraction() == null ? "-" : Rates.oneDigit(100 * trial.idleTailFraction()) + " %";
    }

    /** {@code "steals 0..5 per cluster, 148 failed queries"}; nothing where nobody asked or nobody recorded it. */
    static Optional<String> asking(TrialDocument trial) {
        SchedulerEvidence evidence = trial.evidence();
        if (evidence == null || evidence.stealsPerCluster().isEmpty()) {
            return Optional.empty();
        }
        List<Integer> steals = evidence.stealsPerCluster();
        int fewest = Collections.min(steals);
        int most = Collections.max(steals);
        Integer failed = evidence.failedQueries();
        return Optional.of("steals " + (fewest == most ? Integer.toString(most) : fewest + ".." + most)
                + " per cluster"
                + (failed == null ? "" : ", " + Count.of(failed, "failed query", "failed queries")));
    }
}
