package dev.tilewright.api.web.study;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TimeInterval;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.space.ranking.TimedTrial;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A trial as the pages of its study need it.
 *
 * @param times its sustained measurements, the last of each stage; none unless it completed: what was timed before a
 *     kernel failed, or is not believed, is no rate of it
 * @param idleTail share of the time of the SMs; {@code null} if it was not traced
 */
public record StudyTrial(
        UUID id,
        int ordinal,
        Config config,
        TrialOutcome outcome,
        @Nullable Instant finishedAt,
        @Nullable Double idleTail,
        List<Time> times) {

    public StudyTrial {
        times = outcome == TrialOutcome.COMPLETED ? List.copyOf(times) : List.of();
    }

    static final Comparator<StudyTrial> ORDER = Comparator.comparing(StudyTrial::timed, TimedTrial.ORDER);

    /** The trial as it is ranked and compared. */
    TimedTrial timed() {
        return new TimedTrial(
                id,
                ordinal,
                config,
                times.stream()
                        .map(time -> new TimedTrial.Time(time.stage(), time.blocks(), time.interval()))
                        .toList());
    }

    /** A sustained measurement. */
    public record Time(
            Stage stage,
            int blocks,
            double medianNs,
            @Nullable Double lowNs,
            @Nullable Double highNs,
            double tflops,
            @Nullable Double clockMhz) {

        /** Whether two times cannot be told apart. */
        public boolean ties(Time other) {
            return interval().ties(other.interval());
        }

        /** Median and interval. */
        TimeInterval interval() {
            return new TimeInterval(medianNs, lowNs, highNs);
        }
    }

    /** The one with the most evidence behind it; empty if it was not timed. */
    public Optional<Time> last() {
        return times.stream().max(Comparator.comparing(Time::stage));
    }

    /** The time of a stage. */
    public Optional<Time> at(Stage stage) {
        return times.stream().filter(time -> time.stage() == stage).findFirst();
    }

    /** The last stage in which this and another one were timed. */
    Optional<Stage> common(StudyTrial other) {
        return times.stream()
                .map(Time::stage)
                .filter(stage -> other.at(stage).isPresent())
                .max(Comparator.naturalOrder());
    }

    /** Its tile scheduler; empty if the family names none. */
    Optional<String> scheduler() {
        return config.has(Scheduler.KEY.name())
                ? Optional.of(config.value(Scheduler.KEY.name()).toString())
                : Optional.empty();
    }
}
