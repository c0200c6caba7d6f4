package dev.tilewright.space.ranking;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TimeInterval;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The best config of each tile scheduler in a study that tuned each on its own.
 *
 * @param busySms SMs that somebody else held
 * @param entries one of each scheduler that was timed, the fastest first
 */
public record SchedulerPoint(int busySms, List<Entry> entries) {

    /**
     * The best config of a scheduler.
     *
     * @param trial that timed it
     * @param stage the last one in which it and the fastest of all were timed
     * @param side its time in that stage, and what says why
     * @param fastest the time of the fastest of all in that stage
     */
    public record Entry(UUID trial, Config config, Stage stage, WhyItWon.Side side, TimeInterval fastest) {

        public String scheduler() {
            return side.scheduler();
        }

        /** Its speed beside that of the fastest of all. */
        public Speed speed() {
            TimeInterval own = side.time();
            return new Speed(
                    fastest.medianNs() / own.medianNs(),
                    quotient(fastest.lowNs(), own.highNs()),
                    quotient(fastest.highNs(), own.lowNs()));
        }

        /** Whether it cannot be told apart from the fastest of all. */
        boolean isTied() {
            return side.time().ties(fastest);
        }

        private static @Nullable Double quotient(@Nullable Double above, @Nullable Double below) {
            return above == null || below == null ? null : above / below;
        }
    }

    /**
     * A speed over that of the fastest, 1 of that itself.
     *
     * @param low from the ends of both intervals of times, wider than that of pairs; {@code null} of a prediction, as
     *     is {@code high}
     */
    public record Speed(
            double value, @Nullable Double low, @Nullable Double high) {

        /** {@code 0.987 [0.981, 0.993]}; without an interval of a prediction. */
        public String words() {
            String words = String.format(Locale.ROOT, "%.3f", value);
            return low == null || high == null ? words : words + String.format(Locale.ROOT, " [%.3f, %.3f]", low, high);
        }
    }

    public SchedulerPoint {
        entries = List.copyOf(entries);
    }

    /** Facts of trials beside their times. */
    public interface Sides {

        /** The side of a trial with its time of a stage, in which it was timed. */
        WhyItWon.Side of(TimedTrial trial, Stage stage);
    }

    /**
     * The point of a study; without entries if nothing was timed.
     *
     * @param trials of the study, in any order
     * @param sides asked for the best of each scheduler alone
     */
    public static SchedulerPoint of(int busySms, List<TimedTrial> trials, Sides sides) {
        List<TimedTrial> ranked = trials.stream()
                .filter(trial -> trial.last().isPresent() && trial.scheduler().isPresent())
                .sorted(TimedTrial.ORDER)
                .toList();
        Set<String> seen = new HashSet<>();
        List<Entry> entries = new ArrayList<>();
        for (TimedTrial trial : ranked) {
            Optional<Stage> stage = ranked.getFirst().common(trial);
            if (stage.isPresent() && seen.add(trial.scheduler().orElseThrow())) {
                entries.add(new Entry(
                        trial.id(),
                        trial.config(),
                        stage.get(),
                        sides.of(trial, stage.get()),
                        ranked.getFirst().at(stage.get()).orElseThrow().interval()));
            }
        }
        return new SchedulerPoint(busySms, entries);
    }

    /** The stage of the fastest of all; empty of predictions, whose times have no stage that counts. */
    public Optional<Stage> stage() {
        return entries.stream()
                .filter(entry -> !entry.side().simulated())
                .map(Entry::stage)
                .findFirst();
    }

    /** Of a scheduler. */
    public Optional<Entry> entry(String scheduler) {
        return entries.stream()
                .filter(entry -> entry.scheduler().equals(scheduler))
                .findFirst();
    }
}
