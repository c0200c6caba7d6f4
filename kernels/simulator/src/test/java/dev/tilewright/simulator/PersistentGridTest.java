package dev.tilewright.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.device.DeviceLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PersistentGridTest {

    private static Config b200(int clusterM, int clusterN, String change) {
        return Configs.with(BlackwellCases.PAIR, "clusterM=" + clusterM + " clusterN=" + clusterN + " " + change);
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 132", "2, 0, 132", "4, 0, 120", "8, 0, 120", "4, 20, 112", "1, 20, 112", "2, 5, 126"})
    void theClustersOfAnH200ThatAreResidentOnItsFreeSms(int clusterM, int busySms, int ctas) {
        Config config = Configs.with(Configs.large(), "clusterM=" + clusterM);
        SimulatedRun run = Simulator.of(SimulatedGpus.H200).run(Configs.busy("8192x8192x512", busySms), config, 1);
        assertThat(run.executed().gridX()).isEqualTo(ctas);
        assertThat(begunAtOnce(run)).isEqualTo(ctas);
    }

    @ParameterizedTest
    @CsvSource({"2, 2, 0, 136", "2, 1, 0, 148", "2, 2, 20, 128", "2, 1, 20, 128"})
    void theClustersOfAB200ThatAreResidentOnItsFreeSms(int clusterM, int clusterN, int busySms, int ctas) {
        for (String scheduler : new String[] {"static", "atomic"}) {
            SimulatedRun run = Simulator.of(SimulatedGpus.B200)
                    .run(Configs.busy("8192x8192x512", busySms), b200(clusterM, clusterN, "scheduler=" + scheduler), 1);
            assertThat(run.executed().gridX()).as(scheduler).isEqualTo(ctas);
            assertThat(begunAtOnce(run)).as(scheduler).isEqualTo(ctas);
        }
    }

    private static long begunAtOnce(SimulatedRun run) {
        return run.spans().stream()
                .filter(span -> span.startNs() < 100)
                .map(TileSpan::sm)
                .distinct()
                .count();
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0", "4, 0", "8, 0", "1, 20", "2, 20", "4, 20"})
    void aLaunchHasTheSameGridAsTheModel(int clusterM, int busySms) {
        Config config = Configs.with(Configs.large(), "clusterM=" + clusterM);
        Problem problem = Configs.busy("8192x8192x512", busySms);
        int clusters = DeviceLimits.of(132).persistentClusters(config, problem.scenario());
        assertThat(Simulator.of(SimulatedGpus.H200)
                        .run(problem, config, 1)
                        .executed()
                        .gridX())
                .isEqualTo(clusters * clusterM);
    }

    @Test
    void aGridForAllSmsHasLateClustersWhereSmsAreHeld() {
        Problem busy = Configs.busy("8192x8192x1024", 20);
        Config fitting = Configs.with(Configs.large(), "clusterM=1");
        Simulator simulator = Simulator.of(SimulatedGpus.H200);
        SimulatedRun whole = simulator.run(busy, Configs.with(fitting, "gridSize=132"), 1);
        assertThat(whole.executed().gridX()).isEqualTo(132);
        assertThat(whole.timeNs())
                .isGreaterThan(1.3 * simulator.run(busy, fitting, 1).timeNs());
    }
}
