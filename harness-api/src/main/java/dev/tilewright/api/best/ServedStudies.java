package dev.tilewright.api.best;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.springframework.stereotype.Service;

/** The studies from which best configs are served: whoever deletes something keeps them. */
@Service
public class ServedStudies {

    private final BestRepository best;

    ServedStudies(BestRepository best) {
        this.best = best;
    }

    /** All of them, whatever may be asked. */
    public Set<UUID> all() {
        Set<UUID> served =
                new HashSet<>(best.studies(BestRepository.Question.of(null, null, null, null), Integer.MAX_VALUE));
        best.problemsThatAreNotPlain()
                .forEach(problem -> served.addAll(
                        best.studies(BestRepository.Question.of(problem, null, null), Integer.MAX_VALUE)));
        return served;
    }
}
