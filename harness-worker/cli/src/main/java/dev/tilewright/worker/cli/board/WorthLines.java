package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.ranking.SchedulerWorth;
import dev.tilewright.space.ranking.TimedTrial;
import java.util.List;

/** The comparisons of the winner's tile scheduler with the others, in the lines that pages and REST have too. */
final class WorthLines {

    private WorthLines() {}

    static List<String> of(StudyResult study) {
        return study.isEmulated()
                ? List.of()
                : SchedulerWorth.of(
                                study.document(),
                                study.trials().stream().map(TimedTrial::of).toList(),
                                Families.standard())
                        .map(SchedulerWorth::lines)
                        .orElse(List.of());
    }
}
