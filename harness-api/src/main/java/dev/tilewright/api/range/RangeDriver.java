package dev.tilewright.api.range;

import dev.tilewright.api.event.EventLog;
import dev.tilewright.api.platform.database.BackgroundLoop;
import dev.tilewright.api.platform.process.FatalErrors;
import dev.tilewright.api.study.JobProgressRepository;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.trial.ScreenScale;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.model.exchange.JobEvent;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.RangeDocument;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.exchange.StudyState;
import dev.tilewright.model.range.RangePhase;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.simulator.LaunchModels;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Moves ranges of M on: when the studies of a phase are over, it thinks without a lock, and adds those of the next one
 * in one short transaction. Two replicas may think the same at once; the first to write moves the range.
 */
@Service
class RangeDriver extends BackgroundLoop {

    private static final Logger LOG = LoggerFactory.getLogger(RangeDriver.class);

    private static final Duration LOOK = Duration.ofMillis(500);

    private final RangeRepository ranges;
    private final StudyRepository studies;
    private final TrialRepository trials;
    private final StudySpaces spaces;
    private final JobProgressRepository jobs;
    private final EventLog events;
    private final TransactionTemplate transactions;
    private final Clock clock;

    RangeDriver(
            RangeRepository ranges,
            StudyRepository studies,
            TrialRepository trials,
            StudySpaces spaces,
            JobProgressRepository jobs,
            EventLog events,
            TransactionTemplate transactions,
            FatalErrors fatal,
            Clock clock) {
        super(fatal, "range-driver", "ranges", LOOK, true);
        this.ranges = ranges;
        this.studies = studies;
        this.trials = trials;
        this.spaces = spaces;
        this.jobs = jobs;
        this.events = events;
        this.transactions = transactions;
        this.clock = clock;
    }

    /**
     * The next phase of a range.
     *
     * @param timings its studies; none where the range is over
     */
    private record Next(
            RangePhase phase,
            RangeDocument.@Nullable Table table,
            @Nullable String error,
            List<RangePlan.Timing> timings) {

        static Next failed(String error) {
            return new Next(RangePhase.OVER, null, error, List.of());
        }
    }

    @Override
    protected void look() {
        for (RangeRow range : ranges.due()) {
            Next next;
            try {
                next = next(range, studies.ofRange(range.jobId(), range.ordinal()));
            } catch (IllegalArgumentException | IllegalStateException refused) {
                LOG.error("range {} of job {} could not be moved on", range.ordinal(), range.jobId(), refused);
                next = Next.failed("the service failed to move the range on: " + refused.getMessage());
            }
            Next decided = next;
            transactions.executeWithoutResult(_ -> write(range, decided));
        }
    }

    private Next next(RangeRow range, List<StudyRow> all) {
        List<StudyRow> begun =
                all.stream().filter(study -> study.testbed() != null).toList();
        Map<StudyRow, MeasuredRows> measured = new HashMap<>();
        begun.forEach(study -> measured.put(study, measured(study)));
        List<MeasuredRows> before = in(begun, measured, RangePhase.SEARCH, RangePhase.FINDS, RangePhase.CROSSINGS);
        if (before.isEmpty()) {
            return Next.failed("no kernel was timed at any M"
                    + all.stream()
                            .flatMap(study -> Stream.ofNullable(study.error()))
                            .findFirst()
                            .map(error -> ": " + error)
                            .orElse(""));
        }
        Testbed testbed = begun.getFirst().bound().testbed();
        FamilySpace family = spaces.families().named(range.options().family());
        RangePlan plan = new RangePlan(range.problem(), family, DeviceLimits.of(testbed.smCount()));
        RangeTimes times = RangeTimes.of(range.problem(), LaunchModels.of(family, testbed), before);
        return switch (range.phase()) {
            case SEARCH -> new Next(RangePhase.FINDS, null, null, plan.finds(times));
            case FINDS -> new Next(RangePhase.CROSSINGS, null, null, plan.crossings(times));
            case CROSSINGS -> {
                int[] measuredAt = before.stream()
                        .mapToInt(MeasuredRows::m)
                        .sorted()
                        .distinct()
                        .toArray();
                List<Config> chosen = in(begun, measured, RangePhase.CROSSINGS).stream()
                        .flatMap(rows -> rows.us().keySet().stream())
                        .distinct()
                        .sorted(Comparator.comparing(Config::canonical))
                        .toList();
                if (chosen.isEmpty()) {
                    yield Next.failed("none of the chosen kernels completed");
                }
                RangeDocument.Table table =
                        plan.table(times, chosen, measuredAt, range.options().seed());
                yield new Next(RangePhase.CHECKS, table, null, plan.checks(times, table));
            }
            case CHECKS -> {
                RangeDocument.Table table = Objects.requireNonNull(range.table());
                List<MeasuredRows> checks = in(begun, measured, RangePhase.CHECKS);
                yield new Next(
                        RangePhase.OVER,
                        table.checked(RangePlan.regret(table, checks).orElse(null)),
                        null,
                        List.of());
            }
            case OVER -> throw new IllegalStateException("a range that is over goes nowhere");
        };
    }

