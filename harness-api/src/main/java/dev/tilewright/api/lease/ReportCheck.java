package dev.tilewright.api.lease;

import dev.tilewright.api.kernel.KernelService;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.PeerSearch;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Discard;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Refuses reports that would put nonsense into the record. */
final class ReportCheck {

    private ReportCheck() {}

    /**
     * A completed trial has a sustained measurement, on a real GPU it was verified too; an emulated GPU proves instead.
     *
     * @param check whether the job asks for a proof before a kernel runs
     */
    static void screened(Report.Screened said, TestbedKind kind, boolean check) {
        TrialResult result = said.result();
        List<Fault> faults = new ArrayList<>();
        outcome("/result/outcome", result.outcome(), faults);
        if (result.outcome() == TrialOutcome.COMPLETED) {
            boolean timed = kind != TestbedKind.EMULATED;
            if (timed
                    && result.measurements().stream().noneMatch(measurement -> measurement.mode() == Mode.SUSTAINED)) {
                faults.add(new Fault("/result/measurements", "a completed trial has a sustained measurement"));
            }
            if (kind == TestbedKind.CUDA && result.errorRatio() == null) {
                faults.add(new Fault("/result/errorRatio", "a trial completed on a real GPU was verified"));
            }
            if ((check || !timed) && !isProved(result.checked())) {
                faults.add(new Fault(
                        "/result/checked",
                        check
                                ? "a trial of a job with check is completed only with a proof"
                                : "a trial completed on an emulated GPU was proved"));
            }
        }
        if (kind == TestbedKind.EMULATED && !result.measurements().isEmpty()) {
            faults.add(new Fault("/result/measurements", "must be empty: an emulated GPU gives no times"));
        }
        for (int i = 0; i < result.measurements().size(); i++) {
            Measurement measurement = result.measurements().get(i);
            if (measurement.stage() != Stage.SCREEN) {
                faults.add(new Fault(
                        "/result/measurements/" + i + "/stage", "must be screen, got " + measurement.stage()));
            }
        }
        new ReportNumbers(faults).screened(result);
        if (said.files() != null) {
            faults.addAll(KernelService.faults(said.files(), result.compilation()));
        }
        ApiProblem.requireNone(faults);
    }

    private static boolean isProved(@Nullable Checked checked) {
        return checked != null && checked.verdict() == Verdict.PROVED;
    }

    /** Arms have their own names, contenders are those of the lease, blocks and ratios name arms. */
    static void finished(FinalResult result, Set<UUID> contenders) {
        List<Fault> faults = new ArrayList<>();
        Map<String, Report.Arm> arms = new HashMap<>();
        for (int i = 0; i < result.arms().size(); i++) {
            Report.Arm arm = result.arms().get(i);
            outcome("/arms/" + i + "/outcome", arm.outcome(), faults);
            if (arms.put(arm.name(), arm) != null) {
                faults.add(new Fault("/arms/" + i + "/name", "two arms are named '" + arm.name() + "'"));
            }
            if (arm.trialId() != null && !contenders.contains(arm.trialId())) {
                faults.add(new Fault("/arms/" + i + "/trialId", arm.trialId() + " is no contender of this study"));
            }
            for (Measurement measurement : arm.measurements()) {
                if (measurement.stage() == Stage.SCREEN) {
                    faults.add(
                            new Fault("/arms/" + i + "/measurements", "must be of stage contend or final, got screen"));
                }
            }
        }
        Set<List<Object>> seen = new HashSet<>();
        for (int i = 0; i < result.blocks().size(); i++) {
            Report.Block block = result.blocks().get(i);
            known("/blocks/" + i + "/arm", block.arm(), arms, faults);
            if (block.stage() == Stage.SCREEN) {
                faults.add(new Fault("/blocks/" + i + "/stage", "must be contend or final, got screen"));
            }
            if (!seen.add(List.of(block.arm(), block.stage(), block.question(), block.mode(), block.index()))) {
                faults.add(new Fault("/blocks/" + i, "the arm has this block twice"));
            }
        }
        for (int i = 0; i < result.ratios().size(); i++) {
            Report.ArmRatio ratio = result.ratios().get(i);
            known("/ratios/" + i + "/arm", ratio.arm(), arms, faults);
            known("/ratios/" + i + "/peer", ratio.peer(), arms, faults);
            if (ratio.arm().equals(ratio.peer()) || !seen.add(List.of(ratio.arm(), ratio.peer(), ratio.mode()))) {
                faults.add(new Fault("/ratios/" + i, "two different arms, each pair once in each mode"));
            }
        }
        for (int i = 0; i < result.discards().size(); i++) {
            Discard discard = result.discards().get(i);
            if (discard.stage() == Stage.SCREEN
                    || discard.index() < 0
                    || discard.reason().isBlank()) {
                faults.add(new Fault(
                        "/discards/" + i,
                        "a block of stage contend or final, from 0, with its reason, got " + discard));
            }
        }
        for (int i = 0; i < result.searches().size(); i++) {
            PeerSearch search = result.searches().get(i);
            if (!PeerSearch.isBudget(search.budgetSeconds())
                    || !(search.seconds() >= 0 && Double.isFinite(search.seconds()))
                    || search.joined() < 0
                    || search.dropped() < 0
                    || search.joined() > search.timed()
                    || search.dropped() > search.timed()
                    || search.valid() < 0
                    || search.valid() > search.tried()
                    || search.kernels() < 0) {
                faults.add(new Fault(
                        "/searches/" + i,
                        "must have a budget of " + PeerSearch.LEAST_SECONDS + " to " + PeerSearch.MOST_SECONDS
                                + " seconds, no more valid than tried, no more joined or dropped than timed, and no"
                                + " number below 0, got " + search));
            }
        }
        new ReportNumbers(faults).finished(result);
        ApiProblem.requireNone(faults);
    }

    private static void outcome(String pointer, TrialOutcome outcome, List<Fault> faults) {
        if (outcome == TrialOutcome.IMPLAUSIBLE) {
            faults.add(new Fault(pointer, "must be what the worker saw: the API alone says " + outcome));
        }
    }

    private static void known(String pointer, String name, Map<String, Report.Arm> arms, List<Fault> faults) {
        if (!arms.containsKey(name)) {
            faults.add(new Fault(pointer, "no arm is named '" + name + "'"));
        }
    }
}
