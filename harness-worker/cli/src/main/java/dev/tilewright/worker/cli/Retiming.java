package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.BestConfigs;
import dev.tilewright.model.exchange.BestConfigs.BestConfig;
import dev.tilewright.model.exchange.ComparisonDocument;
import dev.tilewright.model.exchange.GpuTaskResult.CompareVerdict;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.JobDocument;
import dev.tilewright.model.exchange.JobRequest;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.cli.refresh.Refreshed;
import dev.tilewright.worker.link.client.ApiRefusedException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Has a best config timed again: the others of its set beside it, on the paired instrument, then the best of them in a
 * final, which is how its stored time was taken. The final is stored, so that the config is fresh afterwards.
 */
final class Retiming {

    private static final String JOBS = "/api/v1/jobs";
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final Connection connection;
    private final PrintStream notices;
    private final RedrawnLine line;

    Retiming(Connection connection, PrintStream notices, RedrawnLine line) {
        this.connection = connection;
        this.notices = notices;
        this.line = line;
    }

    /**
     * Times one.
     *
     * @param device label of a GPU of its model
     */
    Refreshed of(BestConfig known, String device) throws ApiRefusedException, InterruptedException {
        try {
            return timed(known, best(known, device), device);
        } catch (ApiRefusedException refused) {
            if (refused.status() != 422) {
                throw refused;
            }
            return Refreshed.retune(
                    known, "it is refused today: " + refused.lines().getLast());
        }
    }

    /** The best of its set: what was best, until another is told to be faster. */
    private BestConfigs.Equal best(BestConfig known, String device) throws ApiRefusedException, InterruptedException {
        BestConfigs.Equal best = known.itself();
        for (BestConfigs.Equal other : known.equivalent()) {
            if (!other.trialId().equals(known.trialId()) && isBetter(other, best, device)) {
                best = other;
            }
        }
        return best;
    }

    private boolean isBetter(BestConfigs.Equal other, BestConfigs.Equal best, String device)
            throws ApiRefusedException, InterruptedException {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("first", Map.of("trial", other.trialId()));
        request.put("second", Map.of("trial", best.trialId()));
        request.put("device", device);
        ComparisonDocument document =
                new Comparisons(connection, notices).ended(request, known -> line.show("comparison " + known.state()));
        line.clear();
        Compared compared = document.result();
        if (compared == null) {
            notices.println("trial " + other.trialId() + " is not compared: "
                    + Objects.requireNonNullElse(
                            document.error(), document.state().toString()));
            return false;
        }
        return compared.verdict() == CompareVerdict.FASTER
                || (compared.first().outcome() == TrialOutcome.COMPLETED
                        && compared.second().outcome() != TrialOutcome.COMPLETED);
    }

    private Refreshed timed(BestConfig known, BestConfigs.Equal winner, String device)
            throws ApiRefusedException, InterruptedException {
        Map<String, List<ParameterValue>> values = new LinkedHashMap<>();
        winner.config().values().forEach((name, value) -> values.put(name, List.of(value)));
        JobDocument job = submit(
                "refresh: one config", known, values, "exhaustive", new JobRequest.BudgetRequest(1, null, 1), device);
        connection.onInterrupt(() -> connection.cancel(
                JOBS + "/" + job.job().id(), "job " + job.job().id(), notices));
        end(job.job().id(), "its final");
        connection.onInterrupt(() -> {});
        StudyDocument study = study(job);
        if (study.testbed() == null) {
            return Refreshed.undecided(known, Objects.requireNonNullElse(study.error(), "no GPU took it"));
        }
        if (!study.testbed().device().equals(known.testbed().device())) {
            return Refreshed.undecided(
                    known,
                    device + " was " + study.testbed().device() + ", not "
                            + known.testbed().device());
        }
        if (study.best() == null) {
            return Refreshed.retune(
                    known,
                    "it has no final on driver " + study.testbed().driver() + ": "
                            + Objects.requireNonNullElse(study.error(), "its trial did not complete"));
        }
        return Refreshed.timed(
                known, winner.config(), new Refreshed.Time(study.best().medianNs(), study.ratioToDefault()));
    }

    private StudyDocument study(JobDocument job) throws ApiRefusedException, InterruptedException {
        UUID study = job.studies().getFirst().id();
        return connection.send(api -> api.get("/api/v1/studies/" + study, StudyDocument.class));
    }

    /** Has its problem tuned again, as a plain tune would. */
    JobDocument retune(BestConfig known, String device) throws ApiRefusedException, InterruptedException {
        return submit("refresh: tune again", known, null, null, null, device);
    }

    /** The result of the job, when it is over. */
    String retuned(JobDocument job) throws ApiRefusedException, InterruptedException {
        StudyDocument study = study(job);
        return study.best() == null
                ? "no best: " + Objects.requireNonNullElse(study.error(), "nothing completed")
                : String.format(Locale.ROOT, "%.2f us", study.best().medianNs() / 1e3);
    }

    private JobDocument submit(
            String name,
            BestConfig known,
            @Nullable Map<String, List<ParameterValue>> values,
            @Nullable String strategy,
            JobRequest.@Nullable BudgetRequest budget,
            String device)
            throws ApiRefusedException, InterruptedException {
        JobRequest request = JobRequest.of(
                        List.of(ProblemDocument.inShort(known.problem().problem())))
                .name(name)
                .family(known.family())
                .parameters(values)
                .strategy(strategy)
                .budget(budget)
                .device(device)
                .build();
        UUID key = UUID.randomUUID();
        return connection.send(api -> api.post(JOBS, request, key, JobDocument.class));
    }

    /**
     * Waits for the end of a job.
     *
     * @param what it does, for who waits
     */
    void end(UUID job, String what) throws ApiRefusedException, InterruptedException {
        while (!connection
                .send(api -> api.get(JOBS + "/" + job, JobDocument.class))
                .job()
                .state()
                .isOver()) {
            line.show(what);
            Thread.sleep(PAUSE);
        }
        line.clear();
    }
}
