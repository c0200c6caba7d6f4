package dev.tilewright.worker.board;

import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.worker.board.ResultDocument.Trial;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What clusters that ask for their tiles got by it, from the evidence of a trial. */
final class Asking {

    private static final String SCHEDULER = "scheduler";

    private Asking() {}

    /** {@code "steals 0..5 per cluster, 148 failed queries"}; nothing where nobody asked or nobody recorded it. */
    static Optional<String> of(Trial trial) {
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
                + (failed == null ? "" : ", " + failed + (failed == 1 ? " failed query" : " failed queries")));
    }

    /** One line for the best trial of each scheduler that asks; nothing if there is none. */
    static Optional<String> line(List<Trial> ranked) {
        Map<String, String> ofScheduler = new LinkedHashMap<>();
        for (Trial trial : ranked) {
            ParameterValue scheduler = trial.config().values().get(SCHEDULER);
            if (scheduler != null) {
                of(trial).ifPresent(asking -> ofScheduler.putIfAbsent(scheduler.toString(), asking));
            }
        }
        return ofScheduler.isEmpty()
                ? Optional.empty()
                : Optional.of("asked for tiles: "
                        + ofScheduler.entrySet().stream()
                                .map(entry -> entry.getKey() + " " + entry.getValue())
                                .collect(Collectors.joining("; ")));
    }
}
