package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.space.family.Families;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.text.Vocabulary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the tile scheduler of the winner is worth: beside its twins, which have the same config but for the scheduler,
 * and beside the best of every other scheduler.
 *
 * @param winner the best of the study, or else the fastest
 * @param twins for each other scheduler the twin of the winner that was timed with the most evidence
 * @param rivals for each other scheduler its best trial, the fastest scheduler first
 */
record SchedulerWorth(
        StudyResult study, TrialDocument winner, Map<String, TrialDocument> twins, Map<String, TrialDocument> rivals) {

    /**
     * Looks for twins and rivals; empty if nothing was timed or the configs name no scheduler.
     *
     * @param timed trials with a time, the best first
     */
    static Optional<SchedulerWorth> of(StudyResult study, List<TrialDocument> timed) {
        if (timed.isEmpty()) {
            return Optional.empty();
        }
        TrialDocument winner = study.bestTrial().orElse(timed.getFirst());
        String own = scheduler(winner);
        if (own == null) {
            return Optional.empty();
        }
        Map<String, TrialDocument> rivals = new LinkedHashMap<>();
        for (TrialDocument other : timed) {
            String name = scheduler(other);
            if (name != null && !name.equals(own)) {
                rivals.putIfAbsent(name, other);
            }
        }
        Map<String, TrialDocument> twins = twins(study, winner, timed);
        if (study.isSimulated()) {
            // Of several that are equal to the model, any may be called the best, and the twins be those of another.
            for (TrialDocument equal : timed) {
                Map<String, TrialDocument> others =
                        own.equals(scheduler(equal)) && isEqual(winner, equal) ? twins(study, equal, timed) : Map.of();
                twins = others.size() > twins.size() ? others : twins;
            }
        }
        return Optional.of(new SchedulerWorth(study, winner, twins, rivals));
    }

    private static boolean isEqual(TrialDocument one, TrialDocument other) {
        return one.lastSustained()
                .flatMap(first -> other.lastSustained().map(second -> Tie.between(first, second)))
                .orElse(false);
    }

    private static Map<String, TrialDocument> twins(StudyResult study, TrialDocument trial, List<TrialDocument> timed) {
        Vocabulary words = words(study);
        Map<String, TrialDocument> twins = new LinkedHashMap<>();
        for (TrialDocument other : timed) {
            String name = scheduler(other);
            if (name != null && !name.equals(scheduler(trial)) && words.areTwins(trial.config(), other.config())) {
                twins.putIfAbsent(name, other);
            }
        }
        return twins;
    }

    /** Up to two lines; none if no other scheduler was timed. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (!twins.isEmpty()) {
            lines.add(ofTwins());
        }
        Map<String, TrialDocument> others = new LinkedHashMap<>(rivals);
        others.entrySet().removeIf(entry -> entry.getValue() == twins.get(entry.getKey()));
        if (!others.isEmpty()) {
            CompactConfig form = CompactConfig.of(others.values().stream()
                    .map(trial -> FamilyConfig.of(study, trial))
                    .toList());
            lines.add("best of every other scheduler: "
                    + others.values().stream()
                            .map(other -> form.format(FamilyConfig.of(study, other)) + ", " + difference(other))
                            .collect(Collectors.joining("; ")));
        }
        return lines;
    }

    private String ofTwins() {
        if (twins.values().stream().allMatch(this::isTied)) {
            return "the scheduler is worth nothing here: with the same config otherwise" + butFor() + ", "
                    + (study.isSimulated() ? "the model sees no difference" : "there is no difference beyond noise")
                    + " between " + scheduler(winner) + " and " + String.join(" and ", twins.keySet());
        }
        return "the scheduler is worth: " + scheduler(winner) + " " + Rates.oneDigit(rate(winner)) + " TFLOP/s, "
                + twins.entrySet().stream()
                        .map(twin -> twin.getKey() + " " + difference(twin.getValue()))
                        .collect(Collectors.joining(", "))
                + " (same config otherwise" + butFor() + ")";
    }

    /** What a twin cannot have of the winner's, because its scheduler has no use for it. */
    private String butFor() {
        Set<String> ofSchedulers = words(study).ofSchedulers();
        String names = twins.values().stream()
                .flatMap(twin -> CompactConfig.differing(winner.config(), twin.config()).stream())
                .filter(ofSchedulers::contains)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : ", but for " + names;
    }

    /** How much faster the other one is than the winner, by measurements of one stage. */
    private String difference(TrialDocument other) {
        if (isTied(other)) {
            return study.isSimulated() ? "no difference that the model sees" : "no difference beyond noise";
        }
        Optional<Stage> stage = common(other);
        if (stage.isEmpty()) {
            return Rates.oneDigit(rate(other)) + " TFLOP/s, not timed beside it";
        }
        double ratio = winner.sustained(stage.get()).orElseThrow().medianNs()
                / other.sustained(stage.get()).orElseThrow().medianNs();
        String where =
                stage.equals(winner.lastSustained().map(Measurement::stage)) ? "" : " by their " + stage.get() + "s";
        return String.format(Locale.ROOT, "%+.1f %%", 100 * (ratio - 1)).replace("-0.0", "0.0") + where;
    }

    private boolean isTied(TrialDocument other) {
        return common(other)
                .map(stage -> Tie.between(
                        winner.sustained(stage).orElseThrow(),
                        other.sustained(stage).orElseThrow()))
                .orElse(false);
    }

    /** The last stage in which both were timed. */
    private Optional<Stage> common(TrialDocument other) {
        return Stream.of(Stage.values())
                .filter(stage -> winner.sustained(stage).isPresent()
                        && other.sustained(stage).isPresent())
                .max(Comparator.naturalOrder());
    }

    private static double rate(TrialDocument trial) {
        return trial.tflops() == null ? 0 : trial.tflops();
    }

    private static Vocabulary words(StudyResult study) {
        return Families.standard().vocabulary(study.document().family());
    }

    static @Nullable String scheduler(TrialDocument trial) {
        ParameterValue scheduler = trial.config().values().get(FamilySpace.SCHEDULER);
        return scheduler == null ? null : scheduler.toString();
    }
}
