package dev.tilewright.api.web.study;

import dev.tilewright.api.web.ConfigWords;
import dev.tilewright.api.web.Figures;
import dev.tilewright.api.web.OccupancyMap;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.space.ranking.WhyItWon;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A trial whose config differs from another one's in the tile scheduler alone.
 *
 * @param beside rate of the trial itself, by the same stage
 * @param why in one sentence, why one of the two is the faster
 */
public record TwinView(
        UUID id,
        String scheduler,
        String rate,
        String beside,
        String time,
        String interval,
        String stage,
        String why,
        @Nullable OccupancyMap map) {

    /** For each other scheduler the twin that was timed with the most evidence. */
    public static List<StudyTrial> twins(UUID id, List<StudyTrial> trials, ConfigWords words) {
        Map<String, StudyTrial> twins = new LinkedHashMap<>();
        find(id, trials)
                .filter(own -> own.scheduler().isPresent())
                .ifPresent(own -> trials.stream()
                        .filter(trial ->
                                trial.last().isPresent() && trial.scheduler().isPresent())
                        .filter(trial -> !trial.scheduler().equals(own.scheduler()))
                        .filter(trial -> words.vocabulary().areTwins(own.config(), trial.config()))
                        .sorted(StudyTrial.ORDER)
                        .forEach(twin -> twins.putIfAbsent(twin.scheduler().orElseThrow(), twin)));
        return List.copyOf(twins.values());
    }

    private static Optional<StudyTrial> find(UUID id, List<StudyTrial> trials) {
        return trials.stream().filter(trial -> trial.id().equals(id)).findFirst();
    }

    /** Twins whose trial was timed by the same stage. */
    public static List<TwinView> of(UUID id, List<StudyTrial> trials, List<StudyTrial> twins, Grounds grounds) {
        return find(id, trials).stream()
                .flatMap(own -> twins.stream()
                        .flatMap(twin -> own.common(twin).stream().map(stage -> of(own, twin, stage, grounds))))
                .toList();
    }

    private static TwinView of(StudyTrial own, StudyTrial twin, Stage stage, Grounds grounds) {
        WhyItWon.Side self = grounds.side(own, stage);
        WhyItWon.Side other = grounds.side(twin, stage);
        StudyTrial.Time time = twin.at(stage).orElseThrow();
        return new TwinView(
                twin.id(),
                other.scheduler(),
                Figures.tflops(time.tflops()),
                Figures.tflops(own.at(stage).orElseThrow().tflops()),
                Figures.us(time.medianNs()),
                Figures.interval(time.lowNs(), time.highNs()),
                stage.toString(),
                WhyItWon.between(self, other),
                other.evidence() == null ? null : OccupancyMap.of(other.evidence(), twin.config()));
    }
}
