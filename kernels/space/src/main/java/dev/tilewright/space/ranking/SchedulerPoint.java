package dev.tilewright.space.ranking;

import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TimeInterval;
import dev.tilewright.space.device.LaunchModel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
     * @param side its time, and what says why; of the last stage in which it and the fastest of all were timed
     * @param fastest the time of the fastest of all in that stage
     */
    public record Entry(Config config, WhyItWon.Side side, TimeInterval fastest) {

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
            double value, @Nullable Double low, @Nullable Double high) {}

    public SchedulerPoint {
        entries = List.copyOf(entries);
    }

    /**
     * The point of a study; without entries if nothing was timed.
     *
     * @param model of its GPU; empty if it is not modelled
     */
    public static SchedulerPoint of(StudyDocument study, List<TrialDocument> trials, Optional<LaunchModel> model) {
        List<TrialDocument> ranked = trials.stream()
                .filter(trial -> TimedTrial.of(trial).last().isPresent())
                .filter(trial -> TimedTrial.of(trial).scheduler().isPresent())
                .sorted((one, other) -> TimedTrial.ORDER.compare(TimedTrial.of(one), TimedTrial.of(other)))
                .toList();
        Set<String> seen = new HashSet<>();
        List<Entry> entries = new ArrayList<>();
        for (TrialDocument trial : ranked) {
            TimedTrial timed = TimedTrial.of(trial);
            TimedTrial first = TimedTrial.of(ranked.getFirst());
            Optional<Stage> stage = first.common(timed);
            if (stage.isPresent() && seen.add(timed.scheduler().orElseThrow())) {
                entries.add(new Entry(
                        trial.config(),
                        side(study, trial, timed, stage.get(), model),
                        first.at(stage.get()).orElseThrow().interval()));
            }
        }
        return new SchedulerPoint(study.problem().problem().scenario().busySms(), entries);
    }

    private static WhyItWon.Side side(
            StudyDocument study, TrialDocument trial, TimedTrial timed, Stage stage, Optional<LaunchModel> model) {
        return new WhyItWon.Side(
                timed.scheduler().orElseThrow(),
                timed.at(stage).orElseThrow().interval(),
                clock(trial, stage),
                trial.evidence(),
                WhyItWon.readsOfL2(model, study.problem().problem(), trial.config()),
                TestbedKind.SIMULATED.isOf(study.testbed()));
    }

    private static @Nullable Double clock(TrialDocument trial, Stage stage) {
        return trial.measurements().stream()
                .map(measured -> measured.measurement())
                .filter(measured -> measured.mode() == Mode.SUSTAINED && measured.stage() == stage)
                .findFirst()
                .map(Measurement::smClockMhz)
                .orElse(null);
    }

    /** Of a scheduler. */
    public Optional<Entry> entry(String scheduler) {
        return entries.stream()
                .filter(entry -> entry.scheduler().equals(scheduler))
                .findFirst();
    }
}
