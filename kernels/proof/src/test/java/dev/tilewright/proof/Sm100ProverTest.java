package dev.tilewright.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.testing.Selection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Proofs of the Blackwell family: its schedulers, its pairs, its types. */
class Sm100ProverTest {

    private static final int SMS = 4;

    private final Prover prover = new Prover(GemmFamilies.standard());

    private Proof.Proved proved(Problem problem, Config config, ProofPlan plan) {
        Proof proof = prover.prove(Kernels.FAMILY_100, problem, config, plan);
        assertThat(proof).as(proof.summary()).isInstanceOf(Proof.Proved.class);
        return (Proof.Proved) proof;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "scheduler=single | 264x200x296 | waves of clusters",
                "scheduler=static | 520x200x104 | tiles of a CTA",
                "scheduler=atomic clcStages=2 clcPrefetch=2 | 648x200x104 | tiles of a CTA",
                "scheduler=clc | 520x200x104 | tiles of a CTA",
                "scheduler=clc clcStages=2 clcPrefetch=2 clcThrottle=load | 648x200x104 | tiles of a CTA",
                "scheduler=clc ctaGroup=2 tileM=256 clusterM=2 accumulatorStages=2 | 1032x136x104 | tiles of a CTA",
            })
    void provesEverySchedulerAndSaysHowDeep(String parameters, String shape, String counted) {
        Proof.Proved proof = proved(Kernels.problem(shape), Kernels.config100(parameters), Kernels.PLAN);

        assertThat(proof.depth().counts())
                .containsKey(counted)
                .allSatisfy((what, count) -> assertThat(count).as(what).isGreaterThanOrEqualTo(Depth.NEEDED));
        assertThat(proof.subject().isMapped()).isFalse();
    }

    /**
     * With prompt launches four clusters take over all the others: each further one was left behind by a failure. 40
     * tiles, so that a failure early or late leaves some behind.
     */
    @Test
    void ofTheDefaultSeedsInARowSomeLaunchClustersThatNobodyTookOver() {
        Config clc = Kernels.config100("scheduler=clc");
        // Any of the four kinds of launching may be the first.
        long first = 4 + Math.floorMod(Selection.seed(), 4);
        long ctas = proved(Kernels.problem("1160x200x104"), clc, new ProofPlan(SMS, first, ProofPlan.DEFAULT_SEEDS))
                .effort()
                .ctas();

        assertThat(ctas)
                .as("CTAs of the seeds from " + first + " and the traced twin")
                .isGreaterThan((ProofPlan.DEFAULT_SEEDS + 1) * SMS);
        assertThat(proved(Kernels.problem("1160x200x104"), clc, new ProofPlan(SMS, 4, 2))
                        .effort()
                        .ctas())
                .as("seeds with prompt launches")
                .isEqualTo(3 * SMS);
    }

    /** What a preempted run has shown can be run again by its seed alone, and goes as deep. */
    @Test
    void oneSeedWithFailuresIsAProofToo() {
        assertThat(proved(Kernels.problem("520x200x104"), Kernels.config100("scheduler=clc"), new ProofPlan(SMS, 6, 1))
                        .depth()
                        .lacking())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"f16, f16", "e4m3, bf16", "bf16, f32"})
    void provesTheTypesOfTheFamily(String input, String output) {
        DataType inputs = DataType.parse(input);
        OperandTypes types = new OperandTypes(inputs, inputs, DataType.parse(output));
        Problem problem =
                new Problem(List.of(new ProblemShape(392, 136, 208)), 1, types, OperandMajors.DEFAULT, Scenario.QUIET);
        String parameters = "scheduler=static clusterM=1 inputType=" + input + " outputType=" + output;

        proved(problem, Kernels.config100(parameters), new ProofPlan(1, 3, 2));
    }
}
