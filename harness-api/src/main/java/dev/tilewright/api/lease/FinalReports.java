package dev.tilewright.api.lease;

import dev.tilewright.api.study.FinalRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.trial.MeasurementRepository;
import dev.tilewright.api.trial.TallyRepository;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;

/** Stores a race and its final: arms, raw blocks, discarded ones, measurements and ratios. */
@Service
record FinalReports(
        FinalRepository finals,
        MeasurementRepository measurements,
        TrialRepository trials,
        TallyRepository tallies,
        Clock clock) {

    /** Outcomes of an arm that are held against its trial too. */
    private static final Set<TrialOutcome> DISPROOFS = Set.of(TrialOutcome.MISMATCH, TrialOutcome.IMPLAUSIBLE);

    /** Refuses a report that makes no sense. */
    void check(StudyRow study, FinalResult result) {
        ReportCheck.finished(
                result,
                finals.contenders(study.id()).orElseThrow().stream()
                        .map(Work.Contender::trialId)
                        .collect(Collectors.toSet()));
    }

    /** In the transaction that ends the lease of the final. */
    void store(StudyRow study, FinalResult result) {
        finals.finish(study.id(), result, clock.instant());
        Map<String, UUID> arms = finals.insertArms(study.id(), result.arms());
        measurements.insert(
                study.id(),
                study.problem(),
                result.arms().stream()
                        .map(arm -> new MeasurementRepository.Measured(
                                arm.trialId(), arms.get(arm.name()), arm.measurements()))
                        .toList(),
                clock.instant());
        for (Report.Arm arm : result.arms()) {
            if (arm.trialId() != null && DISPROOFS.contains(arm.outcome())) {
                trials.disprove(study.id(), arm.trialId(), arm.outcome(), arm.errorRatio(), arm.log());
            }
        }
        tallies.raced(study.id());
        finals.insertBlocks(study.id(), result.blocks());
        finals.insertDiscards(study.id(), result.discards());
        finals.insertRatios(study.id(), result.ratios());
    }
}
