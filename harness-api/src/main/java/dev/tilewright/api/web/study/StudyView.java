package dev.tilewright.api.web.study;

import dev.tilewright.api.web.ConfigWords;
import dev.tilewright.api.web.Figures;
import dev.tilewright.api.web.TrialProgress;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.families.ProblemText;
import dev.tilewright.space.ranking.AlikeTrials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A study as its page shows it.
 *
 * @param begun whether a device has taken it
 * @param facts what it is, name and value
 * @param best {@code null} while nothing may be called best
 * @param worth what the tile scheduler of the best is worth, in the lines of terminal and REST
 * @param board the leaderboard
 * @param timed trials that have a time
 * @param shown the first of these, which the rows stand for
 * @param legend what the marks of the rows mean
 */
public record StudyView(
        UUID id,
        UUID jobId,
        String problem,
        String state,
        boolean open,
        boolean begun,
        boolean simulated,
        @Nullable String model,
        List<Fact> facts,
        TrialProgress trials,
        String failures,
        @Nullable Best best,
        List<String> worth,
        StudyBoard board,
        int timed,
        int shown,
        Map<String, String> legend,
        @Nullable String error) {

    /** A name and its value. */
    public record Fact(String name, String value) {}

    /**
     * The best config, with what a user does with it.
     *
     * @param beside its speed beside that of the vendor's kernels, in words; empty without a peer
     * @param why the reason why the next best tile scheduler is slower; empty if there is none
     * @param again the command line that tries it again
     */
    public record Best(
            UUID trialId,
            String config,
            String time,
            String interval,
            String rate,
            String limits,
            String beside,
            String why,
            String again,
            String export) {}

    /**
     * Puts it together.
     *
     * @param trials the best ones
     * @param ended how many there are in all
     * @param worth lines
     * @param why the winner won, in a sentence
     * @param most rows of the leaderboard
     */
    static StudyView of(
            StudyDocument study,
            List<StudyTrial> trials,
            StudyPageRepository.Ended ended,
            List<String> worth,
            String why,
            ConfigWords words,
            int most) {
        Testbed testbed = study.testbed();
        boolean simulated = TestbedKind.SIMULATED.isOf(testbed);
        List<StudyTrial> timed = trials.stream()
                .filter(trial -> trial.last().isPresent())
                .sorted(StudyTrial.ORDER)
                .toList();
        List<AlikeTrials<StudyTrial>> tied = AlikeTrials.of(timed, StudyTrial::timed, most);
        boolean over = study.state().isOver();
        List<Config> shown = Stream.concat(
                        timed.stream().limit(most).map(StudyTrial::config),
                        Stream.ofNullable(study.best()).map(StudyDocument.BestDocument::config))
                .toList();
        return new StudyView(
                study.id(),
                study.jobId(),
                study.problem().toString(),
                study.state().toString(),
                !over,
                testbed != null,
                simulated,
                simulated ? Figures.model(testbed) : null,
                facts(study),
                TrialProgress.of(
                        over,
                        study.counts().finished(),
                        study.counts().completed(),
                        study.counts().total(),
                        study.mostTrials()),
                failures(ended.outcomes()),
                best(study, words, why),
                worth,
                StudyBoard.of(study, tied, words),
                ended.timed(),
                (int) tied.stream().flatMap(AlikeTrials::trials).count(),
                words.legend(shown),
                study.error());
    }

    /** The phase of the page. The rest of the page depends on it alone: a change loads the page anew. */
    public String phase() {
        return open ? board.rows().size() > 1 ? "charts" : begun ? "begun" : "waits" : "over";
    }

    private static List<Fact> facts(StudyDocument study) {
        List<Fact> facts = new ArrayList<>();
        Testbed testbed = study.testbed();
        facts.add(new Fact(
                "Testbed",
                testbed == null
                        ? "none yet: wanted is " + study.device()
                        : testbed.device() + ", " + testbed.driver() + ", " + testbed.smCount() + " SMs"));
        if (testbed != null) {
            facts.add(new Fact("Assembler, clocks", testbed.assembler() + ", " + testbed.clockPolicy()));
        }
        facts.add(new Fact("Kernel family", study.family()));
        facts.add(new Fact("Strategy", study.strategy() + ", seed " + study.seed()));
        if (study.space() != null) {
            facts.add(new Fact("Search space", Figures.count(study.space().size(), "config")));
        }
        if (study.sweep() != null) {
            facts.add(new Fact(
                    "Sweep",
                    Figures.format(
                            "%.1f configs/s in %.1f s%s",
                            study.sweep().configsPerSecond(),
                            study.sweep().seconds(),
                            study.sweep().gpuBusyShare() == null
                                    ? ""
                                    : ", GPU busy "
                                            + Figures.percent(study.sweep().gpuBusyShare()))));
        }
        facts.add(new Fact("Began", Figures.moment(study.startedAt())));
        if (study.startedAt() != null && study.finishedAt() != null) {
            facts.add(new Fact("Took", Figures.duration(Duration.between(study.startedAt(), study.finishedAt()))));
        }
        if (study.noise() != null) {
            facts.add(new Fact("Nothing is best", "noise: " + study.noise()));
        }
        if (!study.neighbours().isEmpty()) {
            facts.add(new Fact("Beside it on the GPU", String.join("; ", study.neighbours())));
        }
        return facts;
    }

    /** Outcomes beside {@code completed}, with how many trials had each. */
    private static String failures(Map<TrialOutcome, Integer> outcomes) {
        return outcomes.entrySet().stream()
                .filter(count -> count.getKey() != TrialOutcome.COMPLETED)
                .map(count -> count.getValue() + " " + count.getKey())
                .collect(Collectors.joining(", "));
    }

    private static @Nullable Best best(StudyDocument study, ConfigWords words, String why) {
        StudyDocument.BestDocument best = study.best();
        if (best == null) {
            return null;
        }
        return new Best(
                best.id(),
                words.brief(best.config()),
                Figures.us(best.medianNs()),
                Figures.interval(best.ciLowNs(), best.ciHighNs()),
                Figures.tflops(best.tflops()),
                Figures.bandwidth(best.gbPerSecond()) + ", " + Figures.percent(best.rooflineShare())
                        + " of the roofline, by its " + best.stage(),
                beside(study),
                why,
                words.tune(study.problem().problem(), best.config()) + ProblemText.device(study.testbed()),
                "tilewright export --trial " + best.id() + " --to DIR");
    }

    /** The speed of the best over cuBLAS's default and over the best peer. */
    private static String beside(StudyDocument study) {
        return Stream.of(
                        over(study.ratioToDefault(), study.ratioToDefaultCi(), "cuBLAS's default"),
                        over(study.ratioToBestPeer(), study.ratioToBestPeerCi(), "the best peer, " + study.bestPeer()))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", "));
    }

    private static Optional<String> over(@Nullable Double value, @Nullable List<Double> interval, String whom) {
        return Optional.ofNullable(ratio(value, interval)).map(ratio -> ratio.replace("×", "") + " of " + whom);
    }

    static @Nullable String ratio(@Nullable Double value, @Nullable List<Double> interval) {
        Ratio ratio = Figures.ratioOf(value, interval);
        return ratio == null ? null : Figures.ratio(ratio);
    }
}
