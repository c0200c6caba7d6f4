package dev.tilewright.api.web.study;

import dev.tilewright.api.web.Figures;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Trials of a study that have a screen, in the order in which they ended: all, or of too many an even sample with each
 * trial that was the best so far.
 *
 * @param numbers of each trial among all that have a screen, from 1 on
 * @param all how many have a screen
 */
public record TrialSample(List<StudyTrial> trials, Map<UUID, Integer> numbers, int all) {

    public TrialSample {
        trials = List.copyOf(trials);
        numbers = Map.copyOf(numbers);
    }

    /** All trials of a study; they stand in the order in which they ended. */
    static TrialSample all(List<StudyTrial> trials) {
        Map<UUID, Integer> numbers = new HashMap<>();
        trials.forEach(trial -> numbers.put(trial.id(), numbers.size() + 1));
        return new TrialSample(trials, numbers, trials.size());
    }

    /** A sentence with the number of trials shown and the number of all; empty if all are shown. */
    String says() {
        return trials.size() == all
                ? ""
                : "Shown are " + Figures.count(trials.size()) + " of " + Figures.count(all)
                        + " trials: an even sample, and each trial that was the best so far.";
    }
}
