package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A row of a leaderboard: a trial, and those behind it whose times are as good.
 *
 * @param alike in the order of their ranks; each ties with {@code first}, not only with a neighbour
 */
record TiedRow(TrialDocument first, List<TrialDocument> alike) {

    /** Names that are written out; of more there is only the number. */
    private static final int MAX_NAMES_SHOWN = 4;

    TiedRow {
        alike = List.copyOf(alike);
    }

    /** One row for each group of trials that tie; finalists and trials without a time have rows of their own. */
    static List<TiedRow> of(List<TrialDocument> ranked) {
        List<TiedRow> rows = new ArrayList<>();
        List<TrialDocument> left = new ArrayList<>(ranked);
        while (!left.isEmpty()) {
            TrialDocument first = left.removeFirst();
            List<TrialDocument> alike =
                    left.stream().filter(other -> isTied(first, other)).toList();
            left.removeAll(alike);
            rows.add(new TiedRow(first, alike));
        }
        return rows;
    }

    private static boolean isTied(TrialDocument one, TrialDocument other) {
        Optional<Measurement> first = one.lastSustained();
        Optional<Measurement> second = other.lastSustained();
        return one.isTimed()
                && other.isTimed()
                && first.isPresent()
                && second.isPresent()
                && first.get().stage() == second.get().stage()
                && first.get().stage() != Stage.FINAL
                && Tie.between(first.get(), second.get());
    }

    /** All trials of the row. */
    Stream<TrialDocument> trials() {
        return Stream.concat(Stream.of(first), alike.stream());
    }

    /** {@code " (+9 alike: l2Hint, registers)"}: how many, and in which parameters they differ; nothing for one. */
    String note() {
        if (alike.isEmpty()) {
            return "";
        }
        List<String> differing = alike.stream()
                .flatMap(other -> CompactConfig.differing(first.config(), other.config()).stream())
                .distinct()
                .sorted()
                .toList();
        int more = differing.size() - MAX_NAMES_SHOWN;
        String listed = String.join(", ", differing.subList(0, Math.min(MAX_NAMES_SHOWN, differing.size())))
                + (more > 0 ? " and " + more + " more" : "");
        return " (+" + alike.size() + " alike" + (listed.isEmpty() ? "" : ": " + listed) + ")";
    }
}
