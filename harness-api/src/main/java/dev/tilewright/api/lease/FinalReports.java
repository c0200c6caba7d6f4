package dev.tilewright.api.lease;

import dev.tilewright.api.study.FinalRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.trial.MeasurementRepository;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;

/** Stores a race and its final: arms, raw blocks, discarded ones, measurements and ratios. */
@Service
class FinalReports {

    private final FinalRepository finals;
    private final MeasurementRepository measurements;
    private final TrialRepository trials;
    private final Clock clock;

    FinalReports(FinalRepository finals, MeasurementRepository measurements, TrialRepository trials, Clock clock) {
        this.finals = finals;
        this.measurements = measurements;
        this.trials = trials;
        this.clock = clock;
    }

    /** In the transaction that ends the lease of the final. */
    void store(StudyRow study, Report.Finished report) {
        ReportCheck.finished(
                report,
                finals.contenders(study.id()).orElseThrow().stream()
                        .map(Work.Contender::trialId)
                        .collect(Collectors.toSet()));
        finals.finish(study.id(), report.log(), clock.instant());
        Map<String, UUID> arms = new HashMap<>();
        for (Report.Arm arm : report.arms()) {
            UUID id = finals.insertArm(study.id(), arm);
            arms.put(arm.name(), id);
            measurements.insert(study.id(), arm.trialId(), id, arm.measurements(), clock.instant());
            if (arm.trialId() != null && arm.outcome() == TrialOutcome.MISMATCH) {
                trials.disprove(arm.trialId(), arm.outcome(), arm.errorRatio(), arm.log());
            }
        }
        report.blocks().forEach(block -> finals.insertBlock(named(arms, block.arm()), block));
        report.discards().forEach(discard -> finals.insertDiscard(study.id(), discard));
        report.ratios()
                .forEach(row ->
                        finals.insertRatio(named(arms, row.arm()), named(arms, row.peer()), row.mode(), row.ratio()));
    }

    private static UUID named(Map<String, UUID> arms, String name) {
        return Objects.requireNonNull(arms.get(name), "the check lets known arms pass alone");
    }
}
