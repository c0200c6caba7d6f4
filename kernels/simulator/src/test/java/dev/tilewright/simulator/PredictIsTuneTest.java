package dev.tilewright.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A prediction is the time of a trial of the same config on the same model, to the last digit. */
class PredictIsTuneTest {

    private static final int DRAWN = 6;
    private static final List<String> SHAPES = List.of("4096x4096x2048", "1024x3000x512", "128x8192x4096");

    private static Problem problem(String shape) {
        return Problem.of(ProblemShape.parse(shape), DataType.BF16);
    }

    private static Predictions.Pick predicted(FamilySpace family, Problem problem, GpuConstants gpu, Config config) {
        Map<String, List<ParameterValue>> wanted = new TreeMap<>();
        config.values().forEach((name, value) -> wanted.put(name, List.of(value)));
        return Predictions.of(family, problem, gpu, wanted, 1).configs().getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h200", "h100", "b200", "gb200"})
    void ofDrawnConfigsOnEachModel(String name) {
        GpuConstants gpu = SimulatedGpus.named(name);
        FamilySpace family = Predictions.family(Families.standard(), gpu);
        for (String shape : SHAPES) {
            Problem problem = problem(shape);
            SpaceTree space = SpaceTree.of(
                    family.space(problem, DeviceLimits.of(gpu.topology().smCount()))
                            .usual(Map.of()));
            SplittableRandom random = new SplittableRandom(41);
            for (int draw = 0; draw < DRAWN; draw++) {
                Config config = space.draw(random);
                Predictions.Pick pick = predicted(family, problem, gpu, config);
                SimulatedRun trial = Simulator.of(gpu).run(problem, config, Simulator.USUAL_SEED);
                assertThat(pick.config()).isEqualTo(config);
                assertThat(pick.us()).as("%s %s", shape, config.canonical()).isEqualTo(trial.timeNs() / 1e3);
                assertThat(pick.clockMhz()).isEqualTo(trial.clockMhz());
                assertThat(pick.basis()).isEqualTo("tiles");
            }
        }
    }

    @Test
    void picksAreRankedByTheTimesThatTheyShow() {
        FamilySpace family = Predictions.family(Families.standard(), SimulatedGpus.B200);
        assertThat(Predictions.of(family, problem("1024x3000x512"), SimulatedGpus.B200, Map.of(), 12)
                        .configs())
                .extracting(Predictions.Pick::us)
                .isSorted();
    }

    /** The quick model's first config of the second shape takes 1.6 times as long as its second one. */
    @ParameterizedTest
    @ValueSource(strings = {"1024x3000x512", "16x4096x14336", "64x7168x2048"})
    void fewPicksAreTheFirstOfMore(String shape) {
        FamilySpace family = Predictions.family(Families.standard(), SimulatedGpus.H200);
        List<Predictions.Pick> more = Predictions.of(family, problem(shape), SimulatedGpus.H200, Map.of(), 12)
                .configs();
        assertThat(Predictions.of(family, problem(shape), SimulatedGpus.H200, Map.of(), 1)
                        .configs())
                .isEqualTo(more.subList(0, 1));
    }

    @Test
    void ofMoreTilesThanAreWalkedItSaysSo() {
        FamilySpace family = Predictions.family(Families.standard(), SimulatedGpus.H200);
        assertThat(Predictions.of(family, problem("131072x131072x512"), SimulatedGpus.H200, Map.of(), 2)
                        .configs())
                .extracting(Predictions.Pick::basis)
                .containsOnly("waves");
    }
}
