package dev.tilewright.api.study;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.trial.MeasurementRepository;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.api.trial.TrialRow;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.simulator.Roofline;
import dev.tilewright.space.SpaceSummary;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Reads studies and their trials. */
@Service
@Transactional(readOnly = true)
public class StudyService {

    private final StudyRepository studies;
    private final TrialRepository trials;
    private final MeasurementRepository measurements;
    private final FinalRepository finals;
    private final SweepRepository sweeps;

    StudyService(
            StudyRepository studies,
            TrialRepository trials,
            MeasurementRepository measurements,
            FinalRepository finals,
            SweepRepository sweeps) {
        this.studies = studies;
        this.trials = trials;
        this.measurements = measurements;
        this.finals = finals;
        this.sweeps = sweeps;
    }

    /** A study and all its trials. */
    public record Full(StudyDocument study, List<TrialDocument> trials) {}

    /**
     * A study with everything known of it.
     *
     * @throws ApiProblem 404 if there is none
     */
    public Full full(UUID id) {
        StudyRow study = row(id);
        List<TrialRow> rows = trials.after(id, -1, Integer.MAX_VALUE);
        Map<UUID, List<Measurement>> byTrial = measurements.byTrial(id);
        return new Full(
                document(study, rows, byTrial),
                rows.stream()
                        .map(row -> TrialDocument.of(row, byTrial.getOrDefault(row.id(), List.of())))
                        .toList());
    }

    /**
     * A study on a real GPU with what its final says of it. Only trials that raced may be its best, and only these are
     * read: there may be thousands.
     *
     * @throws ApiProblem 404 if there is none
     */
    public StudyDocument raced(UUID id) {
        StudyRow study = row(id);
        return document(study, trials.raced(id), Map.of());
    }

    /** Trials of a study behind an ordinal, at most {@code limit}. */
    public List<TrialDocument> trials(UUID studyId, int afterOrdinal, int limit) {
        row(studyId);
        return trials.after(studyId, afterOrdinal, limit).stream()
                .map(row -> TrialDocument.of(row, measurements.ofTrial(row.id())))
                .toList();
    }

    /** One trial. */
    public TrialDocument trial(UUID id) {
        TrialRow row = trials.find(id).orElseThrow(() -> ApiProblem.notFound("trial", id));
        return TrialDocument.of(row, measurements.ofTrial(id));
    }

    private StudyRow row(UUID id) {
        return studies.find(id).orElseThrow(() -> ApiProblem.notFound("study", id));
    }

    private StudyDocument document(StudyRow study, List<TrialRow> rows, Map<UUID, List<Measurement>> byTrial) {
        List<FinalArm> arms = finals.arms(study.id());
        Map<UUID, List<Measurement>> byArm = measurements.byArm(study.id());
        Standing standing = Standing.of(study.testbed(), rows, byTrial, arms, byArm, finals.ratios(study.id()));
        List<StudyDocument.PeerDocument> peers = arms.stream()
                .filter(FinalArm::isPeer)
                .map(arm -> peer(arm, byArm.getOrDefault(arm.id(), List.of())))
                .toList();
        return new StudyDocument(
                study.id(),
                study.jobId(),
                study.state(),
                study.family(),
                ProblemDocument.of(study.problem()),
                study.strategy(),
                study.budget(),
                study.seed(),
                study.selector(),
                study.check(),
                study.testbed(),
                space(study),
                study.anchor(),
                trials.counts(study.id()),
                best(standing.best(), study),
                StudyDocument.value(standing.toDefault()),
                StudyDocument.interval(standing.toDefault()),
                StudyDocument.value(standing.toBestPeer()),
                StudyDocument.interval(standing.toBestPeer()),
                Optional.ofNullable(standing.bestPeer())
                        .map(peer -> peer.arm().name())
                        .orElse(null),
                peers,
                finals.discards(study.id()),
                sweeps.of(study.id()).orElse(null),
                study.error(),
                study.startedAt(),
                study.finishedAt());
    }

    private static StudyDocument.@Nullable SpaceDocument space(StudyRow study) {
        SpaceSummary space = study.space();
        return space == null
                ? null
                : new StudyDocument.SpaceDocument(
                        space.points(),
                        space.size(),
                        study.bound().spaceHash(),
                        study.bound().familyBuild());
    }

    private static StudyDocument.@Nullable BestDocument best(Standing.@Nullable Best best, StudyRow study) {
        if (best == null) {
            return null;
        }
        Measurement measurement = best.measurement();
        Testbed testbed = study.bound().testbed();
        double ns = measurement.medianNs();
        return new StudyDocument.BestDocument(
                best.trial().id(),
                testbed.kind(),
                best.trial().config(),
                measurement.stage(),
                ns,
                measurement.ciLowNs(),
                measurement.ciHighNs(),
                measurement.tflops(),
                ns / 1e3,
                study.problem().gigabytesPerSecond(ns),
                Roofline.share(testbed, study.problem(), ns));
    }

    private static StudyDocument.PeerDocument peer(FinalArm arm, List<Measurement> measurements) {
        return new StudyDocument.PeerDocument(
                arm.name(),
                arm.family(),
                arm.config(),
                arm.outcome(),
                measurements,
                Standing.lastSustained(measurements).map(Measurement::tflops).orElse(null),
                arm.log());
    }
}
