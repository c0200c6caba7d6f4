package dev.tilewright.api.range;

import dev.tilewright.api.event.EventLog;
import dev.tilewright.api.platform.database.BackgroundLoop;
import dev.tilewright.api.platform.database.Notifications;
import dev.tilewright.api.platform.process.FatalErrors;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.study.flow.StudyFlow;
import dev.tilewright.model.exchange.JobEvent;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.RangeDocument;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.range.RangePhase;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.simulator.LaunchModels;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Moves ranges of M on: when the studies of a phase are over, it thinks without a lock, and adds those of the next one
 * in one short transaction. Two replicas may think the same at once; the first to write moves the range.
 */
@Service
class RangeDriver extends BackgroundLoop {

    private static final Logger LOG = LoggerFactory.getLogger(RangeDriver.class);

    private static final Duration LOOK = Duration.ofSeconds(1);

    private final RangeRepository ranges;
    private final StudyRepository studies;
    private final RangeReadings readings;
    private final StudySpaces spaces;
    private final StudyFlow flow;
    private final EventLog events;
    private final TransactionTemplate transactions;

    RangeDriver(
            RangeRepository ranges,
            StudyRepository studies,
            RangeReadings readings,
            StudySpaces spaces,
            StudyFlow flow,
            EventLog events,
            TransactionTemplate transactions,
            Notifications notifications,
            FatalErrors fatal) {
        super(fatal, notifications, "range-driver", "ranges", LOOK, true);
        this.ranges = ranges;
        this.studies = studies;
        this.readings = readings;
        this.spaces = spaces;
        this.flow = flow;
        this.events = events;
        this.transactions = transactions;
    }

    /**
     * The next phase of a range.
     *
     * @param maker of the family
     * @param timings its studies; none where the range is over
     */
    private record Next(
            RangePhase phase,
            String maker,
            RangeDocument.@Nullable Table table,
            @Nullable String error,
            List<RangePlan.Timing> timings) {

        static Next failed(String error) {
            return new Next(RangePhase.OVER, "", null, error, List.of());
        }
    }

    @Override
    protected boolean look() {
        List<RangeRow> due = ranges.due();
        for (RangeRow range : due) {
            try {
                Next next = decided(range);
                transactions.executeWithoutResult(_ -> write(range, next));
            } catch (DataAccessException | TransactionException away) {
                LOG.debug("range {} of job {} waits for the database", range.ordinal(), range.jobId(), away);
            }
        }
        return !due.isEmpty();
    }

    private Next decided(RangeRow range) {
        try {
            return next(range, studies.ofRange(range.jobId(), range.ordinal()));
        } catch (DataAccessException away) {
            throw away;
        } catch (NoTableException none) {
            return Next.failed(String.valueOf(none.getMessage()));
        } catch (RuntimeException bug) {
            LOG.error("range {} of job {} could not be moved on", range.ordinal(), range.jobId(), bug);
            return Next.failed("the service failed to move the range on: " + bug);
        }
    }

    private Next next(RangeRow range, List<StudyRow> all) {
        List<StudyRow> begun =
                all.stream().filter(study -> study.testbed() != null).toList();
        if (begun.isEmpty()) {
            return Next.failed(nothingTimed(all));
        }
        Testbed testbed = begun.getFirst().bound().testbed();
        begun.stream()
                .map(study -> study.bound().testbed())
                .filter(other -> !other.equals(testbed))
                .findFirst()
                .ifPresent(other -> {
                    throw new NoTableException("its studies ran on " + testbed + " and on " + other
                            + ", whose times are not compared; name one device");
                });
        FamilySpace family = spaces.families().named(range.options().family());
        DeviceLimits limits = DeviceLimits.of(testbed.smCount());
        RangePlan plan =
                new RangePlan(range.problem(), family, limits, range.options().tableKernels());
        SearchSpace naming = plan.naming();
        Map<RangePhase, List<MeasuredRows>> measured = begun.stream()
                .collect(Collectors.groupingBy(
                        study -> Objects.requireNonNull(study.ofRange()).phase(),
                        Collectors.mapping(study -> readings.of(study, naming), Collectors.toList())));
        List<MeasuredRows> before = Stream.of(RangePhase.SEARCH, RangePhase.FINDS, RangePhase.CROSSINGS)
                .flatMap(phase -> measured.getOrDefault(phase, List.of()).stream())
                .toList();
        RangeTimes times = RangeTimes.of(range.problem(), LaunchModels.of(family, testbed), before);
        if (times.configs().isEmpty()) {
            return Next.failed(nothingTimed(all));
        }
        return switch (range.phase()) {
            case SEARCH -> new Next(RangePhase.FINDS, family.maker(), null, null, plan.finds(times));
            case FINDS -> new Next(RangePhase.CROSSINGS, family.maker(), null, null, plan.crossings(times));
            case CROSSINGS -> {
                int[] measuredAt = before.stream()
                        .mapToInt(MeasuredRows::m)
                        .sorted()
                        .distinct()
                        .toArray();
                Set<Config> timed = times.configs();
                List<Config> chosen = measured.getOrDefault(RangePhase.CROSSINGS, List.of()).stream()
                        .flatMap(rows -> rows.us().keySet().stream())
                        .filter(timed::contains)
                        .distinct()
                        .sorted(Comparator.comparing(Config::canonical))
                        .toList();
                if (chosen.isEmpty()) {
                    yield Next.failed("none of the chosen kernels completed");
                }
                RangeDocument.Table table =
                        plan.table(times, chosen, measuredAt, range.options().seed());
                yield new Next(RangePhase.CHECKS, family.maker(), table, null, plan.checks(times, table));
            }
            case CHECKS -> {
                RangeDocument.Table table = Objects.requireNonNull(range.table());
                List<MeasuredRows> checks = measured.getOrDefault(RangePhase.CHECKS, List.of());
                yield new Next(
                        RangePhase.OVER,
                        family.maker(),
                        table.checked(RangePlan.regret(table, checks).orElse(null)),
                        null,
                        List.of());
            }
            case OVER -> throw new IllegalStateException("a range that is over goes nowhere");
        };
    }

    private static String nothingTimed(List<StudyRow> all) {
        return "no kernel was timed at any M"
                + all.stream()
                        .flatMap(study -> Stream.ofNullable(study.error()))
                        .findFirst()
                        .map(error -> ": " + error)
                        .orElse("");
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
        List<UUID> ids = added.isEmpty() ? List.of() : studies.insert(range.jobId(), next.maker(), added);
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
            flow.endJobIfDone(range.jobId());
        }
    }
}
