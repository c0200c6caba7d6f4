package dev.tilewright.space.ranking;

import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.text.ShortForm;
import dev.tilewright.space.text.Vocabulary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares the tile scheduler of the winner in two ways: with its twins, which have the same config but for the
 * scheduler, and with the best trial of every other scheduler.
 *
 * @param winner the best of the study, or else its first trial
 * @param sameConfig for each other scheduler the twin of the winner, the first by rank first
 * @param best for each other scheduler its first trial by rank, likewise
 * @param asked how many trials the study has
 * @param unfair why the best trials are not the outcome of a fair search of each scheduler; empty if they are
 */
public record SchedulerWorth(
        StudyDocument study,
        Vocabulary words,
        TimedTrial winner,
        Map<String, TimedTrial> sameConfig,
        Map<String, TimedTrial> best,
        int asked,
        String unfair) {

    /**
     * Compares; empty if nothing was timed or the configs name no scheduler.
     *
     * @param trials of the study, in any order
     */
    public static Optional<SchedulerWorth> of(StudyDocument study, List<TimedTrial> trials, Families families) {
        Vocabulary words = families.vocabulary(study.family());
        List<TimedTrial> ranked = trials.stream()
                .filter(trial -> trial.last().isPresent() && trial.scheduler().isPresent())
                .sorted(TimedTrial.ORDER)
                .toList();
        int asked = study.counts() == null ? trials.size() : study.counts().total();
        UUID named = study.best() == null ? null : study.best().id();
        return ranked.stream()
                .filter(trial -> trial.id().equals(named))
                .findFirst()
                .or(() -> ranked.stream().findFirst())
                .map(winner -> new SchedulerWorth(
                        study,
                        words,
                        winner,
                        others(ranked, winner, trial -> words.areTwins(winner.config(), trial.config())),
                        others(ranked, winner, _ -> true),
                        asked,
                        unfair(study, asked, ranked)));
    }

    private static Map<String, TimedTrial> others(
            List<TimedTrial> ranked, TimedTrial winner, Predicate<TimedTrial> which) {
        Map<String, TimedTrial> first = new LinkedHashMap<>();
        ranked.stream()
                .filter(trial -> !trial.scheduler().equals(winner.scheduler()))
                .filter(which)
                .forEach(trial -> first.putIfAbsent(trial.scheduler().orElseThrow(), trial));
        return first;
    }

    /** A space whose configs were all tried needs no share. */
    private static String unfair(StudyDocument study, int trials, List<TimedTrial> timed) {
        if (study.space() != null && study.space().size() <= trials) {
            return "";
        }
        Map<String, Long> counts = timed.stream()
                .collect(Collectors.groupingBy(
                        trial -> trial.scheduler().orElseThrow(), LinkedHashMap::new, Collectors.counting()));
        int share = FairShare.of(trials);
        String few = counts.entrySet().stream()
                .filter(count -> count.getValue() < share)
                .map(count -> count.getKey() + " " + count.getValue())
                .collect(Collectors.joining(", "));
        return few.isEmpty() ? "" : "of " + trials + " trials " + share + " are a fair share, " + few;
    }

    /** Both comparisons, each in a line; none if no other scheduler was timed. */
    public List<String> lines() {
        if (best.isEmpty()) {
            return List.of();
        }
        return List.of("the scheduler is worth, same config: " + ofTwins(), ofTheBest());
    }

    private String ofTwins() {
        if (sameConfig.isEmpty()) {
            return "no other scheduler was timed with the config of the winner";
        }
        if (sameConfig.values().stream().allMatch(this::isTied)) {
            return "nothing here" + butFor() + ", "
                    + (isSimulated() ? "the model sees no difference" : "there is no difference beyond noise")
                    + " between " + name(winner) + " and " + String.join(" and ", sameConfig.keySet());
        }
        return ofTheWinner()
                + sameConfig.entrySet().stream()
                        .map(twin -> twin.getKey() + " " + difference(twin.getValue()))
                        .collect(Collectors.joining(", "))
                + butFor();
    }

    private String ofTheBest() {
        List<Config> shown = new ArrayList<>();
        best.values().forEach(trial -> shown.add(trial.config()));
        ShortForm form = ShortForm.of(shown);
        String each = best.values().stream()
                .map(trial -> form.text(words, trial.config()) + " " + difference(trial))
                .collect(Collectors.joining("; "));
        return unfair.isEmpty()
                ? "the scheduler is worth, best against best: " + ofTheWinner() + each + " (each of them had at least "
                        + FairShare.of(asked) + " of " + asked + " trials)"
                : "best trial of each scheduler, but not all had a fair search (" + unfair + "): " + ofTheWinner()
                        + each;
    }

    /** The rate of the winner; with its stage if that is not the final of a GPU. */
    private String ofTheWinner() {
        TimedTrial.Time time = winner.last().orElseThrow();
        String stage = isSimulated() || time.stage() == Stage.FINAL ? "" : " by its " + time.stage();
        return name(winner)
                + String.format(
                        Locale.ROOT,
                        " %.1f TFLOP/s%s, ",
                        study.problem().problem().tflops(time.interval().medianNs()),
                        stage);
    }

    /** The parameters of the winner that a twin cannot have, because its scheduler does not use them. */
    private String butFor() {
        Set<String> ofSchedulers = words.ofSchedulers();
        Set<String> names = new TreeSet<>();
        sameConfig.values().forEach(twin -> names.addAll(ShortForm.differing(winner.config(), twin.config())));
        names.retainAll(ofSchedulers);
        return names.isEmpty() ? "" : " (but for " + String.join(", ", names) + ")";
    }

    /** How much faster the other one is than the winner, by times of one stage. */
    private String difference(TimedTrial other) {
        if (isTied(other)) {
            return isSimulated() ? "no difference that the model sees" : "no difference beyond noise";
        }
        Double change = change(other);
        Stage stage = winner.common(other).orElse(null);
        if (change == null || stage == null) {
            return "not timed beside it";
        }
        String where = stage == winner.last().orElseThrow().stage() ? "" : " by their " + stage + "s";
        return String.format(Locale.ROOT, "%+.1f %%", 100 * change).replace("-0.0", "0.0") + where;
    }

    /** By which part the other one is faster than the winner, such as -0.036; {@code null} if no stage timed both. */
    @Nullable
    Double change(TimedTrial other) {
        return winner.common(other)
                .map(stage -> winner.at(stage).orElseThrow().interval().medianNs()
                                / other.at(stage).orElseThrow().interval().medianNs()
                        - 1)
                .orElse(null);
    }

    boolean isTied(TimedTrial other) {
        return winner.common(other)
                .map(stage -> winner.at(stage)
                        .orElseThrow()
                        .interval()
                        .ties(other.at(stage).orElseThrow().interval()))
                .orElse(false);
    }

    private boolean isSimulated() {
        return TestbedKind.SIMULATED.isOf(study.testbed());
    }

    private static String name(TimedTrial trial) {
        return trial.scheduler().orElseThrow();
    }
}
