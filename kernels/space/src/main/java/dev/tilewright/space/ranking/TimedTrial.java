package dev.tilewright.space.ranking;

import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TimeInterval;
import dev.tilewright.space.parameter.Scheduler;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A trial that completed, with its times in sustained mode.
 *
 * @param ordinal its number among the trials of its study, in the order in which they were asked
 * @param times at most one of each stage
 */
public record TimedTrial(UUID id, int ordinal, Config config, List<Time> times) {

    /**
     * The order of all trials of a study. Trials of the last stage come first. In a final, trials with more blocks come
     * first: a trial that left it early was surely behind. Then the faster is first, and of equally fast trials the one
     * that was asked first.
     */
    public static final Comparator<TimedTrial> ORDER =
            Comparator.comparing(TimedTrial::rank, Rank.ORDER).thenComparingInt(TimedTrial::ordinal);

    private Rank rank() {
        return last().map(Rank::of).orElse(Rank.NONE);
    }

    /** The median time of a stage, with its interval over so many blocks. */
    public record Time(Stage stage, int blocks, TimeInterval interval) {

        /** The time of a measurement. */
        public static Time of(Measurement of) {
            return new Time(of.stage(), of.blocks(), new TimeInterval(of.medianNs(), of.ciLowNs(), of.ciHighNs()));
        }
    }

    public TimedTrial {
        times = List.copyOf(times);
    }

    /** The trial of a document; without times unless it completed. */
    public static TimedTrial of(TrialDocument trial) {
        return new TimedTrial(
                trial.id(),
                trial.ordinal(),
                trial.config(),
                trial.isTimed()
                        ? trial.measurements().stream()
                                .filter(measured -> measured.measurement().mode() == Mode.SUSTAINED)
                                .map(measured -> Time.of(measured.measurement()))
                                .toList()
                        : List.of());
    }

    /** The same with the times of another record of it. */
    public TimedTrial with(TimedTrial more) {
        return new TimedTrial(
                id,
                ordinal,
                config,
                Stream.concat(times.stream(), more.times.stream()).toList());
    }

    /** The time with the most evidence behind it; empty if there is none. */
    public Optional<Time> last() {
        return times.stream().max(Comparator.comparing(Time::stage));
    }

    /** The time of a stage. */
    public Optional<Time> at(Stage stage) {
        return times.stream().filter(time -> time.stage() == stage).findFirst();
    }

    /** The last stage in which this and another one were timed. */
    public Optional<Stage> common(TimedTrial other) {
        return times.stream()
                .map(Time::stage)
                .filter(stage -> other.at(stage).isPresent())
                .max(Comparator.naturalOrder());
    }

    /** Its tile scheduler; empty if the family names none. */
    public Optional<String> scheduler() {
        return config.has(Scheduler.KEY.name())
                ? Optional.of(config.value(Scheduler.KEY.name()).toString())
                : Optional.empty();
    }

    /** Whether the two stand in one row of a board: timed in one stage, not the final, and not to be told apart. */
    public boolean isAlike(TimedTrial other) {
        return last().flatMap(first -> other.last()
                        .map(second -> first.stage() == second.stage()
                                && first.stage() != Stage.FINAL
                                && first.interval().ties(second.interval())))
                .orElse(false);
    }
}
