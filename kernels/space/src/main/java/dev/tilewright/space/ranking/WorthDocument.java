package dev.tilewright.space.ranking;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Stage;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of the winner's tile scheduler with the others, as a document.
 *
 * @param winner {@code null} if nothing was timed or the configs name no scheduler
 * @param sameConfig for each other scheduler that was timed with the config of the winner that trial
 * @param best for each other scheduler that was timed its best trial
 * @param fair whether each scheduler that was timed had its share of the trials
 * @param lines the same in words, as terminal and pages have them
 */
public record WorthDocument(
        @Nullable Side winner, List<Side> sameConfig, List<Side> best, boolean fair, List<String> lines) {

    /**
     * A trial with another scheduler.
     *
     * @param stage in which it was timed beside the winner; {@code null} if in none
     * @param change by which part it is faster than the winner, such as -0.036; {@code null} likewise
     * @param tied whether the two cannot be told apart
     */
    public record Side(
            String scheduler,
            UUID trialId,
            Config config,
            @Nullable Stage stage,
            @Nullable Double change,
            boolean tied) {}

    /** Of a study without a winner. */
    public static final WorthDocument NONE = new WorthDocument(null, List.of(), List.of(), false, List.of());

    /** The document of a comparison. */
    public static WorthDocument of(SchedulerWorth worth) {
        return new WorthDocument(
                side(worth, worth.winner()),
                sides(worth, worth.sameConfig()),
                sides(worth, worth.best()),
                worth.unfair().isEmpty(),
                worth.lines());
    }

    private static List<Side> sides(SchedulerWorth worth, Map<String, TimedTrial> trials) {
        return trials.values().stream().map(trial -> side(worth, trial)).toList();
    }

    private static Side side(SchedulerWorth worth, TimedTrial trial) {
        return new Side(
                trial.scheduler().orElseThrow(),
                trial.id(),
                trial.config(),
                worth.winner().common(trial).orElse(null),
                worth.change(trial),
                worth.isTied(trial));
    }
}
