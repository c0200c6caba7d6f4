package dev.tilewright.api.gate;

import dev.tilewright.api.idempotency.IdempotencyKeys;
import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.LargeRequests;
import dev.tilewright.api.platform.http.Page;
import dev.tilewright.gate.decision.GateRule;
import dev.tilewright.gate.document.GateBlocks;
import dev.tilewright.gate.document.GateCandidate;
import dev.tilewright.gate.document.GateRequest;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateRunLine;
import dev.tilewright.gate.document.GateVerdict;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Submits, shows and cancels runs. */
@Service
public class GateService {

    private static final String NOTHING = "nothing was measured: ";

    private static final String KIND = "gate run";

    private final GateReader reader;
    private final GateRunRepository runs;
    private final GateCaseRepository cases;
    private final SentinelRepository sentinels;
    private final CaseTasks tasks;
    private final RetuneFlow retunes;
    private final IdempotencyKeys keys;
    private final LargeRequests large;
    private final TransactionTemplate transactions;
    private final Clock clock;

    GateService(
            GateReader reader,
            GateRunRepository runs,
            GateCaseRepository cases,
            SentinelRepository sentinels,
            CaseTasks tasks,
            RetuneFlow retunes,
            IdempotencyKeys keys,
            LargeRequests large,
            TransactionTemplate transactions,
            Clock clock) {
        this.reader = reader;
        this.runs = runs;
        this.cases = cases;
        this.sentinels = sentinels;
        this.tasks = tasks;
        this.retunes = retunes;
        this.keys = keys;
        this.large = large;
        this.transactions = transactions;
        this.clock = clock;
    }

    /**
     * Submits a run; with a key that was used before for the same payload, answers the run of that time. The request is
     * checked without a transaction.
     *
     * @param author whose name it is submitted in
     * @throws ApiProblem 422 if it is invalid or the key was used for another payload, 409 if the first request is in
     *     flight, 503 if too many large requests are checked
     */
    public GateRun submit(String gate, GateRequest request, @Nullable String key, String author) {
        // The name is a part of what is asked.
        List<Object> payload = List.of(gate, request);
        Optional<UUID> made = keys.made(key, author, KIND, payload);
        AskedRun asked = made.isPresent() ? null : read(gate, request);
        return Objects.requireNonNull(transactions.execute(_ -> find(
                asked == null
                        ? made.orElseThrow()
                        : keys.once(key, author, KIND, payload, () -> store(gate, asked, author)))));
    }

    /**
     * Checks the request of a run, before the transaction of {@link #store}.
     *
     * @throws ApiProblem 422 with everything that would refuse such a run now, 503 if too many large requests are
     *     checked
     */
    public AskedRun read(String gate, GateRequest request) {
        return large.check(request.cases().size(), () -> reader.read(gate, request));
    }

    /** Stores a run that was checked; returns its id. */
    @Transactional
    public UUID store(String gate, AskedRun asked, String author) {
        UUID id = UUID.randomUUID();
        Instant now = clock.instant();
        runs.insert(id, gate, asked, author, GateRule.VERSION, now);
        List<GateCaseRow> rows = new ArrayList<>();
        for (CaseSpec spec : asked.cases()) {
            rows.add(new GateCaseRow(rows.size(), null, spec));
        }
        cases.insert(id, rows);
        if (!asked.isMeasured()) {
            String reason = NOTHING + asked.device() + " is a model";
            GateCaseRow.CaseVerdict verdict = new GateCaseRow.CaseVerdict(GateVerdict.INCONCLUSIVE, reason, null);
            rows.forEach(each -> cases.decide(id, each.with(verdict, null)));
            runs.finish(id, GateVerdict.INCONCLUSIVE, reason, false, now);
        }
        return id;
    }

    /** A run; 404 if there is none. */
    @Transactional(readOnly = true)
    public GateRun find(UUID id) {
        GateRunRow run = row(id);
        return GateDocuments.of(
                run,
                cases.of(id),
                cases.stages(id),
                run.testbed() == null || !run.state().isOver()
                        ? null
                        : sentinels.errorRates(run.testbed().device()).orElse(null));
    }

