package dev.tilewright.api.web.study;

import dev.tilewright.api.web.ConfigWords;
import dev.tilewright.api.web.Figures;
import dev.tilewright.api.web.OccupancyGroup;
import dev.tilewright.api.web.OccupancyMap;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.space.ranking.SchedulerWorth;
import dev.tilewright.space.ranking.TimedTrial;
import dev.tilewright.space.text.ShortForm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tile schedulers of a study beside each other, each by its trial that says most: the twin of the winner, which
 * differs in nothing else, or where there is none its best trial.
 *
 * @param worth what the scheduler is worth, in the lines of terminal and REST
 * @param why one sentence for each of the others
 * @param twins whether all of them differ in the scheduler alone
 * @param stage the last one in which all were timed, by which they are compared; empty if there is none
 */
public record SchedulersView(List<Card> cards, List<String> worth, List<String> why, boolean twins, String stage) {

    /**
     * A tile scheduler.
     *
     * @param trialId {@code null} if no trial with it was timed; then the rest is empty
     * @param change beside the winner, by the last stage in which all were timed
     * @param differs names of the parameters in which it differs from the winner, beside the scheduler
     */
    public record Card(
            String scheduler,
            boolean winner,
            @Nullable UUID trialId,
            String config,
            String rate,
            String time,
            String interval,
            String stage,
            String change,
            String differs,
            String idleTail,
            String steals,
            @Nullable OccupancyMap map) {

        static Card none(String scheduler) {
            return new Card(scheduler, false, null, "", "", "", "", "", "", "", "", "", null);
        }
    }

    /** The maps of the schedulers that were traced. */
    public OccupancyGroup maps() {
        return new OccupancyGroup(
                cards.stream().flatMap(card -> Stream.ofNullable(card.map())).toList());
    }

    /**
     * The trials to be shown: the winner first, then for each other scheduler that was timed its trial with the same
     * config, or else its best one.
     */
    static List<StudyTrial> chosen(List<StudyTrial> trials, Optional<SchedulerWorth> compared) {
        if (compared.isEmpty()) {
            return List.of();
        }
        SchedulerWorth worth = compared.get();
        Map<String, TimedTrial> others = new LinkedHashMap<>(worth.sameConfig());
        worth.best().forEach(others::putIfAbsent);
        Map<UUID, StudyTrial> byId = trials.stream().collect(Collectors.toMap(StudyTrial::id, Function.identity()));
        return Stream.concat(Stream.of(worth.winner()), others.values().stream())
                .map(trial -> byId.get(trial.id()))
                .toList();
    }

    /**
     * Puts them side by side.
     *
     * @param chosen the winner first
     * @param worth lines
     * @param names all schedulers of the family
     */
    static SchedulersView of(
            List<StudyTrial> chosen, List<String> worth, Grounds grounds, List<String> names, ConfigWords words) {
        List<Card> cards = new ArrayList<>();
        List<String> why = new ArrayList<>();
        boolean twins = true;
        Stage stage = shared(chosen).orElse(null);
        for (StudyTrial trial : chosen) {
            StudyTrial winner = chosen.getFirst();
            cards.add(card(trial, winner, stage, grounds.evidence().get(trial.id()), words));
            if (trial != winner) {
                twins &= words.vocabulary().areTwins(winner.config(), trial.config());
                if (stage != null) {
                    why.add(grounds.between(winner, trial, stage));
                }
            }
        }
        names.stream()
                .filter(name ->
                        cards.stream().noneMatch(card -> card.scheduler().equals(name)))
                .forEach(name -> cards.add(Card.none(name)));
        return new SchedulersView(cards, worth, why, twins, stage == null ? "" : stage.toString());
    }

    /** The last stage in which all were timed: numbers of two stages are not to be compared. */
    private static Optional<Stage> shared(List<StudyTrial> chosen) {
        return Arrays.stream(Stage.values())
                .filter(stage ->
                        chosen.stream().allMatch(trial -> trial.at(stage).isPresent()))
                .max(Comparator.naturalOrder());
    }

    private static Card card(
            StudyTrial trial,
            StudyTrial winner,
            @Nullable Stage stage,
            @Nullable SchedulerEvidence evidence,
            ConfigWords words) {
        StudyTrial.Time time =
                stage == null ? trial.last().orElseThrow() : trial.at(stage).orElseThrow();
        Set<String> differing = ShortForm.differing(winner.config(), trial.config());
        differing.removeAll(words.vocabulary().scheduler().parameters());
        return new Card(
                trial.scheduler().orElseThrow(),
                trial == winner,
                trial.id(),
                words.brief(trial.config()),
                Figures.tflops(time.tflops()),
                Figures.us(time.medianNs()),
                Figures.interval(time.lowNs(), time.highNs()),
                time.stage().toString(),
                change(trial, winner, stage),
                String.join(", ", differing),
                Figures.percent(trial.idleTail()),
                steals(evidence),
                evidence == null ? null : OccupancyMap.of(evidence, trial.config()));
    }

    private static String change(StudyTrial trial, StudyTrial winner, @Nullable Stage stage) {
        if (trial == winner) {
            return "the winner";
        }
        if (stage == null) {
            return "not timed beside the winner";
        }
        StudyTrial.Time own = trial.at(stage).orElseThrow();
        StudyTrial.Time first = winner.at(stage).orElseThrow();
        return own.ties(first)
                ? "no difference that can be told"
                : Figures.change(first.medianNs() / own.medianNs()) + " in speed";
    }

    private static String steals(@Nullable SchedulerEvidence evidence) {
        if (evidence == null || evidence.stealsPerCluster().isEmpty()) {
            return "";
        }
        return Figures.range(evidence.stealsPerCluster()) + " tiles a cluster got by asking";
    }
}
