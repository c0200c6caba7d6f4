package dev.tilewright.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.gemm.oracle.Bf16;
import dev.tilewright.gemm.oracle.ReferenceGemm;
import dev.tilewright.gemm.oracle.SumError;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.testing.Selection;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Proofs of kernels that compute several GEMMs. */
class GroupedProofTest {

    private static final String FAMILY = "sm100-gemm";
    private static final String DEFAULTS = "accumulatorStages=2 clcPrefetch=1 clcStages=1 clcThrottle=none clusterM=1"
            + " clusterN=1 ctaGroup=1 epilogueN=32 gridSize=0 inputType=bf16 loadStages=2 multicast=none"
            + " outputType=bf16 rasterGroup=1 rasterOrder=alongM tileK=32 tileLocation=table tileM=128 tileN=64"
            + " tileOrder=longestFirst";

    private static final String HOPPER = "clcThrottle=none clusterM=1 clusterN=1 consumers=2 epilogueN=32 gridSize=0"
            + " loadStages=3 mode=cooperative multicast=none rasterGroup=4 rasterOrder=alongM registers=232 swizzle=128"
            + " tileK=64 tileLocation=table tileM=64 tileN=64 tileOrder=longestFirst waitDepth=1";

    private final Prover prover = new Prover(GemmFamilies.standard());

    private static Problem problem(String... shapes) {
        return problem(1, shapes);
    }

