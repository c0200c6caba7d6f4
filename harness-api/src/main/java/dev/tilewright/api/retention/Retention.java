package dev.tilewright.api.retention;

import dev.tilewright.api.best.ServedStudies;
import dev.tilewright.api.task.TaskDesk;
import dev.tilewright.api.textcheck.TextChecks;
import dev.tilewright.model.exchange.StudyState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Deletes what has reached the age that the operator set. Each job and each study by itself: whoever is interrupted
 * goes on the next time, and two replicas that do it at once do no harm.
 */
@Service
public class Retention {

    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

    /** The users' name for tasks that compare two kernels. */
    private static final String COMPARISON = "comparison";

    /** A file that was stored so lately may be of a trial whose report is on its way. */
    private static final Duration YOUNG = Duration.ofDays(1);

    /** A kind of deleted rows. Written in lower case. */
    private enum What {
        JOBS,
        EVIDENCE,
        COMPARISONS,
        TEXT_CHECKS,
        FILES,
        CHECKS
    }

    private final RetentionSettings settings;
    private final RetentionRepository rows;
    private final JobRemoval removal;
    private final ServedStudies served;
    private final TaskDesk tasks;
    private final TransactionTemplate transactions;
    private final MeterRegistry meters;
    private final Clock clock;

    Retention(
            RetentionSettings settings,
            RetentionRepository rows,
            JobRemoval removal,
            ServedStudies served,
            TaskDesk tasks,
            TransactionTemplate transactions,
            MeterRegistry meters,
            Clock clock) {
        this.settings = settings;
        this.rows = rows;
        this.removal = removal;
        this.served = served;
        this.tasks = tasks;
        this.transactions = transactions;
        this.meters = meters;
        this.clock = clock;
    }

    /** Deletes what is due, and says what it was. */
    public void run() {
        Instant now = clock.instant();
        // What is best may change while it runs, to something that was best before or is new: neither is deleted.
        Set<UUID> needed = settings.spareTheServed() ? served.all() : Set.of();
        Map<What, Integer> deleted = new EnumMap<>(What.class);
        int jobs = jobs(StudyState.FINISHED, settings.finished(), now, needed)
                + jobs(StudyState.FAILED, settings.failed(), now, needed)
                + jobs(StudyState.CANCELLED, settings.cancelled(), now, needed);
        deleted.put(What.JOBS, jobs);
        deleted.put(What.EVIDENCE, evidence(now, needed));
        deleted.put(What.COMPARISONS, tasks(COMPARISON, now));
        deleted.put(What.TEXT_CHECKS, tasks(TextChecks.KIND, now));
        deleted.put(What.FILES, all(after -> rows.deleteUnusedFiles(now.minus(YOUNG), after)));
        deleted.put(What.CHECKS, checks(now));
        deleted.values().removeIf(count -> count == 0);
        deleted.forEach(this::count);
        if (!deleted.isEmpty()) {
            LOG.info("retention: deleted {}", deleted);
        }
    }

    private int jobs(StudyState state, @Nullable Duration age, Instant now, Set<UUID> needed) {
        return age == null
                ? 0
                : (int) rows.jobs(state, now.minus(age)).stream()
                        .filter(job -> removal.expire(job, needed))
                        .count();
    }

    private int evidence(Instant now, Set<UUID> needed) {
        Duration age = settings.evidence();
        if (age == null) {
            return 0;
        }
        int studies = 0;
        for (UUID study : rows.withEvidence(now.minus(age))) {
            if (!needed.contains(study)) {
                transactions.executeWithoutResult(status -> rows.deleteEvidence(study, now));
                studies++;
            }
        }
        return studies;
    }

    /** Deletes tasks, whose results are read once. */
    private int tasks(String kind, Instant now) {
        Duration age = settings.comparisons();
        return age == null ? 0 : tasks.forgetBefore(kind, now.minus(age));
    }

    /** Deletes checks. The emulator repeats one in seconds if the text comes again. */
    private int checks(Instant now) {
        int unused = all(after -> rows.deleteUnusedChecks(now.minus(YOUNG), after));
        Duration age = settings.checks();
        return age == null ? unused : unused + all(after -> rows.deleteChecksOfOldBuilds(now.minus(age), after));
    }

    private static int all(Function<String, RetentionRepository.Chunk> chunk) {
        int all = 0;
        Optional<String> after = Optional.of("");
        while (after.isPresent()) {
            RetentionRepository.Chunk next = chunk.apply(after.get());
            all += next.deleted();
            after = next.last();
        }
        return all;
    }

    /** A series comes with what it counts first. */
    private void count(What what, int count) {
        Counter.builder("tilewright.retention.deleted")
                .description(
                        "The number of deletions by retention: jobs, studies whose raw evidence went, comparisons, text checks,"
                                + " kernel files, checks of kernels")
                .tag("what", what.name().toLowerCase(Locale.ROOT))
                .register(meters)
                .increment(count);
    }
}
