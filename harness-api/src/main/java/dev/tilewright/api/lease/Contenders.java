package dev.tilewright.api.lease;

import dev.tilewright.api.search.Prediction;
import dev.tilewright.api.search.Tile;
import dev.tilewright.api.study.Standing;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.trial.MeasurementRepository;
import dev.tilewright.api.trial.ScreenScale;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.api.trial.TrialRow;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Parameter;
import dev.tilewright.model.trial.Compilation;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * Chooses who races for the final: of kernels that really differ those with the fastest screens, and the best of each
 * of the fastest tiles. A screen is too short to see what a kernel draws, and a steady state is what the power allows:
 * each screen counts as what the cost model expects of it in the long run, where there is one.
 */
@Service
class Contenders {

    /** So many race if there are so many, whatever their screens say: a screen is a quick look. */
    private static final int LEAST = 8;

    private static final int MOST = 16;

    /** So many of them each the best of its tile; the others are what the fastest tiles have besides. */
    private static final int TILES = 10;

    /** So much longer a screen of another tile may take: clocks in steady state were seen to differ by as much. */
    private static final double OTHER_TILES = 0.07;

    private final TrialRepository trials;
    private final MeasurementRepository measurements;
    private final StudySpaces spaces;

    Contenders(TrialRepository trials, MeasurementRepository measurements, StudySpaces spaces) {
        this.trials = trials;
        this.measurements = measurements;
        this.spaces = spaces;
    }

    /**
     * How a screen went, as a time: the less the better.
     *
     * @param low lower end of the interval; the estimate where there is no interval
     */
    private record Candidate(TrialRow trial, double estimate, double low, double high) {

        /** The interval is as wide as that of the ratio to the anchor, or where there is none as that of the time. */
        static Candidate of(TrialRow trial, Measurement measurement, ScreenScale scale) {
            double estimate = scale.time(ScreenScale.ScreenTime.of(measurement));
            double median = measurement.medianNs();
            Ratio faster = measurement.ratioToAnchor();
            return faster == null
                    ? new Candidate(
                            trial,
                            estimate,
                            estimate * orElse(measurement.ciLowNs(), median) / median,
                            estimate * orElse(measurement.ciHighNs(), median) / median)
                    : new Candidate(
                            trial,
                            estimate,
                            estimate * faster.value() / faster.high(),
                            estimate * faster.value() / faster.low());
        }

        Config config() {
            return trial.config();
        }

        Candidate longer(double factor) {
            return new Candidate(trial, factor * estimate, factor * low, factor * high);
        }

        private static double orElse(@Nullable Double value, double otherwise) {
            return value == null ? otherwise : value;
        }
    }

    /**
     * The best of each of the ten fastest tiles that are near the best of all, then those of which the screen cannot
     * say that they are slower than that, fastest first: at most sixteen, and at least eight or as many as may reach
     * the final. Two configs with one text and one launch are the same kernel.
     */
    List<Work.Contender> of(StudyRow study) {
        List<Candidate> ranked = ranked(study);
        List<String> launchParameters = spaces.space(study).names(Parameter.Kind.LAUNCH);
        int least = Math.max(LEAST, study.budget().finalists());
        Set<String> kernels = new HashSet<>();
        List<Candidate> different = ranked.stream()
                .filter(candidate -> kernels.add(kernel(candidate.trial(), launchParameters)))
                .toList();
        Set<Tile> tiles = new HashSet<>();
        Set<Candidate> chosen = new HashSet<>();
        for (Candidate candidate : different) {
            boolean near = candidate.estimate()
                    <= (1 + OTHER_TILES) * ranked.getFirst().estimate();
            if (chosen.size() < TILES && near && tiles.add(Tile.of(candidate.config()))) {
                chosen.add(candidate);
            }
        }
        for (Candidate candidate : different) {
            boolean overlaps = candidate.low() <= ranked.getFirst().high();
            if (chosen.size() < (overlaps ? MOST : least)) {
                chosen.add(candidate);
            }
        }
        return different.stream()
                .filter(chosen::contains)
                .map(candidate -> new Work.Contender(candidate.trial().id(), candidate.config()))
                .toList();
    }

    private record Timed(TrialRow trial, Measurement measurement) {}

    private List<Candidate> ranked(StudyRow study) {
        Map<UUID, List<Measurement>> measured = measurements.byTrial(study.id());
        List<Timed> screens = trials.after(study.id(), -1, Integer.MAX_VALUE).stream()
                .filter(trial -> trial.outcome() == TrialOutcome.COMPLETED)
                .flatMap(trial -> Standing.lastSustained(measured.getOrDefault(trial.id(), List.of()))
                        .map(measurement -> new Timed(trial, measurement))
                        .stream())
                .toList();
        ScreenScale scale = ScreenScale.of(screens.stream()
                .map(screen -> ScreenScale.ScreenTime.of(screen.measurement()))
                .toList());
        List<Candidate> screened = screens.stream()
                .map(screen -> Candidate.of(screen.trial(), screen.measurement(), scale))
                .toList();
        return Prediction.of(study.family(), study.problem())
                .map(prediction -> settled(prediction, screened))
                .orElse(screened)
                .stream()
                .sorted(Comparator.comparingDouble(Candidate::estimate)
                        .thenComparing(candidate -> candidate.trial().ordinal()))
                .toList();
    }

    /** What the screens are expected to become in the long run, if the model knows all of them. */
    private static List<Candidate> settled(Prediction prediction, List<Candidate> screened) {
        if (!screened.stream().allMatch(candidate -> prediction.knows(candidate.config()))) {
            return screened;
        }
        return screened.stream()
                .map(candidate -> candidate.longer(prediction.settling(candidate.config(), candidate.estimate())))
                .toList();
    }

    private static String kernel(TrialRow trial, List<String> launchParameters) {
        Compilation compilation = trial.compilation();
        if (compilation == null) {
            return trial.config().canonical();
        }
        return compilation.ptxHash()
                + launchParameters.stream()
                        .map(name -> " " + name + "=" + trial.config().value(name))
                        .collect(Collectors.joining());
    }
}