    private static Problem problem(int batch, String... shapes) {
        return new Problem(
                Arrays.stream(shapes).map(ProblemShape::parse).toList(),
                batch,
                OperandTypes.of(DataType.BF16),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
    }

    private static Config config(String parameters) {
        return Config.parse(DEFAULTS).with(parameters);
    }

    @ParameterizedTest
    @CsvSource({
        "scheduler=static",
        "scheduler=atomic clcStages=2",
        "scheduler=clc clcStages=2",
        "scheduler=clc ctaGroup=2 tileM=256 clusterM=2",
    })
    void provesEachScheduler(String parameters) {
        // Emulated problems go deep enough with three tiles for each CTA, in the shortest of them too.
        Problem problem = problem("520x136x72", "264x200x392", "520x136x72", "264x328x136");

        Proof proof = prover.prove(FAMILY, problem, config(parameters), new ProofPlan(4, 3, 2));

        assertThat(proof).as(proof.summary()).isInstanceOf(Proof.Proved.class);
        assertThat(proof.subject().isMapped()).isFalse();
        assertThat(proof.details())
                .last()
                .isEqualTo("ran: 520x136x72 + 264x200x392 + 520x136x72 + 264x328x136 on 4 SMs");
    }

    @ParameterizedTest
    @CsvSource({
        "scheduler=static mode=pingpong",
        "scheduler=static consumers=1 registers=0 clusterM=2 multicast=both",
        "scheduler=atomic mode=pingpong",
        "scheduler=atomic mode=pingpong clcThrottle=loaded",
    })
    void provesEachSchedulerOfHopper(String parameters) {
        Problem problem = problem(2, "264x136x72", "136x200x392", "264x72x136");
        Config config = Config.parse(HOPPER).with(parameters);

        Proof proof = prover.prove("sm90-gemm", problem, config, new ProofPlan(4, 3, 2));

        assertThat(proof).as(proof.summary() + proof.details()).isInstanceOf(Proof.Proved.class);
        assertThat(proof.details()).last().isEqualTo("ran: 2 x (264x136x72 + 136x200x392 + 264x72x136) on 4 SMs");
    }

    @Test
    void mapsAnImbalancedProblemOfHopper() {
        Problem problem = problem("1032x1096x1032", "1032x1096x16392", "1032x1096x1032", "1032x1096x16392");
        Config config = Config.parse(HOPPER).with("scheduler=atomic mode=pingpong clcThrottle=loaded");

        Proof proof = prover.prove("sm90-gemm", problem, config, new ProofPlan(4, 1, 1));

        assertThat(proof).as(proof.summary() + proof.details()).isInstanceOf(Proof.Proved.class);
        List<ProblemShape> run = proof.subject().run().groups();
        assertThat(run).hasSize(4);
        assertThat(run.get(1).k()).isGreaterThan(run.get(0).k());
        assertThat(run).allSatisfy(shape -> {
            assertThat(shape.m() % 64).isEqualTo(8);
            assertThat(shape.n() % 64).isEqualTo(8);
            assertThat(shape.k() % 64).isEqualTo(8);
        });
    }

    @Test
    void runsSmallerGroupsWithTheirTailsInPlaceOfLargeOnes() {
        Problem problem = problem("4104x4168x1032", "4104x4168x8200", "1000x72x24");

        Proof proof = prover.prove(FAMILY, problem, config("scheduler=clc"), new ProofPlan(4, 1, 1));

        assertThat(proof).as(proof.summary()).isInstanceOf(Proof.Proved.class);
        List<ProblemShape> run = proof.subject().run().groups();
        assertThat(run).hasSize(3);
        for (int group = 0; group < 3; group++) {
            ProblemShape asked = problem.groups().get(group);
            assertThat(run.get(group).m() % 128).isEqualTo(asked.m() % 128);
            assertThat(run.get(group).n() % 64).isEqualTo(asked.n() % 64);
            assertThat(run.get(group).k() % 32).isEqualTo(asked.k() % 32);
            assertThat(run.get(group).m()).isLessThanOrEqualTo(asked.m());
        }
        assertThat(run.get(1).k())
                .as("what was deeper is")
                .isGreaterThan(run.get(0).k());
        assertThat(proof.details().getLast())
                .contains(" in place of 4104x4168x1032 + 4104x4168x8200 + 1000x72x24, which has the same tails,");
    }

    @Test
    void aSampleOfTheSpaceCanBeProved() {
        Problem problem = problem(2, "200x136x72", "456x72x264");
        FamilySpace family = GemmFamilies.standard().named(FAMILY).space();
        SearchSpace space = family.space(problem, DeviceLimits.of(4));

        for (Config config : ConfigSample.of(SpaceTree.of(space), 2, Selection.seed())) {
            Proof proof = prover.prove(FAMILY, problem, config, new ProofPlan(4, 1, 1));
            assertThat(proof.verdict())
                    .as(config.canonical() + ": " + proof.summary())
                    .isIn("proved", "shallow");
            assertThat(proof.details()).last().isEqualTo("ran: 2 x (200x136x72 + 456x72x264) on 4 SMs");
        }
    }

    @Test
    void aKernelOfOneGemmIsRefused() {
        TreeMap<String, ParameterValue> values =
                new TreeMap<>(config("scheduler=static").values());
        values.remove("tileLocation");

        assertThatThrownBy(() -> prover.prove(
                        FAMILY, problem("200x136x72", "200x136x392"), Config.of(values), new ProofPlan(4, 1, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("several GEMMs need tileLocation = table");
    }

    @Test
    void namesTheGemmOfAWrongElement() {
        Problem problem = problem("16x8x8", "8x24x16");
        GemmData data = new GemmData(problem, GemmData.Kind.INTEGERS, 7, SumError.Rounded.PLAIN);
        short[] d = product(problem, values(data.a()), values(data.b()));
        assertThat(data.flaw(bytes(d), 1, Witness.NONE)).isEmpty();

        d[16 * 8 + 2 * 24 + 5] = Bf16.POISON;
        List<String> evidence =
                data.flaw(bytes(d), 1, Witness.NONE).orElseThrow().evidence();
        assertThat(evidence)
                .containsExactly(
                        "mismatch: 1 of 320 elements of D are wrong, the first is D[2,5] of GEMM 1",
                        "element: D[2,5] of GEMM 1 was never written");
    }

    private static short[] product(Problem problem, short[] a, short[] b) {
        OperandLayout layout = OperandLayout.of(problem);
        short[] d = new short[(int) layout.elementsD()];
        for (OperandLayout.Gemm gemm : layout.gemms()) {
            ProblemShape shape = gemm.shape();
            short[] ownA = Arrays.copyOfRange(a, (int) gemm.a(), a.length);
            short[] ownB = Arrays.copyOfRange(b, (int) gemm.b(), b.length);
            for (int at = 0; at < shape.m() * shape.n(); at++) {
                double value = ReferenceGemm.element(ownA, ownB, shape.k(), at / shape.n(), at % shape.n())
                        .value();
                d[(int) gemm.d() + at] = Bf16.ofFloat((float) value);
            }
        }
        return d;
    }

    private static short[] values(byte[] bytes) {
        short[] values = new short[bytes.length / Short.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asShortBuffer().get(values);
        return values;
    }

    private static byte[] bytes(short[] values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asShortBuffer().put(values);
        return bytes.array();
    }
}
