package dev.tilewright.api.study;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.trial.MeasurementRepository;
import dev.tilewright.api.trial.Tally;
import dev.tilewright.api.trial.TallyRepository;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.api.trial.TrialRow;
import dev.tilewright.model.exchange.MeasurementDocument;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.exchange.StudyStage;
import dev.tilewright.model.exchange.StudyState;
import dev.tilewright.model.exchange.TrialCounts;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.simulator.Roofline;
import dev.tilewright.space.SpaceSummary;
import dev.tilewright.space.ranking.SchedulerWorth;
import dev.tilewright.space.ranking.WorthDocument;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    private final TallyRepository tallies;
    private final FinalRepository finals;
    private final SweepRepository sweeps;
    private final StudySpaces spaces;

    StudyService(
            StudyRepository studies,
            TrialRepository trials,
            MeasurementRepository measurements,
            TallyRepository tallies,
            FinalRepository finals,
            SweepRepository sweeps,
            StudySpaces spaces) {
        this.studies = studies;
        this.trials = trials;
        this.measurements = measurements;
        this.tallies = tallies;
        this.finals = finals;
        this.sweeps = sweeps;
        this.spaces = spaces;
    }

    /**
     * A study with what is known of it but its trials. Only those of them are read that may be its best: there may be
     * thousands.
     *
     * @throws ApiProblem 404 if there is none
     */
    public StudyDocument study(UUID id) {
        return document(row(id));
    }

    /** Compares the tile scheduler of a study's best trial with the others. */
    public WorthDocument schedulers(UUID id) {
        return SchedulerWorth.of(study(id), trials.timed(id), spaces.families())
                .map(WorthDocument::of)
                .orElse(WorthDocument.NONE);
    }

    /** Trials of a study from an ordinal on, at most {@code limit}. */
    public List<TrialDocument> trials(UUID studyId, int fromOrdinal, int limit) {
        StudyRow study = row(studyId);
        return measured(
                trials.from(studyId, fromOrdinal, limit).stream()
                        .map(TrialRow::trial)
                        .toList(),
                study.problem());
    }

    /** One trial. */
    public TrialRow trial(UUID id) {
        TrialRow row = trials.find(id).orElseThrow(() -> ApiProblem.notFound("trial", id));
        Problem problem = row(row.studyId()).problem();
        return new TrialRow(
                row.studyId(), measured(List.of(row.trial()), problem).getFirst());
    }

    private List<TrialDocument> measured(List<TrialDocument> asked, Problem problem) {
        Map<UUID, List<Measurement>> byTrial =
                measurements.ofTrials(asked.stream().map(TrialDocument::id).toList());
        return asked.stream()
                .map(trial -> trial.measured(problem, byTrial.getOrDefault(trial.id(), List.of())))
                .toList();
    }

    private StudyRow row(UUID id) {
        return studies.find(id).orElseThrow(() -> ApiProblem.notFound("study", id));
    }

    /** The fastest screen of a study. */
    private Standing.@Nullable Best fastest(Tally tally) {
        UUID fastest = tally.fastest();
        return fastest == null
                ? null
                : Measurement.last(
                                measurements.ofTrials(List.of(fastest)).getOrDefault(fastest, List.of()),
                                Mode.SUSTAINED)
                        .map(measurement -> new Standing.Best(fastest, trials.config(fastest), measurement))
                        .orElse(null);
    }

    /**
     * The finals of studies, as far as something is best in them.
     *
     * @param standing that names it
     */
    public record Raced(StudyRow study, StudyDocument.BestDocument best, Standing standing) {}

    /** The finals of these studies, in their order, by as many queries as for one. */
    public List<Raced> raced(List<UUID> ids) {
        Map<UUID, List<FinalArm>> arms = finals.arms(ids);
        Map<UUID, List<Measurement>> byArm = measurements.ofArms(
                arms.values().stream().flatMap(List::stream).map(FinalArm::id).toList());
        Map<UUID, List<FinalArm.Against>> ratios = finals.ratios(ids);
        Map<UUID, StudyRow> rows =
                studies.all(ids).stream().collect(Collectors.toMap(StudyRow::id, Function.identity()));
        return ids.stream()
                .flatMap(id -> Stream.ofNullable(rows.get(id)))
                .flatMap(study -> {
                    Standing standing = Standing.of(
                            study.testbed(),
                            null,
                            arms.getOrDefault(study.id(), List.of()),
                            byArm,
                            ratios.getOrDefault(study.id(), List.of()));
                    return Stream.ofNullable(best(standing.best(), study))
                            .map(best -> new Raced(study, best, standing));
                })
                .toList();
    }

    private StudyDocument document(StudyRow study) {
        TallyRepository.Standing trialsNow = tallies.standing(study.id());
        List<UUID> self = List.of(study.id());
        List<FinalArm> arms = trialsNow.raced() ? finals.arms(self).getOrDefault(study.id(), List.of()) : List.of();
        Map<UUID, List<Measurement>> byArm =
                measurements.ofArms(arms.stream().map(FinalArm::id).toList());
        List<FinalArm.Against> ratios =
                arms.isEmpty() ? List.of() : finals.ratios(self).getOrDefault(study.id(), List.of());
        Standing standing = Standing.of(study.testbed(), fastest(trialsNow.tally()), arms, byArm, ratios);
        List<StudyDocument.PeerDocument> peers = arms.stream()
                .filter(FinalArm::isPeer)
                .map(arm -> peer(
                        arm,
                        study.problem(),
                        byArm.getOrDefault(arm.id(), List.of()),
                        standing.toPeer(arm, arms, ratios).orElse(null)))
                .toList();
        return new StudyDocument(
                study.id(),
                study.jobId(),
                study.ofRange(),
                study.state(),
                stage(study),
                study.options().family(),
                ProblemDocument.of(study.problem()),
                study.options().strategy(),
                study.options().budget(),
                study.mostTrials(),
                study.options().seed(),
                study.options().device(),
                study.options().check(),
                study.testbed(),
                space(study),
                study.anchor(),
                trialsNow.counts(),
                best(standing.best(), study),
                Ratio.value(standing.toDefault()),
                Ratio.interval(standing.toDefault()),
                Ratio.value(standing.toBestPeer()),
                Ratio.interval(standing.toBestPeer()),
                Optional.ofNullable(standing.bestPeer())
                        .map(peer -> peer.arm().name())
                        .orElse(null),
                peers,
                arms.isEmpty() ? List.of() : finals.searches(study.id()),
                arms.isEmpty() ? List.of() : finals.discards(study.id()),
                arms.isEmpty() ? List.of() : finals.neighbours(study.id()),
                noise(study, standing, arms, trialsNow.counts()),
                trialsNow.swept() ? sweeps.of(study.id()).orElse(null) : null,
                study.error(),
                study.startedAt(),
                study.finishedAt(),
                study.evidenceDeletedAt());
    }

    /** Why a GPU gave no best, if that is noise: of the final, or where there was none, of the first such screen. */
    private @Nullable String noise(StudyRow study, Standing standing, List<FinalArm> arms, TrialCounts counts) {
        if (standing.best() != null || !TestbedKind.CUDA.isOf(study.testbed())) {
            return null;
        }
        Optional<String> log = arms.isEmpty() && counts.completed() == 0
                ? trials.firstNoise(study.id())
                : arms.stream()
                        .filter(arm -> !arm.isPeer() && arm.outcome() == TrialOutcome.NOISE)
                        .map(FinalArm::log)
                        .findFirst();
        return log.map(lines -> lines.strip().replaceAll("\\s*\\R\\s*", "; ")).orElse(null);
    }

    private @Nullable StudyStage stage(StudyRow study) {
        if (study.state() != StudyState.RUNNING) {
            return null;
        }
        return finals.stage(study.id());
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
                best.trialId(),
                testbed.kind(),
                best.config(),
                measurement.stage(),
                ns,
                measurement.ciLowNs(),
                measurement.ciHighNs(),
                study.problem().tflops(ns),
                ns / 1e3,
                study.problem().gigabytesPerSecond(ns),
                Roofline.share(testbed, study.problem(), ns));
    }

    private static StudyDocument.PeerDocument peer(
            FinalArm arm, Problem problem, List<Measurement> measurements, @Nullable Ratio toIt) {
        return new StudyDocument.PeerDocument(
                arm.name(),
                arm.family(),
                arm.config(),
                arm.outcome(),
                MeasurementDocument.of(problem, measurements),
                MeasurementDocument.rate(arm.outcome(), problem, measurements),
                Ratio.value(toIt),
                Ratio.interval(toIt),
                arm.log());
    }
}
