package dev.tilewright.api.check;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.KernelCheck;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.Verdict;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Keeps what is settled about kernel texts. */
@Service
class CheckService {

    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");

    private final CheckRepository checks;
    private final WorkerService workers;
    private final Clock clock;

    CheckService(CheckRepository checks, WorkerService workers, Clock clock) {
        this.checks = checks;
        this.workers = workers;
        this.clock = clock;
    }

    /**
     * Keeps a check; the same one again changes nothing.
     *
     * @return what holds now, which is a refutation if there ever was one
     * @throws ApiProblem 404 if the worker is unknown, 422 if the check settles nothing or makes no sense
     */
    @Transactional
    KernelCheck keep(String ptxHash, KernelCheck.New found) {
        requireHash("ptxHash", ptxHash);
        Checked checked = found.checked();
        List<Fault> faults = faults(checked);
        if (!faults.isEmpty()) {
            throw ApiProblem.invalid(faults);
        }
        workers.seen(found.workerId());
        checks.keep(ptxHash, found.workerId(), checked, clock.instant());
        return checks.of(ptxHash, checked.emulator()).getFirst();
    }

    private static List<Fault> faults(Checked checked) {
        List<Fault> faults = new ArrayList<>();
        if (!checked.verdict().isConclusive()) {
            faults.add(new Fault("/checked/verdict", "only proved and refuted are kept, got " + checked.verdict()));
        } else if (!outcomes(checked.verdict()).contains(checked.outcome())) {
            faults.add(new Fault(
                    "/checked/outcome",
                    "must be one of " + outcomes(checked.verdict()) + " where the verdict is " + checked.verdict()
                            + ", got " + checked.outcome()));
        }
        if (checked.verdict() == Verdict.REFUTED && checked.finding().isBlank()) {
            faults.add(new Fault("/checked/finding", "a refutation says what was found"));
        }
        if (checked.runShape() == null) {
            faults.add(new Fault("/checked/runShape", "is required: a check has run something"));
        }
        if (checked.cached()) {
            faults.add(new Fault("/checked/cached", "must be false: only a check that was just made is kept"));
        }
        atLeast("/checked/sms", 1, checked.sms(), faults);
        atLeast("/checked/seeds", 1, checked.seeds(), faults);
        atLeast("/checked/steps", 0, checked.steps(), faults);
        if (checked.errorRatio() != null && !(checked.errorRatio() >= 0 && Double.isFinite(checked.errorRatio()))) {
            faults.add(new Fault("/checked/errorRatio", "must be at least 0 and finite, got " + checked.errorRatio()));
        }
        if (!SHA_256.matcher(checked.emulator()).matches()) {
            faults.add(new Fault(
                    "/checked/emulator",
                    "must be 64 hexadecimal digits in lower case, got '" + checked.emulator() + "'"));
        }
        return faults;
    }

    private static List<TrialOutcome> outcomes(Verdict verdict) {
        return verdict == Verdict.PROVED
                ? List.of(TrialOutcome.COMPLETED)
                : List.of(TrialOutcome.HAZARD, TrialOutcome.MISMATCH);
    }

    private static void atLeast(String pointer, long least, long value, List<Fault> faults) {
        if (value < least) {
            faults.add(new Fault(pointer, "must be at least " + least + ", got " + value));
        }
    }

    /**
     * What is known of a text.
     *
     * @param emulator build of the emulator; {@code null} for all
     * @throws ApiProblem 400 if a hash is none, 404 if nothing is known
     */
    @Transactional(readOnly = true)
    KernelCheck.Known known(String ptxHash, @Nullable String emulator) {
        requireHash("ptxHash", ptxHash);
        if (emulator != null) {
            requireHash("emulator", emulator);
        }
        List<KernelCheck> known = checks.of(ptxHash, emulator);
        if (known.isEmpty()) {
            throw ApiProblem.notFound("check of the kernel text", ptxHash);
        }
        return new KernelCheck.Known(ptxHash, known);
    }

    private static void requireHash(String name, String text) {
        if (!SHA_256.matcher(text).matches()) {
            Fault fault = new Fault(name, "must be 64 hexadecimal digits in lower case, got '" + text + "'");
            throw new ApiProblem(ProblemType.MALFORMED_REQUEST, name + ": " + fault.detail(), List.of(fault));
        }
    }
}
