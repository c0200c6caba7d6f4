package dev.tilewright.api.best;

import dev.tilewright.api.platform.http.Page;
import dev.tilewright.api.study.StudyService;
import java.util.List;
import org.springframework.stereotype.Service;

/** The finals that are best of each plain problem on each real testbed. */
@Service
public class BestStudies {

    private final BestRepository best;
    private final StudyService studies;

    BestStudies(BestRepository best, StudyService studies) {
        this.best = best;
        this.studies = studies;
    }

    /** All of them, as far as one answer goes, in the order of their shapes. */
    public List<StudyService.Raced> all() {
        return of(BestRepository.Question.of(null, null, null, null));
    }

    List<StudyService.Raced> of(BestRepository.Question question) {
        return studies.raced(best.studies(question, Page.MAX_ITEMS));
    }
}
