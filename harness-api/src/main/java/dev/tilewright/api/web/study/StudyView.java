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
import dev.tilewright.space.ranking.AlikeTrials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 * @param rows of the leaderboard, each with the trials that tie with it
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
        List<Row> rows,
        int timed,
        int shown,
        Map<String, String> legend,
        @Nullable String error) {

    /** A name and its value. */
    public record Fact(String name, String value) {}

    /** The best config, with what a user does with it. */
    public record Best(
            UUID trialId,
            String config,
            String settings,
            String export,
            String rate,
            String time,
            String interval,
            String bandwidth,
            String roofline,
            String stage,
            @Nullable String toDefault,
            @Nullable String toBestPeer,
            @Nullable String bestPeer) {}

    /**
     * A trial of the leaderboard.
     *
     * @param alike how many trials behind it have times that cannot be told from its own, and what they differ in
     */
    public record Row(
            int rank,
            UUID id,
            int ordinal,
            String config,
            String alike,
            String settings,
            String rate,
            String bandwidth,
            String roofline,
            String time,
            String interval,
            String stage,
            String idleTail,
            boolean best) {}

    /**
     * Puts it together.
     *
     * @param trials the best ones
     * @param ended how many there are in all
     * @param worth lines
     * @param most rows of the leaderboard
     */
    static StudyView of(
            StudyDocument study,
            List<StudyTrial> trials,
            StudyPageRepository.Ended ended,
            List<String> worth,
            ConfigWords words,
            int most) {
        Testbed testbed = study.testbed();
        boolean simulated = TestbedKind.SIMULATED.isOf(testbed);
        List<StudyTrial> timed = trials.stream()
                .filter(trial -> trial.last().isPresent())
                .sorted(StudyTrial.ORDER)
                .toList();
        UUID bestId = study.best() == null ? null : study.best().id();
        List<Row> rows = new ArrayList<>();
        int standing = 0;
        for (AlikeTrials<StudyTrial> each : AlikeTrials.of(timed, StudyTrial::timed, most)) {
            rows.add(row(rows.size() + 1, each, study, words, each.first().id().equals(bestId)));
            standing += 1 + each.alike().size();
        }
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
                best(study, words),
                worth,
                rows,
                ended.timed(),
                standing,
                words.legend(shown),
                study.error());
    }

    /** The phase of the page. The rest of the page depends on it alone: a change loads the page anew. */
    public String phase() {
        return open ? rows.size() > 1 ? "charts" : begun ? "begun" : "waits" : "over";
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

    private static @Nullable Best best(StudyDocument study, ConfigWords words) {
        StudyDocument.BestDocument best = study.best();
        if (best == null) {
            return null;
        }
        return new Best(
                best.id(),
                words.brief(best.config()),
                words.options(best.config()),
                "tilewright export --trial " + best.id() + " --to DIR",
                Figures.tflops(best.tflops()),
                Figures.us(best.medianNs()),
                Figures.interval(best.ciLowNs(), best.ciHighNs()),
                Figures.bandwidth(best.gbPerSecond()),
                Figures.percent(best.rooflineShare()),
                best.stage().toString(),
                ratio(study.ratioToDefault(), study.ratioToDefaultCi()),
                ratio(study.ratioToBestPeer(), study.ratioToBestPeerCi()),
                study.bestPeer());
    }

    static @Nullable String ratio(@Nullable Double value, @Nullable List<Double> interval) {
        Ratio ratio = Figures.ratioOf(value, interval);
        return ratio == null ? null : Figures.ratio(ratio);
    }

    private static Row row(int rank, AlikeTrials<StudyTrial> of, StudyDocument study, ConfigWords words, boolean best) {
        StudyTrial trial = of.first();
        StudyTrial.Time time = trial.last().orElseThrow();
        return new Row(
                rank,
                trial.id(),
                trial.ordinal(),
                words.brief(trial.config()),
                of.note(StudyTrial::config).strip(),
                words.options(trial.config()),
                Figures.tflops(time.tflops()),
                Figures.bandwidth(study.problem().problem(), time.medianNs()),
                Figures.roofline(study.testbed(), study.problem().problem(), time.medianNs()),
                Figures.us(time.medianNs()),
                Figures.interval(time.lowNs(), time.highNs()),
                time.stage().toString(),
                Figures.percent(trial.idleTail()),
                best);
    }
}
