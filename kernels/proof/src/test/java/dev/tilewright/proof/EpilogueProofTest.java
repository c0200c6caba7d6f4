package dev.tilewright.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.reader.LaunchReader;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.proof.export.KernelExport;
import dev.tilewright.proof.file.CheckOptions;
import dev.tilewright.proof.file.FileVerdict;
import dev.tilewright.proof.file.KernelFile;
import dev.tilewright.space.device.DeviceLimits;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Kernels with epilogues are right to the last element, at the edges of D, where A and B are swapped, of several GEMMs.
 */
class EpilogueProofTest {

    private static final String HOPPER = "clcThrottle=none clusterM=1 clusterN=1 consumers=2 epilogueN=32 gridSize=0"
            + " loadStages=3 mode=cooperative multicast=none rasterGroup=4 rasterOrder=alongM registers=232"
            + " scheduler=static swizzle=128 tileK=64 tileLocation=raster tileM=128 tileN=64 waitDepth=1";

    private static final String BLACKWELL = "accumulatorStages=2 clcPrefetch=1 clcStages=1 clcThrottle=none clusterM=1"
            + " clusterN=1 ctaGroup=1 epilogueN=32 gridSize=0 inputType=bf16 loadStages=2 multicast=none"
            + " outputType=bf16 rasterGroup=1 rasterOrder=alongM scheduler=static tileK=32 tileLocation=raster"
            + " tileM=128 tileN=64";

    private final Prover prover = new Prover(GemmFamilies.standard());

    private void prove(String family, String defaults, String parameters, String types, String steps) {
        prove(family, problem(1, "264x200x208", types, steps), defaults, parameters);
    }

    private void prove(String family, Problem problem, String defaults, String parameters) {
        Config config = Config.parse(defaults).with(parameters).with("epilogue=" + problem.epilogue());

        Proof proof = prover.prove(family, problem, config, new ProofPlan(2, 2, 2));

        assertThat(proof).as(proof.summary() + proof.details()).isInstanceOf(Proof.Proved.class);
        assertThat(proof.subject().run()).isEqualTo(problem);
    }

