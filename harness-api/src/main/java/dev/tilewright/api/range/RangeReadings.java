package dev.tilewright.api.range;

import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.trial.ScreenScale;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.SearchSpace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Reads what studies of a range timed. */
@Component
record RangeReadings(TrialRepository trials) {

    /** As many of a study at the most, the fastest: a table is chosen from thousands of times at each M of a range. */
    private static final int FASTEST = 64;

    /** A kernel with such an outcome is no kernel for any M. */
    private static final Set<TrialOutcome> WRONG = Set.of(
            TrialOutcome.LAUNCH, TrialOutcome.TIMEOUT, TrialOutcome.CRASH, TrialOutcome.MISMATCH, TrialOutcome.HAZARD);

    /**
     * The kernels that a study timed. Its screens are compared on their common scale, and each is a time again by the
     * median of what the scale makes of a nanosecond.
     *
     * @param naming completes configs, so that each has one name at every M
     */
    MeasuredRows of(StudyRow study, SearchSpace naming) {
        List<TrialRepository.Seen> seen = trials.history(study.id());
        Map<Config, ScreenScale.ScreenTime> screens = new HashMap<>();
        Map<Config, TrialOutcome> wrong = new HashMap<>();
        for (TrialRepository.Seen trial : seen) {
            Config config = naming.completed(trial.config());
            if (trial.screen() != null) {
                screens.put(config, trial.screen());
            }
            if (trial.outcome() != null && WRONG.contains(trial.outcome())) {
                wrong.put(config, trial.outcome());
            }
        }
        boolean onGpu = TestbedKind.CUDA.isOf(study.testbed());
        ScreenScale scale = onGpu ? ScreenScale.of(screens.values()) : ScreenScale.TIME;
        double[] nanoseconds = screens.values().stream()
                .mapToDouble(screen -> screen.medianNs() / scale.time(screen))
                .sorted()
                .toArray();
        Map<Config, Double> us = screens.entrySet().stream()
                .map(screen -> Map.entry(
                        screen.getKey(), scale.time(screen.getValue()) * nanoseconds[nanoseconds.length / 2] / 1e3))
                .sorted(Map.Entry.<Config, Double>comparingByValue()
                        .thenComparing(entry -> entry.getKey().canonical()))
                .limit(FASTEST)
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> Objects.requireNonNull(entry.getValue())));
        return new MeasuredRows(study.problem().shape().m(), us, wrong);
    }
}
