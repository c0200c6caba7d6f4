package dev.tilewright.worker.gpu.measure;

import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.worker.gpu.stats.BlockSummary;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The quick look at one arm: a few short runs, enough to say who may contend. */
public record Screen(Stopwatch stopwatch, TimingPlan plan) {

    /**
     * The result of a screen.
     *
     * @param measurement empty if too many blocks had to be discarded
     * @param timed the blocks, those of the anchor among them
     */
    public record Result(Optional<Measurement> measurement, Timed timed) {

        /** Median duration of a launch of an arm, in nanoseconds; empty if no block of it counts. */
        public Optional<Double> launchNs(Arm arm) {
            List<Run> runs = timed.runs(arm.name(), Mode.SUSTAINED);
            return runs.isEmpty()
                    ? Optional.empty()
                    : Optional.of(BlockSummary.of(
                                    runs.stream().mapToDouble(Run::launchNs).toArray())
                            .median());
        }
    }

    /** An arm that all screens of a study are timed beside, with the duration of a launch if it is known. */
    public record Anchor(Arm arm, @Nullable Double launchNs) {}

    /**
     * Times the arm at stage {@code screen}, sustained, at the same clock as the anchor. The runs before the first
     * block are warm-up and tell how long a run must be.
     *
     * @param anchor {@code null} if there is none
     * @param seed of the order in the blocks
     */
    public Result sustained(Arm arm, @Nullable Anchor anchor, long seed) {
        Session session = begin(arm, anchor, seed);
        session.queueBlocks();
        return session.result();
    }

    /** The same in steps, between which other work may be put into the stream; puts the warm-up there. */
    public Session begin(Arm arm, @Nullable Anchor anchor, long seed) {
        return new Session(arm, anchor, seed);
    }

    /** A few launches in the stream. */
    public static final class Launches {
        private final Stopwatch.Pending run;

        private Launches(Stopwatch.Pending run) {
            this.run = run;
        }

        /** Waits for them: the mean duration of one, in nanoseconds. */
        public double launchNs() {
            return run.await().launchNs();
        }
    }

    /** Puts as many runs as a screen has into the stream, of as few launches as can be, and returns at once. */
    public List<Launches> queueLaunches(Arm arm) {
        return Stream.generate(() -> new Launches(stopwatch.queue(arm, plan.firstLaunches())))
                .limit(plan.screenRuns())
                .toList();
    }

    /** A sustained screen under way. */
    public final class Session {
        private final Arm arm;
        private final @Nullable Anchor anchor;
        private final List<Arm> arms;
        private final SameClock clock;

        private Session(Arm arm, @Nullable Anchor anchor, long seed) {
            this.arm = arm;
            this.anchor = anchor;
            this.arms = anchor == null ? List.of(arm) : List.of(arm, anchor.arm());
            this.clock = new SameClock(stopwatch, plan, Stage.SCREEN, seed);
            if (anchor != null && anchor.launchNs() != null) {
                clock.expect(anchor.arm(), anchor.launchNs());
            }
            clock.queueWarmUp(arms);
        }

        /**
         * Waits for the warm-up and puts the blocks into the stream.
         *
         * @return whether they are all there; if not, {@link #result} runs them
         */
        public boolean queueBlocks() {
            clock.queue(arms, plan.screenRuns());
            return clock.isQueued();
        }

        /** Waits for the blocks; what was discarded is repeated. */
        public Result result() {
            boolean quiet = clock.finish(arms, plan.screenRuns());
            Timed timed = clock.timed();
            if (!quiet) {
                return new Result(Optional.empty(), timed);
            }
            Ratio ratio = anchor == null || plan.screenRuns() < BlockSummary.LEAST_BLOCKS
                    ? null
                    : timed.paired(arm.name(), anchor.arm().name(), Mode.SUSTAINED)
                            .ratio();
            Measurement measurement =
                    Summaries.of(Mode.SUSTAINED, Stage.SCREEN, timed.runs(arm.name(), Mode.SUSTAINED), ratio);
            return new Result(Optional.of(measurement), timed);
        }
    }

    /** Times the arm at stage {@code screen} with L2 flushed before each launch, alone. */
    public Measurement cold(Arm arm) {
        stopwatch.cold(arm, 1);
        List<Run> runs = Stream.generate(() -> stopwatch.cold(arm, plan.coldLaunches()))
                .limit(plan.screenRuns())
                .toList();
        return Summaries.of(Mode.COLD, Stage.SCREEN, runs, null);
    }
}
