package dev.tilewright.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.gemm.oracle.ChecksumKernel;
import dev.tilewright.gemm.oracle.ClockProbeKernel;
import dev.tilewright.gemm.oracle.CompareKernel;
import dev.tilewright.gemm.oracle.DealKernel;
import dev.tilewright.gemm.oracle.EpilogueKernel;
import dev.tilewright.gemm.oracle.FillKernel;
import dev.tilewright.gemm.oracle.HolderKernel;
import dev.tilewright.gemm.oracle.ReferenceGemmKernel;
import dev.tilewright.gemm.oracle.SpinKernel;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.parse.PtxParser;
import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.testing.Draws;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The parser reads every kernel that we build back to an equal module: roles, regions and all. */
class RoundTripTest {
    private static final GemmFamily FAMILY = GemmFamilies.standard().named("sm90-gemm");
    private static final SpaceTree SPACE = SpaceTree.of(
            FAMILY.space().space(Problem.of(new ProblemShape(8192, 5120, 2048), DataType.BF16), DeviceLimits.of(132)));

    static Stream<PtxModule> oracles() {
        return Stream.of(
                FillKernel.build(),
                ReferenceGemmKernel.build(OperandTypes.of(DataType.BF16), OperandMajors.DEFAULT),
                CompareKernel.build(DataType.BF16),
                ChecksumKernel.build(),
                EpilogueKernel.build(new EpilogueKernel.Form(
                        Epilogue.parse("gelu-erf,beta=2,bias"),
                        Major.M,
                        Optional.of(DataType.F16),
                        Optional.of(DataType.BF16))),
                SpinKernel.build(),
                HolderKernel.build(),
                ClockProbeKernel.build(),
                DealKernel.build());
    }

    @ParameterizedTest
    @MethodSource("oracles")
    void oracleComesBack(PtxModule module) {
        String text = PtxWriter.write(module);
        assertThat(PtxParser.parse(text)).isEqualTo(module);
    }

    @Draws(60)
    void gemmComesBack(long seed, boolean traced) {
        SplittableRandom random = new SplittableRandom(seed);
        Config config = SPACE.draw(random);
        GemmKernel kernel = FAMILY.build(config, traced);
        PtxModule parsed = PtxParser.parse(kernel.text());
        assertThat(parsed).as(config.toString()).isEqualTo(kernel.module());
        assertThat(PtxWriter.write(parsed)).isEqualTo(kernel.text());
        assertThat(parsed.entries().getFirst().roles()).isNotEmpty();
        assertThat(parsed.entries().getFirst().dynamicShared().bytes()).isPositive();
    }
}