    GateRunRow row(UUID id) {
        return runs.find(id).orElseThrow(() -> ApiProblem.notFound("gate run", id));
    }

    /** All gates, by name, each with its last run. */
    public List<GateRunLine> newest() {
        return runs.newest();
    }

    /** The runs of a gate, newest first; of all branches if none is named. */
    public Page<GateRunLine> list(String gate, @Nullable String branch, int limit, @Nullable String cursor) {
        return list(new GateRunRepository.Question(gate, branch, null, null), limit, cursor);
    }

    Page<GateRunLine> list(GateRunRepository.Question question, int limit, @Nullable String cursor) {
        List<GateRunRepository.Numbered> found =
                runs.before(question, Page.position(cursor, Long.MAX_VALUE), Page.limit(limit));
        String next = found.size() == limit ? Long.toString(found.getLast().seq()) : null;
        return new Page<>(found.stream().map(GateRunRepository.Numbered::line).toList(), next);
    }

    /**
     * Asks for what the newest run of a gate measures, again; empty if it has none. Kernels are those of that run, also
     * where it looked them up, as the best ones or those of the last pass.
     */
    @Transactional(readOnly = true)
    public Optional<GateRequest> again(String gate) {
        return list(gate, null, 1, null).items().stream().findFirst().map(newest -> again(row(newest.id())));
    }

    private GateRequest again(GateRunRow run) {
        return new GateRequest(
                run.commit(),
                run.branch(),
                run.selector(),
                cases.of(run.id()).stream()
                        .filter(each -> each.sentinel() == null)
                        .map(each -> each.spec().asked())
                        .toList(),
                run.budgetSeconds(),
                run.retuneSeconds(),
                null);
    }

    /**
     * Cancels a run; one that is over stays as it is, but nothing of it is tuned again any more.
     *
     * @throws ApiProblem 403 if the caller may cancel its own alone and this is another's
     */
    @Transactional
    public GateRun cancel(UUID id, Caller caller) {
        GateRunRow run = row(id);
        caller.requireMayCancel("gate run", id, run.submittedBy());
        if (runs.cancel(id, clock.instant())) {
            tasks.cancel(cases.stages(id));
        } else {
            // Whether it is tuned again may have changed since it was read.
            retunes.stop(run, "it was cancelled by '" + caller.name() + "'");
        }
        return find(id);
    }

    /** The raw blocks of a run. */
    @Transactional(readOnly = true)
    public GateBlocks blocks(UUID id) {
        row(id);
        List<GateCaseRow> all = cases.of(id);
        return new GateBlocks(
                id,
                cases.blocks(id).stream()
                        .map(each -> blocks(all.get(each.stage().ordinal()), each))
                        .toList());
    }

    private static GateBlocks.OfStage blocks(GateCaseRow of, StageRow.WithBlocks each) {
        StageRow.Taken taken = Objects.requireNonNull(each.stage().taken());
        return new GateBlocks.OfStage(
                of.spec().name(),
                of.sentinel() == null ? null : GateCaseRepository.lowerCase(of.sentinel()),
                each.stage().number(),
                each.stage().seed(),
                each.blocks(),
                taken.discards());
    }

    /** The candidates of the newest finished run of a commit; 404 if there is none. */
    @Transactional(readOnly = true)
    GateCandidate.GateCandidates candidates(String gate, String commit) {
        UUID run = runs.newestOf(gate, commit)
                .orElseThrow(() ->
                        ApiProblem.notFound("finished run of gate '" + gate + "' for commit", "'" + commit + "'"));
        return new GateCandidate.GateCandidates(cases.of(run).stream()
                .filter(each -> each.sentinel() == null)
                .map(each -> new GateCandidate(each.spec().name(), each.spec().candidate(), run))
                .toList());
    }
}