    private static List<MeasuredRows> in(
            List<StudyRow> begun, Map<StudyRow, MeasuredRows> measured, RangePhase... phases) {
        return begun.stream()
                .filter(study -> List.of(phases)
                        .contains(Objects.requireNonNull(study.ofRange()).phase()))
                .map(measured::get)
                .filter(rows -> !rows.us().isEmpty())
                .toList();
    }

    /**
     * What a study timed. Its screens are compared on their common scale, and each is a time again by the median of
     * what the scale makes of a nanosecond.
     */
    private MeasuredRows measured(StudyRow study) {
        Map<Config, ScreenScale.ScreenTime> screens = new HashMap<>();
        trials.history(study.id()).stream()
                .filter(trial -> trial.screen() != null)
                .forEach(trial -> screens.put(trial.config(), Objects.requireNonNull(trial.screen())));
        boolean onGpu = TestbedKind.CUDA.isOf(study.testbed());
        ScreenScale scale = onGpu ? ScreenScale.of(screens.values()) : ScreenScale.TIME;
        double[] nanoseconds = screens.values().stream()
                .mapToDouble(screen -> screen.medianNs() / scale.time(screen))
                .sorted()
                .toArray();
        Map<Config, Double> us = new HashMap<>();
        screens.forEach(
                (config, screen) -> us.put(config, scale.time(screen) * nanoseconds[nanoseconds.length / 2] / 1e3));
        return new MeasuredRows(study.problem().shape().m(), us);
    }

    private void write(RangeRow range, Next next) {
        if (!ranges.move(range, next.phase(), next.table(), next.error())) {
            return;
        }
        StudyDocument.OfRange part = new StudyDocument.OfRange(range.ordinal(), next.phase());
        List<StudyRepository.New> added = next.timings().stream()
                .filter(timing -> !timing.configs().isEmpty())
                .map(timing -> new StudyRepository.New(
                        range.problem().at(timing.m()), part, range.options().timing(timing.configs())))
                .toList();
        String maker = spaces.families().named(range.options().family()).maker();
        List<UUID> ids = added.isEmpty() ? List.of() : studies.insert(range.jobId(), maker, added);
        events.append(
                range.jobId(),
                new JobEvent.RangeMoved(
                        range.ordinal(),
                        next.phase(),
                        IntStream.range(0, ids.size())
                                .mapToObj(i -> new JobEvent.RangeMoved.Added(
                                        ids.get(i),
                                        ProblemDocument.of(added.get(i).problem())))
                                .toList()));
        LOG.info("range {} of job {}: {}, {} studies", range.ordinal(), range.jobId(), next.phase(), ids.size());
        if (next.phase() == RangePhase.OVER) {
            jobs.endIfDone(range.jobId(), clock.instant())
                    .ifPresent((StudyState ended) ->
                            events.append(range.jobId(), new JobEvent.JobEnded(range.jobId(), ended)));
        }
    }
}
