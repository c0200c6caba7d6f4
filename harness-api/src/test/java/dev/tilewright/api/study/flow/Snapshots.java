package dev.tilewright.api.study.flow;

import dev.tilewright.api.study.JobOptions;
import dev.tilewright.api.study.SpaceRestriction;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.trial.ScreenScale;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.model.exchange.Budget;
import dev.tilewright.model.exchange.StudyStage;
import dev.tilewright.model.exchange.StudyState;
import dev.tilewright.model.exchange.TrialCounts;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.SpaceSummary;
import dev.tilewright.space.family.FamilySpace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.ToDoubleFunction;

/** Studies as tests of their rules need them, without a service. */
record Snapshots(
        FamilySpace family,
        ProblemShape shape,
        SpaceRestriction restriction,
        String strategy,
        Budget budget,
        Testbed testbed,
        List<Config> listed,
        boolean eachScheduler) {

    /** Of a study that lists no configs. */
    Snapshots(
            FamilySpace family,
            ProblemShape shape,
            SpaceRestriction restriction,
            String strategy,
            Budget budget,
            Testbed testbed) {
        this(family, shape, restriction, strategy, budget, testbed, List.of(), false);
    }

    /** The same of a study that compares tile schedulers. */
    Snapshots comparing() {
        return new Snapshots(family, shape, restriction, strategy, budget, testbed, listed, true);
    }

    private static final Instant START = Instant.parse("2026-07-25T12:00:00Z");

    Problem problem() {
        return Problem.of(shape, DataType.BF16);
    }

    private StudyRow study(boolean exhausted) {
        return new StudyRow(
                UUID.randomUUID(),
                UUID.randomUUID(),
                problem(),
                new JobOptions(
                        family.family(),
                        restriction,
                        strategy,
                        budget,
                        1,
                        testbed.kind() + ":0",
                        false,
                        List.of(),
                        null,
                        listed,
                        eachScheduler,
                        null),
                null,
                StudyState.RUNNING,
                UUID.randomUUID(),
                testbed,
                "build",
                "hash",
                new SpaceSummary(1000, 1000),
                null,
                START,
                exhausted,
                true,
                null,
                null,
                null);
    }

    /** A study whose sweep is over; each of these configs has a screen at the same clock that took so long. */
    StudySnapshot swept(List<Config> configs, ToDoubleFunction<Config> ns) {
        return swept(
                configs.stream()
                        .map(config -> new ScreenScale.ScreenTime(ns.applyAsDouble(config), 1755.0, null))
                        .toList(),
                configs);
    }

    /** A study whose sweep is over, with the screens of these configs in their order. */
    StudySnapshot swept(List<ScreenScale.ScreenTime> screens, List<Config> configs) {
        List<TrialRepository.Screened> screened = new ArrayList<>();
        for (int i = 0; i < configs.size(); i++) {
            screened.add(new TrialRepository.Screened(UUID.randomUUID(), i, configs.get(i), null, screens.get(i)));
        }
        int all = configs.size();
        return new StudySnapshot(study(true), family, new TrialCounts(all, 0, 0, all, all, 0), Duration.ZERO)
                .with(StudyStage.SWEEP, screened);
    }

    /** A trial that completed after so many nanoseconds. */
    static TrialRepository.Seen completed(Config config, double ns) {
        return new TrialRepository.Seen(config, TrialOutcome.COMPLETED, new ScreenScale.ScreenTime(ns, 1755.0, null));
    }

    /** A trial that is open. */
    static TrialRepository.Seen open(Config config) {
        return new TrialRepository.Seen(config, null, null);
    }

    /** A study whose search has asked for these, and that devices worked on for so many seconds. */
    StudySnapshot asked(List<TrialRepository.Seen> seen, int seconds) {
        int open = (int) seen.stream().filter(each -> each.outcome() == null).count();
        int ended = seen.size() - open;
        TrialCounts counts = new TrialCounts(seen.size(), 0, open, ended, ended, 0);
        return new StudySnapshot(study(false), family, counts, Duration.ofSeconds(seconds))
                .with(seen, Duration.ofSeconds(1));
    }

    /** A study whose search asks for nothing more; trials are open or not. */
    StudySnapshot exhausted(int completed, int open, StudyStage stage) {
        return new StudySnapshot(
                        study(true),
                        family,
                        new TrialCounts(completed + open, 0, open, completed, completed, 0),
                        Duration.ZERO)
                .with(stage, List.of());
    }
}
