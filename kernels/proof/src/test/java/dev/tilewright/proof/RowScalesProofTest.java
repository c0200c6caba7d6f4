package dev.tilewright.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.reader.LaunchReader;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels multiply with the scales of their rows of A and B, ahead of all other steps. */
class RowScalesProofTest {

    private static final String HOPPER = "clcThrottle=none clusterM=1 clusterN=1 consumers=2 epilogueN=32 gridSize=0"
            + " loadStages=3 mode=cooperative multicast=none rasterGroup=4 rasterOrder=alongM registers=232 scales=row"
            + " scheduler=static swizzle=128 tileK=128 tileLocation=raster tileM=128 tileN=64 waitDepth=1";

    private static final String BLACKWELL = "accumulatorStages=2 clcPrefetch=1 clcStages=1 clcThrottle=none clusterM=1"
            + " clusterN=1 ctaGroup=1 epilogueN=32 gridSize=0 inputType=e4m3 loadStages=2 multicast=none"
            + " outputType=bf16 rasterGroup=1 rasterOrder=alongM scales=row scheduler=static tileK=64"
            + " tileLocation=raster tileM=128 tileN=64";

    private static final String TABLE = "tileLocation=table tileOrder=longestFirst";

    /** Each GEMM has its own vectors; rows of groups that are no multiples of 8 shift what follows. */
    private static final String GROUPS = "131x136x272 136x72x400 5x200x528";

    private final Prover prover = new Prover(GemmFamilies.standard());

    private static Problem problem(int batch, String shapes, String types, String steps) {
        return new Problem(
                Stream.of(shapes.split(" ")).map(ProblemShape::parse).toList(),
                batch,
                OperandTypes.parse(types),
                OperandMajors.DEFAULT,
                Scenario.QUIET,
                Epilogue.parse(steps),
                Scales.ROW);
    }

    private static Config config(String family, Problem problem, String parameters) {
        Config config = family.equals("sm90-gemm")
                ? Config.parse(HOPPER)
                        .with("typeA=" + problem.types().a() + " typeB="
                                + problem.types().b())
                : Config.parse(BLACKWELL);
        Config whole = config.with(parameters);
        return problem.epilogue().isNone() ? whole : whole.with("epilogue=" + problem.epilogue());
    }

    private void prove(String family, Problem problem, String parameters) {
        Proof proof = prover.prove(family, problem, config(family, problem, parameters), new ProofPlan(2, 2, 2));

        assertThat(proof).as(proof.summary() + proof.details()).isInstanceOf(Proof.Proved.class);
        assertThat(proof.subject().run()).isEqualTo(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tileN=64                          | e4m3,e4m3,bf16 |",
                "swapAB=1                          | e4m3,e5m2,bf16 | bias,gelu",
                "mode=pingpong tileM=64 tileN=72   | e5m2,e4m3,bf16 | bias-m,relu",
                "typeD=f32                         | e4m3,e4m3,f32  | beta=-2,bias",
                "typeD=f16 scheduler=atomic        | e4m3,e4m3,f16  |",
                "splitK=2                          | e4m3,e4m3,bf16 | bias,silu",
                "clusterK=2                        | e4m3,e4m3,bf16 | bias,silu"
            })
    void kernelsOfHopper(String parameters, String types, String steps) {
        prove("sm90-gemm", problem(1, "264x200x416", types, steps == null ? "" : steps), parameters);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tileN=64                        | e4m3,e4m3,bf16 |",
                "outputType=f32                  | e4m3,e4m3,f32  | alpha=2,beta=1,bias-m",
                "ctaGroup=2 tileM=256 clusterM=2 | e4m3,e4m3,bf16 | bias,relu"
            })
    void kernelsOfBlackwell(String parameters, String types, String steps) {
        prove("sm100-gemm", problem(1, "264x200x416", types, steps == null ? "" : steps), parameters);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sm90-gemm  | 3 | 136x200x416 | scheduler=static          |",
                "sm90-gemm  | 2 | groups      | scheduler=atomic swapAB=1 | bias,gelu",
                "sm100-gemm | 2 | groups      | scheduler=static          | beta=0.5,bias-m",
            })
    void severalGemms(String family, int batch, String shapes, String parameters, String steps) {
        Problem problem =
                problem(batch, shapes.equals("groups") ? GROUPS : shapes, "e4m3,e4m3,bf16", steps == null ? "" : steps);
        prove(family, problem, TABLE + " " + parameters);
    }

    private static FileVerdict verdict(KernelExport kernel, LaunchDescription launch) throws IOException {
        return KernelFile.of("ours.ptx", kernel.ptx(), "ours.yaml", launch, Optional.empty(), new ProofPlan(2, 3, 2))
                .check(new CheckOptions(50_000_000, (_, _, _, _) -> {}))
                .verdict();
    }

    private static KernelExport export(String family, Problem problem, String parameters) {
        return KernelExport.of(
                GemmFamilies.standard().named(family),
                problem,
                config(family, problem, parameters),
                DeviceLimits.of(2));
    }

    /** A description has vectors of scales for each group, of all matrices of the batch. */
    @Test
    void whatIsExportedIsProvedByItsDescriptionAlone() throws IOException {
        Problem problem = problem(2, GROUPS, "e4m3,e4m3,bf16", "bias,gelu");
        KernelExport export = export("sm90-gemm", problem, TABLE + " scheduler=static");
        LaunchDescription launch = LaunchReader.described(export.description());
        assertThat(launch.expected()).isEqualTo(export.launch().expected());
        assertThat(launch.buffer("SCALE_A1").shape()).containsExactly(2L, 136L);
        assertThat(launch.buffer("SCALE_B1").shape()).containsExactly(2L, 72L);
        assertThat(export.description()).contains("scales: {kind: row, a: SCALE_A0, b: SCALE_B0}");

        assertThat(verdict(export, launch)).isInstanceOf(FileVerdict.Proved.class);
    }

    /** On a square the vectors of rows and of columns are as long: a kernel that takes one for the other is refuted. */
    @Test
    void exchangedVectorsAreRefuted() throws IOException {
        Problem problem = problem(1, "200x200x416", "e4m3,e4m3,bf16", "");
        for (String family : new String[] {"sm90-gemm", "sm100-gemm"}) {
            KernelExport export = export(family, problem, "tileN=64");
            String exchanged = export.description().replace("a: SCALE_A, b: SCALE_B", "a: SCALE_B, b: SCALE_A");
            assertThat(exchanged).isNotEqualTo(export.description());

            assertThat(verdict(export, LaunchReader.described(export.description())))
                    .isInstanceOfAny(FileVerdict.Proved.class, FileVerdict.Shallow.class);
            assertThat(verdict(export, LaunchReader.described(exchanged))).isInstanceOf(FileVerdict.Wrong.class);
        }
    }

    @Test
    void aKernelOfOtherScalesTakesNoLaunch() {
        Problem rows = problem(1, "200x200x416", "e4m3,e4m3,bf16", "");
        Config ofRows = config("sm90-gemm", rows, "tileN=64");
        assertThatThrownBy(() -> KernelExport.of(
                        GemmFamilies.standard().named("sm90-gemm"),
                        rows.with(Scales.TENSOR),
                        ofRows,
                        DeviceLimits.of(2)))
                .hasMessageStartingWith("the kernel has scales = row, the problem has tensor");
    }
}
