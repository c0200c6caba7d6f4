package dev.tilewright.worker.cli.board;

import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.space.family.Families;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.text.Vocabulary;
import dev.tilewright.worker.cli.board.ResultDocument.Study;
import dev.tilewright.worker.cli.board.ResultDocument.Trial;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the tile scheduler of the winner is worth: beside its twins, which have the same config but for the scheduler,
 * and beside the best of every other scheduler.
 *
 * @param winner the best of the study, or else the fastest
 * @param twins for each other scheduler the twin of the winner that was timed with the most evidence
 * @param rivals for each other scheduler its best trial, the fastest scheduler first
 */
record SchedulerWorth(Study study, Trial winner, Map<String, Trial> twins, Map<String, Trial> rivals) {

    /**
     * Looks for twins and rivals; empty if nothing was timed or the configs name no scheduler.
     *
     * @param timed trials with a time, the best first
     */
    static Optional<SchedulerWorth> of(Study study, List<Trial> timed) {
        if (timed.isEmpty()) {
            return Optional.empty();
        }
        Trial winner = study.bestTrial().orElse(timed.getFirst());
        String own = scheduler(winner);
        if (own == null) {
            return Optional.empty();
        }
        Map<String, Trial> rivals = new LinkedHashMap<>();
        for (Trial other : timed) {
            String name = scheduler(other);
            if (name != null && !name.equals(own)) {
                rivals.putIfAbsent(name, other);
            }
        }
        Map<String, Trial> twins = twins(study, winner, timed);
        if (study.isSimulated()) {
            // Of several that are equal to the model, any may be called the best, and the twins be those of another.
            for (Trial equal : timed) {
                Map<String, Trial> others =
                        own.equals(scheduler(equal)) && isEqual(winner, equal) ? twins(study, equal, timed) : Map.of();
                twins = others.size() > twins.size() ? others : twins;
            }
        }
        return Optional.of(new SchedulerWorth(study, winner, twins, rivals));
    }

    private static boolean isEqual(Trial one, Trial other) {
        return one.decisive()
                .flatMap(first -> other.decisive().map(second -> Tie.between(first, second)))
                .orElse(false);
    }

    private static Map<String, Trial> twins(Study study, Trial trial, List<Trial> timed) {
        Vocabulary words = words(study);
        Map<String, Trial> twins = new LinkedHashMap<>();
        for (Trial other : timed) {
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
        Map<String, Trial> others = new LinkedHashMap<>(rivals);
        others.entrySet().removeIf(entry -> entry.getValue() == twins.get(entry.getKey()));
        if (!others.isEmpty()) {
            CompactConfig form =
                    CompactConfig.of(others.values().stream().map(study::config).toList());
            lines.add("best of every other scheduler: "
                    + others.values().stream()
                            .map(other -> form.format(study.config(other)) + ", " + difference(other))
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
    private String difference(Trial other) {
        if (isTied(other)) {
            return study.isSimulated() ? "no difference that the model sees" : "no difference beyond noise";
        }
        Optional<Stage> stage = common(other);
        if (stage.isEmpty()) {
            return Rates.oneDigit(rate(other)) + " TFLOP/s, not timed beside it";
        }
        double ratio = at(winner, stage.get()).orElseThrow().medianNs()
                / at(other, stage.get()).orElseThrow().medianNs();
        String where = stage.equals(winner.decisive().map(Measurement::stage)) ? "" : " by their " + stage.get() + "s";
        return String.format(Locale.ROOT, "%+.1f %%", 100 * (ratio - 1)).replace("-0.0", "0.0") + where;
    }

    private boolean isTied(Trial other) {
        return common(other)
                .map(stage -> Tie.between(
                        at(winner, stage).orElseThrow(), at(other, stage).orElseThrow()))
                .orElse(false);
    }

    /** The last stage in which both were timed. */
    private Optional<Stage> common(Trial other) {
        return winner.measurements().stream()
                .filter(measurement -> measurement.mode() == Mode.SUSTAINED)
                .map(Measurement::stage)
                .filter(stage -> at(other, stage).isPresent())
                .max(Comparator.naturalOrder());
    }

    private static Optional<Measurement> at(Trial trial, Stage stage) {
        return trial.measurements().stream()
                .filter(measurement -> measurement.mode() == Mode.SUSTAINED && measurement.stage() == stage)
                .findFirst();
    }

    private static double rate(Trial trial) {
        return trial.tflops() == null ? 0 : trial.tflops();
    }

    private static Vocabulary words(Study study) {
        return Families.standard().vocabulary(study.family());
    }

    static @Nullable String scheduler(Trial trial) {
        ParameterValue scheduler = trial.config().values().get(FamilySpace.SCHEDULER);
        return scheduler == null ? null : scheduler.toString();
    }
}
