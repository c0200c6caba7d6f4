package dev.tilewright.api.best;

import dev.tilewright.api.study.Standing;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.StudyService;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.BestConfigs;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.trial.Ratio;
import java.util.List;
import org.springframework.stereotype.Component;

/** The best configs as they are answered, over REST and on pages alike. */
@Component
public class BestList {

    static final String NOTE =
            "only finals on real GPUs, of problems that had the GPU to themselves; a query without types, major,"
                    + " batch or overlap asks for plain problems; a bundle without a version means its newest version"
                    + " that has a final for the problem; simulated results are never served here";

    private final BestStudies studies;
    private final WorkerService workers;

    BestList(BestStudies studies, WorkerService workers) {
        this.studies = studies;
        this.workers = workers;
    }

    /** Best configs of all plain problems, up to the limit of one answer, in the order of their shapes. */
    public BestConfigs all() {
        return new BestConfigs(NOTE, null, of(BestRepository.Question.of(null, null, null, null)));
    }

    List<BestConfigs.BestConfig> of(BestRepository.Question question) {
        List<StudyService.Raced> found = studies.of(question);
        Freshness freshness = new Freshness(found.isEmpty() ? List.of() : workers.testbeds());
        return found.stream().map(raced -> row(raced, freshness)).toList();
    }

    private static BestConfigs.BestConfig row(StudyService.Raced raced, Freshness freshness) {
        StudyRow study = raced.study();
        StudyDocument.BestDocument best = raced.best();
        Standing standing = raced.standing();
        return new BestConfigs.BestConfig(
                ProblemDocument.of(study.problem()),
                study.problem().shapes(),
                study.problem().types().a().toString(),
                study.options().family(),
                study.bound().testbed(),
                best.config(),
                best.tflops(),
                best.us(),
                best.gbPerSecond(),
                best.rooflineShare(),
                best.medianNs(),
                best.ciLowNs(),
                best.ciHighNs(),
                standing.equivalent().stream()
                        .map(equal -> new BestConfigs.Equal(
                                equal.trialId(),
                                equal.config(),
                                equal.measurement().medianNs(),
                                equal.measurement().ciLowNs(),
                                equal.measurement().ciHighNs()))
                        .toList(),
                Ratio.value(standing.toDefault()),
                Ratio.interval(standing.toDefault()),
                Ratio.value(standing.toBestPeer()),
                Ratio.interval(standing.toBestPeer()),
                standing.bestPeer() == null ? null : standing.bestPeer().arm().name(),
                best.id(),
                study.id(),
                study.jobId(),
                study.finishedAt(),
                freshness.stale(study.bound().testbed()));
    }
}