    private static Problem problem(int batch, String shapes, String types, String steps) {
        return new Problem(
                Stream.of(shapes.split(" ")).map(ProblemShape::parse).toList(),
                batch,
                OperandTypes.parse(types),
                OperandMajors.DEFAULT,
                Scenario.QUIET,
                Epilogue.parse(steps));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tileN=64                                   | bf16,bf16,bf16 | bias,gelu",
                "swapAB=1                                   | bf16,bf16,bf16 | bias,gelu-erf",
                "swapAB=1 mode=pingpong tileM=128           | bf16,bf16,bf16 | bias-m,silu",
                "mode=pingpong tileM=64 tileN=72            | bf16,bf16,bf16 | bias-m,relu",
                "tileN=64 typeD=f32                         | bf16,bf16,f32  | alpha=0.5,beta=-2,bias",
                "typeA=f16 typeB=f16 typeD=f16 scheduler=atomic | f16,f16,f16 | beta=0.3,gelu,clamp=-1..1",
                "typeA=e4m3 typeB=e4m3 tileK=128            | e4m3,e4m3,bf16 | bias,relu",
                "splitK=2                                   | bf16,bf16,bf16 | bias,silu",
                "clusterK=2                                 | bf16,bf16,bf16 | bias,silu"
            })
    void kernelsOfHopper(String parameters, String types, String steps) {
        prove("sm90-gemm", HOPPER, parameters, types, steps);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tileN=64                             | bf16,bf16,bf16 | bias,gelu-erf",
                "outputType=f32                       | bf16,bf16,f32  | alpha=2,beta=1,bias-m",
                "ctaGroup=2 tileM=256 clusterM=2      | bf16,bf16,bf16 | bias-m,relu,clamp=0..3"
            })
    void kernelsOfBlackwell(String parameters, String types, String steps) {
        prove("sm100-gemm", BLACKWELL, parameters, types, steps);
    }

    private static final String TABLE = "tileLocation=table tileOrder=longestFirst";

    /** Each GEMM has its own vector and its own C; rows of groups that are no multiples of 8 shift what follows. */
    private static final String GROUPS = "131x136x136 136x72x200 5x200x264";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "scheduler=static                            | bf16,bf16,bf16 | bias,gelu",
                "scheduler=atomic mode=pingpong tileM=64     | bf16,bf16,bf16 | bias-m,relu",
                "scheduler=static typeD=f32                  | bf16,bf16,f32  | alpha=0.5,beta=-2,bias",
                "scheduler=static swapAB=1                   | bf16,bf16,bf16 | silu,beta=0.5,bias-m,clamp=-2..2",
            })
    void severalGemmsOfHopper(String parameters, String types, String steps) {
        prove("sm90-gemm", problem(3, "136x200x208", types, steps), HOPPER, TABLE + " " + parameters);
        prove("sm90-gemm", problem(2, GROUPS, types, steps), HOPPER, TABLE + " " + parameters);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "scheduler=static                            | bf16,bf16,bf16 | bias,gelu-erf",
                "scheduler=clc clcStages=2                   | bf16,bf16,bf16 | bias-m,relu",
                "outputType=f32 scheduler=atomic clcStages=2 | bf16,bf16,f32  | relu,alpha=2,beta=1,bias-m",
                "ctaGroup=2 tileM=256 clusterM=2             | bf16,bf16,bf16 | beta=-0.5,bias,clamp=0..3",
            })
    void severalGemmsOfBlackwell(String parameters, String types, String steps) {
        prove("sm100-gemm", problem(3, "136x200x208", types, steps), BLACKWELL, TABLE + " " + parameters);
        prove("sm100-gemm", problem(2, GROUPS, types, steps), BLACKWELL, TABLE + " " + parameters);
    }

    /** A description of a launch has a bias and a C for each group, with all matrices of the batch. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "scheduler=static | alpha=0.5,beta=-2,bias,gelu",
                "scheduler=atomic | bias-m,relu,beta=0.5,clamp=-1..4"
            })
    void whatIsExportedIsProvedByItsDescriptionAlone(String parameters, String steps) {
        Problem problem = problem(2, GROUPS, "bf16,bf16,bf16", steps);
        KernelExport export = export("sm90-gemm", problem, Config.parse(HOPPER).with(TABLE + " " + parameters));
        LaunchDescription launch = LaunchReader.described(export.description());
        assertThat(launch.expected()).isEqualTo(export.launch().expected());
        assertThat(launch.buffer("BIAS1").shape()).containsExactly(2L, steps.contains("bias-m") ? 136L : 72L);

        FileVerdict verdict = KernelFile.of(
                        "ours.ptx", export.ptx(), "ours.yaml", launch, Optional.empty(), new ProofPlan(2, 3, 2))
                .check(new CheckOptions(50_000_000, (_, _, _, _) -> {}))
                .verdict();

        assertThat(verdict).isInstanceOf(FileVerdict.Proved.class);
    }

    /** A kernel that ends otherwise than its problem asks for is refuted, on a square too. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sm90-gemm | swapAB=0            | bias               | bias-m",
                "sm90-gemm | swapAB=1            | bias-m             | bias",
                "sm90-gemm | swapAB=1            | bias,relu          | relu,bias",
                "sm90-gemm | typeD=f32           | bias,gelu          | bias,gelu-erf",
                "sm90-gemm | splitK=2            | bias,silu          | bias",
                "sm90-gemm | mode=pingpong tileM=64 | bias,clamp=-1..2 | bias,clamp=-1..2.5",
                "sm100-gemm | tileN=64           | bias               | bias-m",
                "sm100-gemm | tileN=64           | bias-m,gelu        | gelu,bias-m",
                "sm100-gemm | ctaGroup=2 tileM=256 clusterM=2 | beta=0.5,relu | relu,beta=0.5",
            })
    void aKernelWithOtherStepsIsRefuted(String family, String parameters, String asked, String built)
            throws IOException {
        Config defaults =
                Config.parse(family.equals("sm90-gemm") ? HOPPER : BLACKWELL).with(parameters);
        String types = "bf16,bf16," + (parameters.contains("f32") ? "f32" : "bf16");
        Problem problem = problem(1, "200x200x208", types, asked);
        KernelExport right = export(family, problem, defaults);
        KernelExport wrong = export(family, problem(1, "200x200x208", types, built), defaults);
        LaunchDescription launch = LaunchReader.described(right.description());

        FileVerdict verdict = KernelFile.of(
                        "ours.ptx", wrong.ptx(), "ours.yaml", launch, Optional.empty(), new ProofPlan(2, 3, 2))
                .check(new CheckOptions(50_000_000, (_, _, _, _) -> {}))
                .verdict();

        assertThat(verdict).isInstanceOf(FileVerdict.Wrong.class);
    }

    private static KernelExport export(String family, Problem problem, Config defaults) {
        return KernelExport.of(
                GemmFamilies.standard().named(family),
                problem,
                defaults.with("epilogue=" + problem.epilogue()),
                DeviceLimits.of(2));
    }
}
