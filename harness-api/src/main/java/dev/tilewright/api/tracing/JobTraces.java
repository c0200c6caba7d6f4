package dev.tilewright.api.tracing;

import dev.tilewright.api.tracing.TraceRepository.Behind;
import dev.tilewright.api.tracing.TraceRepository.Ended;
import dev.tilewright.model.exchange.JobEvent;
import io.opentelemetry.exporter.internal.FailedExportException;
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

    private static final int BAD_REQUEST = 400;

    private static final int TOO_LARGE = 413;

    private final TraceRepository rows;
    private final SpanExporter exporter;
    private final Clock clock;
    private Instant seen;
    private boolean away;

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
                if (System.nanoTime() >= end || !goesOn(trace)) {
                    return;
                }
            }
            behind = rows.behind();
        }
    }

    /**
     * Exports what came next; returns whether the collector answers. A job of which nothing can be told is left out.
     */
    private boolean goesOn(Behind trace) {
        try {
            return page(trace, PAGE);
        } catch (RuntimeException unreadable) {
            LOG.error(
                    "traces: what follows event {} of job {} cannot be exported",
                    trace.event(),
                    trace.job(),
                    unreadable);
            return true;
        }
    }

    private boolean page(Behind trace, int limit) {
        List<Ended> ended = rows.after(trace, limit);
        if (ended.isEmpty()) {
            // The job was deleted, or somebody else exported it.
            return true;
        }
        List<SpanData> spans = spans(trace.job(), ended);
        Answer answer = spans.isEmpty() ? Answer.TAKEN : send(spans);
        return switch (answer) {
            case TAKEN -> {
                rows.told(trace, ended.getLast());
                yield true;
            }
            case AWAY -> false;
            // A page may be too large for a collector; one event that it does not want is not sent for ever.
            case REFUSED -> {
                if (ended.size() > 1) {
                    yield page(trace, ended.size() / 2);
                }
                rows.told(trace, ended.getLast());
                yield true;
            }
        };
    }

    private List<SpanData> spans(UUID job, List<Ended> ended) {
        Set<UUID> trials = new LinkedHashSet<>();
        List<UUID> studies = new ArrayList<>();
        List<Long> asks = new ArrayList<>();
        for (Ended each : ended) {
            switch (each.type()) {
                case JobEvent.TRIAL_FINISHED -> trials.add(Objects.requireNonNull(each.trial()));
                case JobEvent.STUDY_ASKED -> asks.add(each.event());
                case JobEvent.STUDY_FINISHED -> studies.add(Objects.requireNonNull(each.study()));
                default -> {
                    // Nothing has ended, or it is the job.
                }
            }
        }
        trials.addAll(rows.cancelled(studies));
        List<SpanData> spans = new ArrayList<>();
        rows.asks(asks).forEach(ask -> spans.add(StudySpans.of(ask)));
        rows.trials(List.copyOf(trials)).forEach(trial -> spans.addAll(TrialSpans.of(trial)));
        var finals = rows.finals(studies);
        rows.studies(studies).forEach(study -> spans.addAll(StudySpans.of(study, finals)));
        if (ended.getLast().last()) {
            rows.job(job).forEach(over -> spans.add(StudySpans.of(over)));
        }
        return spans;
    }

    /** The outcome of a request. */
    private enum Answer {
        TAKEN,
        /** It will be refused the next time, too. */
        REFUSED,
        AWAY
    }

    private Answer send(List<SpanData> spans) {
        CompletableResultCode answer = exporter.export(spans);
        // Its own limit comes first.
        answer.join(1, TimeUnit.MINUTES);
        if (answer.isSuccess()) {
            if (away) {
                away = false;
                LOG.info("traces: the collector takes spans again");
            }
            return Answer.TAKEN;
        }
        int status = status(answer);
        if (status == BAD_REQUEST || status == TOO_LARGE) {
            LOG.warn("traces: the collector refused {} spans: it answered HTTP {}", spans.size(), status);
            return Answer.REFUSED;
        }
        if (!away) {
            away = true;
            LOG.warn(
                    "traces: the collector did not take {} spans, which are exported again until it does: {}",
                    spans.size(),
                    status == 0 ? String.valueOf(answer.getFailureThrowable()) : "it answered HTTP " + status);
        }
        return Answer.AWAY;
    }

    /** 0 if there was no answer. */
    private static int status(CompletableResultCode answer) {
        return answer.getFailureThrowable() instanceof FailedExportException.HttpExportException failure
                        && failure.getResponse() != null
                ? failure.getResponse().getStatusCode()
                : 0;
    }
}
