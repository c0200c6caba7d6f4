package dev.tilewright.space.ranking;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.space.text.ShortForm;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A row of a board: a trial, and those behind it whose times are as good.
 *
 * @param <T> what a board has of a trial
 * @param alike in the order of their ranks; each ties with {@code first}, not only with a neighbour
 */
public record AlikeTrials<T>(T first, List<T> alike) {

    /** Names that are written out; of more there is only the number. */
    private static final int MAX_NAMES_SHOWN = 4;

    public AlikeTrials {
        alike = List.copyOf(alike);
    }

    private record Entry<T>(T own, TimedTrial timed) {}

    /**
     * One row for each group of trials that tie; finalists and trials without a time have rows of their own.
     *
     * @param most rows
     */
    public static <T> List<AlikeTrials<T>> of(List<T> ranked, Function<T, TimedTrial> timed, int most) {
        List<AlikeTrials<T>> rows = new ArrayList<>();
        List<Entry<T>> left = ranked.stream()
                .map(each -> new Entry<>(each, timed.apply(each)))
                .toList();
        while (!left.isEmpty() && rows.size() < most) {
            Entry<T> first = left.getFirst();
            Map<Boolean, List<Entry<T>>> others = left.stream()
                    .skip(1)
                    .collect(Collectors.partitioningBy(other -> first.timed().isAlike(other.timed())));
            rows.add(new AlikeTrials<>(
                    first.own(), others.get(true).stream().map(Entry::own).toList()));
            left = others.get(false);
        }
        return rows;
    }

    /**
     * {@code "rows are ranked by stage: final before screen"}; empty if there is one stage.
     *
     * @param stages of the rows, in any order
     */
    public static Optional<String> ranked(Stream<Stage> stages) {
        List<String> names = stages.distinct()
                .sorted(Comparator.reverseOrder())
                .map(Stage::toString)
                .toList();
        return names.size() < 2
                ? Optional.empty()
                : Optional.of("rows are ranked by stage: " + String.join(" before ", names));
    }

    /** All trials of the row. */
    public Stream<T> trials() {
        return Stream.concat(Stream.of(first), alike.stream());
    }

    /** {@code " (+9 alike: l2Hint, registers)"}: how many, and in which parameters they differ; nothing for one. */
    public String note(Function<T, Config> config) {
        if (alike.isEmpty()) {
            return "";
        }
        List<String> differing = alike.stream()
                .flatMap(other -> ShortForm.differing(config.apply(first), config.apply(other)).stream())
                .distinct()
                .sorted()
                .toList();
        int more = differing.size() - MAX_NAMES_SHOWN;
        String listed = String.join(", ", differing.subList(0, Math.min(MAX_NAMES_SHOWN, differing.size())))
                + (more > 0 ? " and " + more + " more" : "");
        return " (+" + alike.size() + " alike" + (listed.isEmpty() ? "" : ": " + listed) + ")";
    }
}
