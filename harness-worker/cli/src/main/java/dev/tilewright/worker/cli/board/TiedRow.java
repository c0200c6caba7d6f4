package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.space.ranking.AlikeTrials;
import dev.tilewright.space.ranking.TimedTrial;
import java.util.List;
import java.util.stream.Stream;

/**
 * A row of a leaderboard: a trial, and those behind it whose times are as good.
 *
 * @param alike in the order of their ranks; each ties with {@code first}, not only with a neighbour
 */
record TiedRow(TrialDocument first, List<TrialDocument> alike) {

    TiedRow {
        alike = List.copyOf(alike);
    }

    /** One row for each group of trials that tie; finalists and trials without a time have rows of their own. */
    static List<TiedRow> of(List<TrialDocument> ranked) {
        return AlikeTrials.of(ranked, TimedTrial::of, ranked.size()).stream()
                .map(row -> new TiedRow(row.first(), row.alike()))
                .toList();
    }

    /** All trials of the row. */
    Stream<TrialDocument> trials() {
        return Stream.concat(Stream.of(first), alike.stream());
    }

    /** {@code " (+9 alike: l2Hint, registers)"}: how many, and in which parameters they differ; nothing for one. */
    String note() {
        return new AlikeTrials<>(first, alike).note(TrialDocument::config);
    }
}
