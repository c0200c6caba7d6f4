package dev.tilewright.api.tracing;

import dev.tilewright.api.study.flow.ProgressEvents;
import dev.tilewright.api.tracing.TraceRepository.Behind;
import dev.tilewright.api.tracing.TraceRepository.Ended;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exports the spans of what has ended, in the order of the events of each job, and remembers the last one that the
 * collector took. What it does not take is exported again by the next look: a collector that is away for a night loses
 * nothing. A service that dies after the collector's answer exports the same spans again, with the same ids.
 */
class JobTraces {

    private static final Logger LOG = LoggerFactory.getLogger(JobTraces.class);

    /** So many events are told of in one request. */
    private static final int PAGE = 200;

    /** A look ends by then, so that others have its thread too; the next one goes on. */
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(20);

    /** A job that came and went between two looks of a replica that died is found by another. */
    private static final Duration MARGIN = Duration.ofMinutes(1);

    private final TraceRepository rows;
    private final SpanExporter exporter;
    private final Clock clock;
    private Instant seen;
    private boolean refused;

    JobTraces(TraceRepository rows, SpanExporter exporter, Clock clock) {
        this.rows = rows;
        this.exporter = exporter;
        this.clock = clock;
        this.seen = clock.instant();
    }

    /** Exports what has ended since the last time. */
    synchronized void export() {
        Instant now = clock.instant();
        rows.begin(seen.minus(MARGIN));
        seen = now;
        long end = System.nanoTime() + LONGEST_LOOK.toNanos();
        List<Behind> behind = rows.behind();
        while (!behind.isEmpty() && System.nanoTime() < end) {
            for (Behind trace : behind) {
                if (!page(trace)) {
                    return;
                }
            }
            behind = rows.behind();
        }
    }

    /** Exports what came next; returns whether the collector took it. */
    private boolean page(Behind trace) {
        List<Ended> ended = rows.after(trace, PAGE);
        if (ended.isEmpty()) {
            // The job was deleted, or somebody else exported it.
            return true;
        }
        List<SpanData> spans = spans(trace.job(), ended);
        if (!spans.isEmpty() && !take(spans)) {
            return false;
        }
        rows.told(trace, ended.getLast());
        return true;
    }

    private List<SpanData> spans(UUID job, List<Ended> ended) {
        Set<UUID> trials = new LinkedHashSet<>();
        List<UUID> studies = new ArrayList<>();
        for (Ended each : ended) {
            switch (each.type()) {
                case ProgressEvents.TRIAL_FINISHED -> trials.add(Objects.requireNonNull(each.trial()));
                case ProgressEvents.STUDY_FINISHED -> studies.add(Objects.requireNonNull(each.study()));
                default -> {
                    // Nothing has ended, or it is the job.
                }
            }
        }
        trials.addAll(rows.cancelled(studies));
        List<SpanData> spans = new ArrayList<>();
        rows.trials(List.copyOf(trials)).forEach(trial -> spans.addAll(TrialSpans.of(trial)));
        var finals = rows.finals(studies);
        rows.studies(studies).forEach(study -> spans.addAll(StudySpans.of(study, finals)));
        if (ended.getLast().last()) {
            rows.job(job).forEach(over -> spans.add(StudySpans.of(over)));
        }
        return spans;
    }

    private boolean take(List<SpanData> spans) {
        CompletableResultCode answer = exporter.export(spans);
        // Its own limit comes first.
        answer.join(1, TimeUnit.MINUTES);
        boolean taken = answer.isSuccess();
        if (taken == refused) {
            refused = !taken;
            if (taken) {
                LOG.info("traces: the collector takes spans again");
            } else {
                LOG.warn(
                        "traces: the collector did not take {} spans, which are exported again until it does: {}",
                        spans.size(),
                        reason(answer));
            }
        }
        return taken;
    }

    private static String reason(CompletableResultCode answer) {
        Throwable failure = answer.getFailureThrowable();
        return failure == null || failure.getCause() == null
                ? "it answered with an error"
                : String.valueOf(failure.getCause());
    }
}
