package dev.tilewright.worker.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BoardPartsTest {

    private static Config config(String... settings) {
        return Config.parse(String.join(" ", settings));
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

        assertThat(CompactConfig.of(List.of(full)).format(full)).isEqualTo("static 128x256x64 c2x1 s4 groupedM8 coop2");
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

        assertThat(CompactConfig.of(List.of(plain)).format(plain))
                .isEqualTo("static 128x256x64 c2x1 s4 groupedM8 coop2");
        assertThat(CompactConfig.of(List.of(other)).format(other))
                .isEqualTo("static 128x256x64 c2x1 s4 groupedM8 coop2 gpc keepA l2-256 tick k/5 swapAB");
    }

    @Test
    void addsOnlyWhatDiffersInTheTable() {
        Config full = config(FULL);
        Config other = full.with("swizzle", ParameterValue.of(64))
                .with("registers", ParameterValue.of(232))
                .with("clusterM", ParameterValue.of(1))
                .with("rasterOrder", ParameterValue.of("alongN"))
                .with("newIdea", ParameterValue.of(3));
        CompactConfig form = CompactConfig.of(List.of(full, other));

        assertThat(form.format(full)).isEqualTo("static 128x256x64 c2x1 s4 groupedM8 coop2 sw128");
        assertThat(form.format(other)).isEqualTo("static 128x256x64 s4 alongN coop2 newIdea=3 r232 sw64");
    }

    @Test
    void writesAConfigOfAnotherFamily() {
        Config peer = config("algorithm=66", "tile=15");

        assertThat(CompactConfig.of(List.of(peer, config("algorithm=67", "tile=15")))
                        .format(peer))
                .isEqualTo("algorithm=66");
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
        CompactConfig form = CompactConfig.of(List.of(plain, pair));

        assertThat(form.format(plain)).isEqualTo("clc 128x256x64 s4");
        assertThat(form.format(pair)).isEqualTo("clc 128x256x64 s4 a2 p2 q3 after-load pair");
    }

    private static ResultDocument.Trial asking(String scheduler, List<Integer> steals, Integer failed) {
        SchedulerEvidence evidence =
                SchedulerEvidence.untimed(List.of(3, 1)).asked(steals, failed == null ? 0 : failed);
        return new ResultDocument.Trial(
                new UUID(0, 3),
                config("scheduler=" + scheduler),
                TrialOutcome.COMPLETED,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                null,
                evidence.tilesPerSm(),
                null,
                failed == null ? SchedulerEvidence.untimed(List.of(3, 1)) : evidence,
                null,
                null);
    }

    @Test
    void saysWhatTheBestOfEachSchedulerGotByAsking() {
        assertThat(Asking.line(List.of(
                        asking("static", List.of(), null),
                        asking("clc", List.of(5, 0, 2), 148),
                        asking("clc", List.of(9), 9),
                        asking("atomic", List.of(2, 2), 1))))
                .contains(
                        "asked for tiles: clc steals 0..5 per cluster, 148 failed queries; atomic steals 2 per cluster,"
                                + " 1 failed query");
        assertThat(Asking.line(List.of(asking("static", List.of(), null)))).isEmpty();
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

    @Property
    void aHistogramStaysShortAndLosesNoSm(
            @ForAll @Size(min = 1, max = 160) List<@IntRange(max = 5000) Integer> tilesPerSm) {
        TileHistogram histogram = TileHistogram.of(tilesPerSm);

        assertThat(histogram.smsByTiles().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .isEqualTo(tilesPerSm.size());
        assertThat(histogram.toString()).hasSizeLessThanOrEqualTo(50).doesNotContain("\n");
        assertThat(histogram.toString()).containsPattern("[▁▂▃▄▅▆▇█]");
    }

    private static JobResource job(String state, boolean taken, long finished, Double best) {
        Testbed testbed = taken ? new Testbed(TestbedKind.SIMULATED, "h200", "1", "x", 132, "model") : null;
        return new JobResource(
                new UUID(0, 1),
                state,
                "auto",
                List.of(new JobResource.Study(
                        new UUID(0, 2),
                        state,
                        testbed,
                        new JobResource.Trials(64, finished, finished / 2),
                        best,
                        null)));
    }

    @ParameterizedTest
    @CsvSource({"20", "40", "80", "200"})
    void aBarNeverWraps(int width) {
        for (long finished : new long[] {0, 1, 63, 64}) {
            String bar = new ProgressLine(width).bar(job("running", true, finished, 612.345), Duration.ofSeconds(75));

            assertThat(bar).hasSize(width - 1);
        }
    }

    @Test
    void aBarShowsWhatIsDone() {
        String half = new ProgressLine(80).bar(job("running", true, 32, 612.345), Duration.ofSeconds(75));

        assertThat(half).endsWith(" 32/64 trials, best 612.3 TFLOP/s, 16 failed, 75 s");
        assertThat(half.chars().filter(c -> c == '#').count())
                .isCloseTo(half.chars().filter(c -> c == '.').count() - 1, org.assertj.core.data.Offset.offset(2L));
    }

    @Test
    void countsTheTrialsOfAllStudies() {
        JobResource one = job("running", true, 32, 612.345);
        JobResource other = job("running", true, 10, 700.0);
        JobResource both = new JobResource(
                one.id(),
                "running",
                "auto",
                List.of(one.studies().getFirst(), other.studies().getFirst()));

        assertThat(new ProgressLine(80).words(both, Duration.ofSeconds(3)))
                .isEqualTo("42/128 trials, best 700.0 TFLOP/s, 21 failed, 3 s");
    }

    @Test
    void saysWhenThereIsNothingYet() {
        assertThat(new ProgressLine(80).words(job("queued", false, 0, null), Duration.ofSeconds(3)))
                .isEqualTo("waiting for a worker, 3 s");
        assertThat(new ProgressLine(80).words(job("running", true, 0, null), Duration.ofSeconds(3)))
                .isEqualTo("0/64 trials, none completed yet, 3 s");
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
        assertThat(new BestTable(new BestDocument("real GPUs alone", List.of())).lines(" for shape 1x2x8"))
                .containsExactly("no best config is known for shape 1x2x8 (real GPUs alone)");
    }
}
