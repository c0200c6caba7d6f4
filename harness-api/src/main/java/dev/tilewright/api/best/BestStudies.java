package dev.tilewright.api.best;

import dev.tilewright.api.bundle.BundleService;
import dev.tilewright.api.platform.http.Page;
import dev.tilewright.api.study.StudyService;
import dev.tilewright.bundle.BundleName;
import dev.tilewright.model.problem.ProblemShape;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;

/**
 * The finals that are best of each problem on each real testbed. Of a bundle without a version it is the newest version
 * of which a final answers the question: one that was pushed and not tuned yet hides nothing.
 */
@Service
class BestStudies {

    private final BestRepository best;
    private final StudyService studies;
    private final BundleService bundles;

    BestStudies(BestRepository best, StudyService studies, BundleService bundles) {
        this.best = best;
        this.studies = studies;
        this.bundles = bundles;
    }

    List<StudyService.Raced> of(BestRepository.Question question) {
        return meant(question).stream()
                .map(each -> best.studies(each, Page.MAX_ITEMS))
                .filter(found -> !found.isEmpty())
                .map(studies::raced)
                .filter(found -> !found.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /** The nearest shape of which a final is known. */
    Optional<ProblemShape> nearest(BestRepository.Question question) {
        return meant(question).stream()
                .flatMap(each -> best.nearest(each).stream())
                .findFirst();
    }

    private List<BestRepository.Question> meant(BestRepository.Question question) {
        return Optional.ofNullable(question.family())
                .flatMap(BundleName::parse)
                .filter(bundle -> bundle.version().isEmpty())
                .map(bundle ->
                        bundles.names(bundle.name()).stream().map(question::of).toList())
                .orElse(List.of(question));
    }
}
