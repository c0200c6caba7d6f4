package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Verdicts of the emulator on the texts of a study. */
final class Checks {

    private Checks() {}

    /** How many trials had each verdict, and for how many of them nothing had to be run. */
    static Optional<String> line(List<TrialDocument> trials) {
        List<Checked> checks = trials.stream()
                .map(TrialDocument::checked)
                .filter(Objects::nonNull)
                .toList();
        if (checks.isEmpty()) {
            return Optional.empty();
        }
        Map<Verdict, Long> counts =
                checks.stream().collect(Collectors.groupingBy(Checked::verdict, TreeMap::new, Collectors.counting()));
        long cached = checks.stream().filter(Checked::cached).count();
        return Optional.of("check before running: "
                + counts.entrySet().stream()
                        .map(entry -> entry.getValue() + " " + entry.getKey())
                        .collect(Collectors.joining(", "))
                + (cached == 0 ? "" : "; " + cached + " known before"));
    }

    /** A line of findings for each listed trial that was not proved. */
    static List<String> findings(List<TrialDocument> listed) {
        return IntStream.range(0, listed.size())
                .boxed()
                .flatMap(index -> finding(listed.get(index)).map(text -> "#" + (index + 1) + ": " + text).stream())
                .toList();
    }

    /** The findings of a trial on one line; empty for a proof. */
    static Optional<String> finding(TrialDocument trial) {
        return Optional.ofNullable(trial.checked())
                .filter(checked -> checked.verdict() != Verdict.PROVED)
                .flatMap(checked -> checked.finding().lines().findFirst());
    }
}
