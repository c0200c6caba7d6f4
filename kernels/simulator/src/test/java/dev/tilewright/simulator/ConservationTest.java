package dev.tilewright.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.TileTimes;
import dev.tilewright.testing.Between;
import dev.tilewright.testing.Draw;
import dev.tilewright.testing.Draws;
import dev.tilewright.testing.From;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every output tile is computed exactly once, and counted on the SM that computed it. */
class ConservationTest {

    private final Simulator simulator = Simulator.of(SimulatedGpus.H200);

    static Config configs(Draw draw) {
        return Configs.with(
                Configs.large(),
                "scheduler=" + draw.of("single", "static", "atomic")
                        + " rasterOrder=" + draw.of("alongM", "alongN", "groupedM", "groupedN")
                        + " rasterGroup=" + draw.of(1, 3, 8)
                        + " "
                        + draw.of(
                                "clusterM=1 clusterN=1",
                                "clusterM=2 clusterN=1",
                                "clusterM=1 clusterN=2",
                                "clusterM=2 clusterN=2")
                        + " " + draw.of("tileM=64 tileN=64", "tileM=128 tileN=176", "tileM=256 tileN=128")
                        + " mode=" + draw.of("cooperative", "pingpong", "cooperative ctasPerSm=2")
                        + " gridSize=" + draw.of(0, 8, 132) + " tileK=64 loadStages=4 consumers=2");
    }

    @Draws
    void everyTileOnce(
            @From("configs") Config config,
            @Between(min = 1, max = 3000) int m,
            @Between(min = 1, max = 3000) int n,
            @Between(min = 1, max = 700) int k,
            @Between(min = 0, max = 128) int busySms) {
        Problem problem = Configs.busy(new ProblemShape(m, n, k).toString(), busySms);
        check(
                problem,
                config,
                Math.ceilDiv(m, config.whole("tileM")) * Math.ceilDiv(n, config.whole("tileN")),
                busySms);
    }

    /** The corners that random shapes miss: one tile, fewer tiles than SMs, one tail at a time, thin problems. */
    @ParameterizedTest
    @CsvSource({
        "64, 64, 64",
        "1, 1, 1",
        "128, 256, 8",
        "1000, 512, 64",
        "512, 1000, 72",
        "64, 20000, 128",
        "20000, 64, 128",
        "2112, 1024, 256",
        "129, 257, 1032"
    })
    void everyTileOnceInTheCorners(int m, int n, int k) {
        for (String scheduler : new String[] {"single", "static", "atomic"}) {
            for (String cluster :
                    new String[] {"clusterM=1 clusterN=1", "clusterM=2 clusterN=1", "clusterM=1 clusterN=2"}) {
                Config config = Configs.with(Configs.large(), "scheduler=" + scheduler + " " + cluster);
                check(
                        Configs.bf16(new ProblemShape(m, n, k).toString()),
                        config,
                        Math.ceilDiv(m, 128) * Math.ceilDiv(n, 256),
                        0);
            }
        }
    }

    @Draws(60)
    void everyTileOfEveryGroupOnce(@From("configs") Config config, @Between(min = 1, max = 4) int batch) {
        Problem problem = Configs.grouped(batch, "300x500x4096", "64x64x64", "1000x200x128");
        int tiles = batch
                * problem.groups().stream()
                        .mapToInt(shape -> Math.ceilDiv(shape.m(), config.whole("tileM"))
                                * Math.ceilDiv(shape.n(), config.whole("tileN")))
                        .sum();
        SimulatedRun run = simulator.run(problem, config, 5);
        assertThat(run.spans().stream().filter(span -> !span.padding()).count()).isEqualTo(tiles);
        assertThat(run.evidence().tilesPerSm().stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .isEqualTo(tiles);
    }

    private void check(Problem problem, Config config, int tiles, int busySms) {
        SimulatedRun run = simulator.run(problem, config, 3);
        SchedulerEvidence evidence = run.evidence();
        assertThat(evidence.tilesPerSm()).hasSize(132);
        assertThat(evidence.tilesPerSm().stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(tiles);
        assertThat(evidence.tilesPerSm().subList(0, busySms)).allMatch(count -> count == 0);
        assertThat(evidence.idleTailFraction()).isBetween(0.0, 1.0);
        Set<String> places = new HashSet<>();
        for (TileSpan span : run.spans()) {
            assertThat(places.add(span.tileM() + "," + span.tileN()))
                    .as("tile %s twice", span)
                    .isTrue();
            assertThat(span.endNs()).isGreaterThan(span.startNs());
            assertThat((double) span.endNs()).isLessThan(run.timeNs());
        }
        assertThat(run.spans()).hasSizeGreaterThanOrEqualTo(tiles);
        assertThat(run.executed().gridX() % run.executed().clusterSize()).isZero();
        assertThat(evidence.firstStartNs()).contains(0L);
        timesOfTiles(run);
    }

    /** Those of all spans or of none, and nothing else than first start and last end say. */
    private static void timesOfTiles(SimulatedRun run) {
        SchedulerEvidence evidence = run.evidence();
        List<List<Long>> times = evidence.tileNs();
        if (run.spans().size() > TileTimes.MOST) {
            assertThat(times).isNull();
            return;
        }
        assertThat(times).hasSize(132);
        for (int sm = 0; sm < 132; sm++) {
            int id = sm;
            assertThat(times.get(sm))
                    .containsExactlyElementsOf(run.spans().stream()
                            .filter(span -> span.sm() == id)
                            .sorted(Comparator.comparingLong(TileSpan::startNs).thenComparingLong(TileSpan::endNs))
                            .flatMap(span -> Stream.of(span.startNs(), span.endNs()))
                            .toList());
            assertThat(times.get(sm).stream().mapToLong(Long::longValue).min().orElse(0))
                    .isEqualTo(evidence.firstStartNs().get(sm));
            assertThat(times.get(sm).stream().mapToLong(Long::longValue).max().orElse(0))
                    .isEqualTo(evidence.lastEndNs().get(sm));
        }
    }
}
