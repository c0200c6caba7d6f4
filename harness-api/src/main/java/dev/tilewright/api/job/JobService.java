package dev.tilewright.api.job;

import dev.tilewright.api.bundle.BundleService;
import dev.tilewright.api.event.EventLog;
import dev.tilewright.api.idempotency.IdempotencyKeys;
import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.LargeRequests;
import dev.tilewright.api.platform.http.Page;
import dev.tilewright.api.range.Ranges;
import dev.tilewright.api.study.JobProgressRepository;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.flow.StudyFlow;
import dev.tilewright.api.trial.Tally;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.JobDocument;
import dev.tilewright.model.exchange.JobEvent;
import dev.tilewright.model.exchange.JobRequest;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.RangeDocument;
import dev.tilewright.model.exchange.StudyState;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Submits, shows and cancels jobs. */
@Service
public class JobService {

    /** Characters of a name. */
    public static final int LONGEST_NAME = 200;

    private static final String KIND = "job";

    private final JobReader reader;
    private final JobRepository jobs;
    private final JobProgressRepository progress;
    private final StudyRepository studies;
    private final Ranges ranges;
    private final StudyFlow flow;
    private final EventLog events;
    private final BundleService bundles;
    private final WorkerService workers;
    private final IdempotencyKeys keys;
    private final LargeRequests large;
    private final TransactionTemplate transactions;
    private final Clock clock;

    JobService(
            JobReader reader,
            JobRepository jobs,
            JobProgressRepository progress,
            StudyRepository studies,
            Ranges ranges,
            StudyFlow flow,
            EventLog events,
            BundleService bundles,
            WorkerService workers,
            IdempotencyKeys keys,
            LargeRequests large,
            TransactionTemplate transactions,
            Clock clock) {
        this.reader = reader;
        this.jobs = jobs;
        this.progress = progress;
        this.studies = studies;
        this.ranges = ranges;
        this.flow = flow;
        this.events = events;
        this.bundles = bundles;
        this.workers = workers;
        this.keys = keys;
        this.large = large;
        this.transactions = transactions;
        this.clock = clock;
    }

    /**
     * Submits a job; with a key that was used before for the same payload, answers the job of that time. The request is
     * checked without a connection.
     *
     * @throws ApiProblem 422 if it is invalid or the key was used for another payload, 409 if the first request is in
     *     flight, 503 if too many large requests are checked
     */
    public JobDocument submit(JobRequest request, @Nullable String key, Caller caller) {
        return find(keys.made(key, caller.name(), KIND, request).orElseGet(() -> {
            JobSpec job = read(request);
            return Objects.requireNonNull(transactions.execute(
                    _ -> keys.once(key, caller.name(), KIND, request, () -> store(job, caller.name()))));
        }));
    }

    /**
     * Checks the request of a job, before the transaction of {@link #store}.
     *
     * @throws ApiProblem 422 if it is invalid, 503 if too many large requests are checked
     */
    public JobSpec read(JobRequest request) {
        return large.check(request.problems().size(), () -> reader.read(request));
    }

    /**
     * Stores a job that was checked, in somebody's name.
     *
     * @throws ApiProblem 422 if a bundle of it was deleted since
     */
    @Transactional
    public UUID store(JobSpec job, String author) {
        bundles.hold(job.options().family(), "/family");
        List<String> peers = job.options().peers();
        IntStream.range(0, peers.size()).forEach(peer -> bundles.hold(peers.get(peer), "/peers/" + peer));
        UUID id = UUID.randomUUID();
        jobs.insert(id, job, author, clock.instant());
        studies.insert(
                id,
                job.maker(),
                job.problems().stream().map(StudyRepository.New::of).toList());
        int searches = ranges.begin(id, job.maker(), job.ranges(), job.options());
        events.append(id, new JobEvent.JobCreated(id, job.problems().size() + searches));
        return id;
    }

    /** A job; 404 if there is none. Its state is read first: if the job is over, all that is read later is final. */
    public JobDocument find(UUID id) {
        return documents(List.of(row(id))).getFirst();
    }

    /** The row of a job; 404 if there is none. */
    JobRow row(UUID id) {
        return jobs.find(id).orElseThrow(() -> ApiProblem.notFound("job", id));
    }

    /**
     * Jobs that are asked for.
     *
     * @throws ApiProblem 400 for a cursor whose job was deleted since
     */
    public Page<JobDocument> list(JobQuery query, int limit, @Nullable String cursor) {
        long position = Page.position(cursor, 0);
        if (position != 0 && !jobs.exists(position)) {
            throw ApiProblem.malformed(
                    "cursor", "is that of a job that there is not any more: begin anew, without one");
        }
        List<JobRow> rows = jobs.list(query, position == 0 ? null : position, Page.limit(limit));
        String next = rows.size() == limit ? Long.toString(rows.getLast().seq()) : null;
        return new Page<>(documents(rows), next);
    }

    /**
     * Cancels a job; one that is over stays as it is.
     *
     * @throws ApiProblem 403 if the caller may cancel its own alone and this is another's
     */
    @Transactional
    public JobDocument cancel(UUID id, Caller caller) {
        caller.requireMayCancel("job", id, row(id).submittedBy());
        drop(id);
        return find(id);
    }

    /**
     * Ends a job that its feature does not want any more; one that is over stays as it is, one that is gone is gone.
     */
    @Transactional
    public void drop(UUID id) {
        // Ranges before their studies: no phase adds any behind those that are cancelled.
        ranges.cancel(id);
        // All studies before the job, which the first event holds: who reports holds a study and waits for the job.
        // Two that wait for each other's rows would wait for ever.
        studies.lockAll(id).forEach(flow::cancel);
        if (progress.cancel(id, clock.instant())) {
            events.append(id, new JobEvent.JobEnded(id, StudyState.CANCELLED));
        }
    }

    /** Reads the studies of all of them at once. */
    private List<JobDocument> documents(List<JobRow> rows) {
        Map<UUID, List<StudyRepository.Line>> lines = studies
                .lines(rows.stream().map(JobRow::id).toList())
                .stream()
                .collect(Collectors.groupingBy(StudyRepository.Line::jobId));
        List<UUID> ranged = lines.entrySet().stream()
                .filter(job -> job.getValue().stream().anyMatch(line -> line.ofRange() != null))
                .map(Map.Entry::getKey)
                .toList();
        Map<UUID, List<RangeDocument>> ofRanges = ranged.isEmpty() ? Map.of() : ranges.documents(ranged);
        List<String> offered = rows.stream().allMatch(row -> row.state().isOver()) ? List.of() : workers.labels();
        return rows.stream()
                .map(row -> document(
                        row,
                        row.state().isOver() ? List.of() : offered,
                        ofRanges.getOrDefault(row.id(), List.of()),
                        lines.getOrDefault(row.id(), List.of())))
                .toList();
    }

    private static JobDocument document(
            JobRow job, List<String> offered, List<RangeDocument> ranges, List<StudyRepository.Line> studies) {
        return new JobDocument(
                job.line(),
                job.submittedBy(),
                offered,
                ranges,
                studies.stream().map(JobService::line).toList());
    }

    private static JobDocument.StudyLine line(StudyRepository.Line study) {
        Tally tally = study.tally();
        return new JobDocument.StudyLine(
                study.id(),
                ProblemDocument.of(study.problem()),
                study.ofRange(),
                study.state(),
                study.testbed(),
                new JobDocument.TrialLine(tally.asked(), tally.finished(), tally.completed()),
                tally.screenTflops(),
                tally.bestTflops(study.testbed()),
                study.error());
    }
}
