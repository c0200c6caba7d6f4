package dev.tilewright.worker.cli.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.exchange.BestConfigs;
import dev.tilewright.model.exchange.Budget;
import dev.tilewright.model.exchange.JobDocument;
import dev.tilewright.model.exchange.JobDocument.JobLine;
import dev.tilewright.model.exchange.JobDocument.StudyLine;
import dev.tilewright.model.exchange.JobDocument.TrialLine;
import dev.tilewright.model.exchange.JobEvent;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.StudyState;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.range.RangePhase;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.family.VendorFamily;
import dev.tilewright.testing.Draw;
import dev.tilewright.testing.Draws;
import dev.tilewright.testing.From;
import dev.tilewright.worker.link.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BoardPartsTest {

    private static Config config(String... settings) {
        return Config.parse(String.join(" ", settings));
    }

    private static List<FamilyConfig> of(@Nullable String family, Config... configs) {
        return Stream.of(configs)
                .map(config -> new FamilyConfig(family, config))
                .toList();
    }

    /** Each in short, as they stand in one table. */
    private static List<String> inShort(List<FamilyConfig> configs) {
        return configs.stream().map(CompactConfig.of(configs)::format).toList();
    }

    private static final String[] FULL = {
        "scheduler=static",
        "tileM=128",
        "tileN=256",
        "tileK=64",
        "clusterM=2",
        "clusterN=1",
        "loadStages=4",
        "rasterOrder=groupedM",
        "rasterGroup=8",
        "mode=cooperative",
        "consumers=2",
        "swizzle=128",
        "registers=0"
    };

    @Test
    void writesAConfigInShort() {
        Config full = config(FULL);

        assertThat(inShort(of("sm90-gemm", full))).containsExactly("static 128x256x64 c2x1 s4 groupedM8 coop2");
    }

    /** Also where all of a table have it, or there is only one. */
    @Test
    void namesWhatMakesAnotherKernel() {
        Config plain = config(FULL)
                .with("l2Hint", ParameterValue.of("none"))
                .with("l2Promotion", ParameterValue.of(128))
                .with("clusterOrder", ParameterValue.of("launch"))
                .with("loadStart", ParameterValue.of("free"))
                .with("splitK", ParameterValue.of(1))
                .with("swapAB", ParameterValue.of(0));
        Config other = plain.with("l2Hint", ParameterValue.of("keepA"))
                .with("l2Promotion", ParameterValue.of(256))
                .with("clusterOrder", ParameterValue.of("gpc"))
                .with("loadStart", ParameterValue.of("tick"))
                .with("splitK", ParameterValue.of(5))
                .with("swapAB", ParameterValue.of(1));

        assertThat(inShort(of("sm90-gemm", plain))).containsExactly("static 128x256x64 c2x1 s4 groupedM8 coop2");
        assertThat(inShort(of("sm90-gemm", other)))
                .containsExactly("static 128x256x64 c2x1 s4 groupedM8 coop2 gpc keepA l2-256 tick k/5 swapAB");
    }

    @Test
    void addsWhatIsNotAsUsual() {
        Config full = config(FULL);
        Config other = full.with("swizzle", ParameterValue.of(64))
                .with("registers", ParameterValue.of(232))
                .with("clusterM", ParameterValue.of(1))
                .with("rasterOrder", ParameterValue.of("alongN"))
                .with("rasterGroup", ParameterValue.of(4))
                .with("newIdea", ParameterValue.of(3));

        assertThat(inShort(of("sm90-gemm", full, other)))
                .containsExactly(
                        "static 128x256x64 c2x1 s4 groupedM8 coop2",
                        "static 128x256x64 s4 alongN coop2 newIdea=3 r232 sw64");
    }

    @Test
    void ofAFamilyThatIsNotKnownParametersAreWrittenOut() {
        Config peer = config("algorithm=66", "tile=15");
        Config other = config("algorithm=67", "tile=15");

        assertThat(inShort(of(VendorFamily.NAME, peer, other)))
                .containsExactly("algorithm=66 tile=15", "algorithm=67 tile=15");
        assertThat(inShort(of(null, peer))).as("alone").containsExactly("algorithm=66 tile=15");
        assertThat(CompactConfig.of(of(VendorFamily.NAME, peer, other)).legend(of(VendorFamily.NAME, peer, other)))
                .isEmpty();
    }

    /** What a name means in one family is nothing to another, but for the tile scheduler. */
    @Test
    void aFamilyOfUsersHasTheWordsOfTheSchedulerAlone() {
        List<FamilyConfig> theirs = of(
                "bundle:theirs",
                config("scheduler=clc", "tileM=128", "swizzle=64"),
                config("scheduler=clc", "tileM=64", "swizzle=64"));

        assertThat(inShort(theirs)).containsExactly("clc tileM=128", "clc tileM=64");
        assertThat(CompactConfig.of(theirs).legend(theirs))
                .isEqualTo(Map.of("clc", "a cluster takes over the tile of one that has not been launched yet"));
    }

    /** A table of the best of several GPUs. */
    @Test
    void eachConfigOfATableIsWrittenInTheWordsOfItsFamily() {
        List<FamilyConfig> both = Stream.concat(
                        of("sm90-gemm", config(FULL)).stream(),
                        of(
                                "sm100-gemm",
                                config(
                                        "scheduler=clc",
                                        "tileM=256",
                                        "tileN=192",
                                        "tileK=64",
                                        "loadStages=5",
                                        "ctaGroup=2"))
                                .stream())
                .toList();

        assertThat(inShort(both))
                .containsExactly("static 128x256x64 c2x1 s4 groupedM8 coop2", "clc 256x192x64 s5 pair");
    }

    @Test
    void writesAConfigOfBlackwellInShort() {
        Config plain = config(
                "scheduler=clc",
                "tileM=128",
                "tileN=256",
                "tileK=64",
                "loadStages=4",
                "ctaGroup=1",
                "accumulatorStages=1",
                "clcStages=1",
                "clcPrefetch=1",
                "clcThrottle=none");
        Config pair = plain.with("ctaGroup", ParameterValue.of(2))
                .with("accumulatorStages", ParameterValue.of(2))
                .with("clcStages", ParameterValue.of(3))
                .with("clcPrefetch", ParameterValue.of(2))
                .with("clcThrottle", ParameterValue.of("load"));

        assertThat(inShort(of("sm100-gemm", plain, pair)))
                .containsExactly("clc 128x256x64 s4", "clc 128x256x64 s4 a2 p2 q3 after-load pair");
    }

    private static TrialDocument asking(String scheduler, List<Integer> steals, Integer failed) {
        SchedulerEvidence evidence = new SchedulerEvidence(List.of(3, 1), List.of(), List.of(), null, null)
                .asked(steals, failed == null ? 0 : failed);
        TrialDocument any =
                Samples.result("simulated.json").studies().getFirst().trials().getFirst();
        return Samples.with(any, json -> {
            json.set("config", Json.mapper().valueToTree(config("scheduler=" + scheduler)));
            json.set("tilesPerSm", Json.mapper().valueToTree(evidence.tilesPerSm()));
            json.putNull("idleTailFraction");
            json.set(
                    "evidence",
                    Json.mapper()
                            .valueToTree(
                                    failed == null
                                            ? new SchedulerEvidence(List.of(3, 1), List.of(), List.of(), null, null)
                                            : evidence));
        });
    }

    @Test
    void saysWhatATrialGotByAsking() {
        assertThat(ScheduleWords.asking(asking("clc", List.of(5, 0, 2), 148)))
                .contains("steals 0..5 per cluster, 148 failed queries");
        assertThat(ScheduleWords.asking(asking("atomic", List.of(2, 2), 1)))
                .contains("steals 2 per cluster, 1 failed query");
        assertThat(ScheduleWords.asking(asking("static", List.of(), null))).isEmpty();
        assertThat(ScheduleWords.load(asking("static", List.of(), null))).contains("4 tiles on 2 SMs (2.00 a SM)");
    }

    @Test
    void explainsOnlyTheMarksThatOccur() {
        Config one = config(FULL);
        Config other = one.with("loadStages", ParameterValue.of(6))
                .with("l2Hint", ParameterValue.of("keepA"))
                .with("newIdea", ParameterValue.of(3));
        CompactConfig form = CompactConfig.of(of("sm90-gemm", one, other));

        assertThat(form.legend(of("sm90-gemm", one, other)))
                .containsOnlyKeys("static", "128x256x64", "c2x1", "s4", "groupedM8", "coop2", "keepA")
                .containsEntry("coop2", "2 warpgroups share a tile")
                .containsEntry("keepA", "L2 keeps A");
        assertThat(String.join(" ", new Legend(form.legend(of("sm90-gemm", one))).lines()))
                .startsWith("legend: static = ")
                .doesNotContain("keepA");
    }

    @Test
    void aLegendSaysWhatAHistogramMeans() {
        assertThat(TileHistogram.of(List.of(0, 1, 1)).meaning()).isEqualTo("1 SM computed no tile, 2 computed 1 tile");
        assertThat(TileHistogram.of(List.of(7, 8, 7)).meaning())
                .isEqualTo("2 SMs computed 7 tiles, 1 computed 8 tiles");
        assertThat(TileHistogram.of(List.of(1, 2, 3, 4, 5)).meaning()).startsWith("SMs computed from 1 to 5 tiles");
    }

    private static String histogram(int... tilesAndSms) {
        List<Integer> perSm = new ArrayList<>();
        for (int i = 0; i < tilesAndSms.length; i += 2) {
            perSm.addAll(Collections.nCopies(tilesAndSms[i + 1], tilesAndSms[i]));
        }
        return TileHistogram.of(perSm).toString();
    }

    @Test
    void drawsTilesPerSm() {
        assertThat(histogram(7, 112, 8, 20)).isEqualTo("7:112 8:20 █▂");
        assertThat(histogram(1, 132)).isEqualTo("1:132 █");
        assertThat(histogram(0, 4, 2, 128)).isEqualTo("0:4 2:128 ▁ █");
        assertThat(histogram(1, 10, 2, 20, 3, 40, 4, 40, 5, 22)).isEqualTo("1..5 ▂▄██▅");
        assertThat(histogram(0, 1, 48, 131)).hasSizeLessThan(24);
        assertThat(TileHistogram.of(List.of()).toString()).isEmpty();
    }

    static List<Integer> tilesPerSm(Draw draw) {
        int most = draw.between(0, 5000);
        return draw.list(1, 160, each -> each.between(0, most));
    }

    @Draws
    void aHistogramStaysShortAndLosesNoSm(@From("tilesPerSm") List<Integer> tilesPerSm) {
        TileHistogram histogram = TileHistogram.of(tilesPerSm);

        assertThat(histogram.smsByTiles().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .isEqualTo(tilesPerSm.size());
        assertThat(histogram.toString()).hasSizeLessThanOrEqualTo(50).doesNotContain("\n");
        assertThat(histogram.toString()).containsPattern("[▁▂▃▄▅▆▇█]");
    }

    private static final Problem PROBLEM = Problem.of(new ProblemShape(2048, 1024, 768), DataType.BF16);
    private static final Testbed MODEL = new Testbed(TestbedKind.SIMULATED, "h200", "1", "x", 132, "model");

    private static JobProgress.Study study(Integer budget, int finished, Double best) {
        return new JobProgress.Study(
                new UUID(0, 2),
                ListedShape.PLAIN,
                PROBLEM,
                new JobEvent.StudyStarted(new UUID(0, 2), MODEL, 1000, budget, budget == null ? 160 : budget),
                trial(2, finished, finished / 2, best),
                null,
                false,
                null);
    }

    private static JobProgress job(JobProgress.Study... studies) {
        return new JobProgress(List.of(studies), List.of(), false, Duration.ofSeconds(10), null);
    }

    @ParameterizedTest
    @CsvSource({"20", "40", "80", "200"})
    void aBarNeverWraps(int width) {
        for (int finished : new int[] {0, 1, 63, 64}) {
            for (Integer budget : new Integer[] {64, null}) {
                JobProgress.Study study = study(budget, finished, 612.345);

                assertThat(new ProgressLine(width).bar(job(study), Duration.ofSeconds(75)))
                        .hasSize(width - 1);
                assertThat(new ProgressLine(width).bar(job(study, study), Duration.ofSeconds(75)))
                        .hasSize(width - 1);
            }
        }
    }

    @Test
    void aBarShowsWhatIsDone() {
        String half = new ProgressLine(80).bar(job(study(64, 32, 612.345)), Duration.ofSeconds(75));

        assertThat(half).endsWith(" sweep, 32/64 trials, screen 5.26 us (612.3 TFLOP/s), 16 failed, 75 s");
        assertThat(half.chars().filter(c -> c == '#').count())
                .isCloseTo(half.chars().filter(c -> c == '.').count() - 2, Offset.offset(3L));
    }

    @Test
    void ofAStudyThatStopsByItselfIsSaidWhatItMayHaveAtMost() {
        JobProgress job = job(study(null, 40, 612.345));

        assertThat(new ProgressLine(80).words(job, Duration.ofSeconds(7)))
                .isEqualTo("sweep, 40 of at most 160 trials, screen 5.26 us (612.3 TFLOP/s), 20 failed, 7 s");
        assertThat(new ProgressLine(120).bar(job, Duration.ofSeconds(7)))
                .startsWith("[########...")
                .endsWith("] sweep, 40 of at most 160 trials, screen 5.26 us (612.3 TFLOP/s), 20 failed, 7 s");
    }

    /** 40 of 160 trials are 22.5 % of all that is to come, a tenth of which is the final. */
    @Test
    void ofOneShapeTheTimeLeftIsSaidTooAndTheStage() {
        JobProgress begun = new JobProgress(
                List.of(study(null, 40, 612.345)), List.of(), false, Duration.ofSeconds(10), Duration.ofSeconds(28));
        JobProgress exactly = new JobProgress(
                List.of(study(64, 32, 612.345)), List.of(), false, Duration.ofSeconds(10), Duration.ofSeconds(28));
        ProgressLine line = new ProgressLine(80);

        assertThat(line.words(begun, Duration.ofSeconds(30)))
                .startsWith("sweep, 40 of at most 160 trials, ")
                .endsWith(", 30 s, at most about 60 s left");
        assertThat(line.words(exactly, Duration.ofSeconds(30)))
                .startsWith("sweep, 32/64 trials, ")
                .endsWith(", 30 s, about 20 s left");

        JobProgress racing = begun.after(new JobEvent.StudyRace(new UUID(0, 2), 14, 4), Duration.ofSeconds(29));
        assertThat(line.words(racing, Duration.ofSeconds(31)))
                .isEqualTo("race of 14 kernels, 40 trials, screen 5.26 us (612.3 TFLOP/s), 20 failed, 31 s");
        assertThat(line.bar(racing, Duration.ofSeconds(31))).hasSize(79);
        JobProgress last = racing.after(new JobEvent.StudyFinal(new UUID(0, 2)), Duration.ofSeconds(35));
        assertThat(line.words(last, Duration.ofSeconds(36)))
                .isEqualTo("final, 40 trials, screen 5.26 us (612.3 TFLOP/s), 20 failed, 36 s");
        assertThat(line.words(begun.after(finished(2, 700.0), Duration.ofSeconds(40)), Duration.ofSeconds(41)))
                .startsWith("40 trials, best ")
                .endsWith(" (700.0 TFLOP/s) by the final, 20 failed, 41 s");
    }

    @Test
    void saysWhenThereIsNothingYet() {
        JobProgress.Study fresh =
                new JobProgress.Study(new UUID(0, 2), ListedShape.PLAIN, PROBLEM, null, null, null, false, null);

        assertThat(new ProgressLine(80).words(job(fresh), Duration.ofSeconds(3)))
                .isEqualTo("waiting for a worker, 3 s");
        assertThat(new ProgressLine(80).words(job(study(64, 0, null)), Duration.ofSeconds(3)))
                .isEqualTo("sweep, 0/64 trials, none completed yet, 3 s");
    }

    /** Each shape has a best of its own, and the number of shapes is known from the start. */
    @Test
    void ofManyShapesTheOneAtWorkIsShownAndTheTimeThatIsLeft() {
        JobLine job = new JobLine(
                new UUID(0, 1),
                "",
                StudyState.QUEUED,
                "model",
                new Budget(null, null, 1),
                1,
                "auto",
                false,
                List.of(),
                Instant.EPOCH,
                null);
        JobDocument resource = new JobDocument(
                job,
                null,
                List.of("cuda:0"),
                List.of(),
                IntStream.range(0, 4)
                        .mapToObj(index -> new StudyLine(
                                new UUID(0, index),
                                new ProblemDocument(
                                        64 << index,
                                        null,
                                        128,
                                        256,
                                        DataType.BF16,
                                        null,
                                        null,
                                        null,
                                        null,
                                        Scenario.QUIET,
                                        null,
                                        null),
                                null,
                                StudyState.QUEUED,
                                null,
                                new TrialLine(0, 0, 0),
                                null,
                                null,
                                null))
                        .toList());
        List<ListedShape> listed =
                List.of(ListedShape.PLAIN, new ListedShape("qkv", 2.0), ListedShape.PLAIN, ListedShape.PLAIN);
        JobProgress progress = JobProgress.of(resource, listed);
        ProgressLine line = new ProgressLine(80);
        assertThat(line.words(progress, Duration.ofSeconds(4))).isEqualTo("waiting for a worker, 4 s");

        progress = progress.after(started(0), Duration.ofSeconds(10)).after(trial(0, 5, 3.25), Duration.ofSeconds(11));
        assertThat(line.words(progress, Duration.ofSeconds(12)))
                .isEqualTo(
                        "0/4 shapes done, 12 s; now 64x128x256: sweep, 5 of at most 160 trials, screen 1.29 us (3.3 TFLOP/s)");

        progress = progress.after(finished(0, 3.25), Duration.ofSeconds(30))
                .after(started(1), Duration.ofSeconds(30))
                .after(trial(1, 1, 2.0), Duration.ofSeconds(35));
        assertThat(line.words(progress, Duration.ofSeconds(40)))
                .isEqualTo(
                        "1/4 shapes done, 40 s, about 70 s left; now qkv: sweep, 1 of at most 160 trials, screen 4.19 us (2.0 TFLOP/s)");

        progress = progress.after(started(2), Duration.ofSeconds(40));
        assertThat(line.words(progress, Duration.ofSeconds(41)))
                .contains("; now qkv (and 1 more): sweep, 1 of at most 160 trials, ");

        progress = progress.after(finished(1, 2.0), Duration.ofSeconds(50));
        assertThat(line.words(progress, Duration.ofSeconds(51))).startsWith("2/4 shapes done, 51 s, about 39 s left; ");

        progress = progress.after(finished(2, null), Duration.ofSeconds(51))
                .after(new JobEvent.JobEnded(new UUID(0, 1), StudyState.CANCELLED), Duration.ofSeconds(51));
        assertThat(progress.isOver()).isTrue();
        assertThat(line.words(progress, Duration.ofSeconds(51))).isEqualTo("3/4 shapes done, 51 s");
    }

    /** Each phase of a range of M brings studies, and counts its own; an event that is heard twice adds none. */
    @Test
    void aRangeIsShownByItsPhase() {
        ProgressLine line = new ProgressLine(80);
        JobProgress.Study search = study(10, 10, 2.0);
        JobProgress progress = new JobProgress(
                List.of(search),
                List.of(new JobProgress.Phase(RangePhase.SEARCH, Set.of(search.id()), Set.of(search.id()))),
                false,
                Duration.ofSeconds(10),
                Duration.ofSeconds(20));
        assertThat(line.words(progress, Duration.ofSeconds(20))).startsWith("range of M: search 0/1, 20 s");

        JobEvent finds = new JobEvent.RangeMoved(
                0,
                RangePhase.FINDS,
                List.of(new JobEvent.RangeMoved.Added(new UUID(0, 7), ProblemDocument.of(PROBLEM))));
        progress = progress.after(finds, Duration.ofSeconds(30)).after(finds, Duration.ofSeconds(30));
        assertThat(progress.studies()).hasSize(2);
        assertThat(line.words(progress, Duration.ofSeconds(30))).startsWith("range of M: finds 0/1, 30 s");
        progress = progress.after(finished(7, 2.0), Duration.ofSeconds(40));
        assertThat(line.words(progress, Duration.ofSeconds(40))).startsWith("range of M: finds 1/1, 40 s");
        assertThat(progress.share()).isEqualTo(0.6);

        progress = progress.after(new JobEvent.RangeMoved(0, RangePhase.OVER, List.of()), Duration.ofSeconds(41));
        assertThat(line.words(progress, Duration.ofSeconds(41))).startsWith("range of M: over, 41 s");
        assertThat(progress.share()).isEqualTo(1);
    }

    /** A range that is over does not hide what else the job has. */
    @Test
    void aRangeStandsBesideShapes() {
        JobProgress.Study single = study(10, 5, 2.0);
        JobProgress progress = new JobProgress(
                List.of(single),
                List.of(
                        new JobProgress.Phase(RangePhase.OVER, Set.of(), Set.of()),
                        new JobProgress.Phase(RangePhase.CHECKS, Set.of(), Set.of())),
                false,
                Duration.ofSeconds(10),
                Duration.ofSeconds(55));

        assertThat(new ProgressLine(80).words(progress, Duration.ofSeconds(60)))
                .startsWith("0/1 shape done, range of M: over, range of M: checks, 60 s");
        assertThat(progress.share()).isLessThan(0.9);
    }

    /** Where the trials are known, a share of them is a share of the shape. */
    @Test
    void theTimeLeftCountsTrialsWhereTheirNumberIsKnown() {
        JobProgress progress = new JobProgress(
                List.of(study(10, 5, 2.0), study(10, 5, 2.0)),
                List.of(),
                false,
                Duration.ofSeconds(10),
                Duration.ofSeconds(55));

        assertThat(new ProgressLine(80).words(progress, Duration.ofSeconds(60)))
                .startsWith(
                        "0/2 shapes done, 60 s, about 50 s left; now 2048x1024x768 (and 1 more): sweep, 5/10 trials");
    }

    /** A study that stops by itself. */
    private static JobEvent started(int study) {
        return new JobEvent.StudyStarted(new UUID(0, study), MODEL, 1000, null, 160);
    }

    private static JobEvent trial(int study, int finished, double best) {
        return trial(study, finished, finished, best);
    }

    private static JobEvent.TrialFinished trial(int study, int finished, int completed, @Nullable Double best) {
        return new JobEvent.TrialFinished(
                new UUID(0, study),
                new UUID(1, finished),
                Config.parse("scheduler=static"),
                TrialOutcome.COMPLETED,
                best,
                finished,
                completed,
                null,
                best);
    }

    private static JobEvent finished(int study, @Nullable Double best) {
        return new JobEvent.StudyFinished(
                new UUID(0, study), StudyState.FINISHED, null, best, best == null ? null : Stage.FINAL);
    }

    @Test
    void aTableNeedsWholeRows() {
        TextTable table = new TextTable(List.of("a", "b"), "lr");

        assertThatThrownBy(() -> table.add(List.of("1"))).hasMessageContaining("1 cells in 2 columns");
        table.add(List.of("long", "1"));
        assertThat(table.lines()).containsExactly(" a     b", " long  1");
    }

    @Test
    void bestSaysPlainlyWhenThereIsNone() {
        assertThat(new BestTable(new BestConfigs("", null, List.of()), " for shape 1x2x8").lines())
                .containsExactly("no best config is known for shape 1x2x8: only finals on a real GPU make one, and"
                        + " predictions and proofs have none (tune --json FILE keeps what a simulated tune found)");
    }
}
