package dev.tilewright.gemm.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tilewright.gemm.oracle.FillKernel.Distribution;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.ptx.validate.Validator;
import dev.tilewright.testing.Selection;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The exact text of every oracle kernel; it passes the validator, assembles at ISA 8.0 and spills nothing. */
class OracleKernelTest {
    private static final EpilogueKernel.Form EPILOGUE = new EpilogueKernel.Form(
            Epilogue.parse("alpha=0.5,beta=2,bias-m,gelu-erf,clamp=-1..3"),
            Major.N,
            Optional.of(DataType.BF16),
            Optional.of(DataType.F32));

    static Stream<Arguments> kernels() {
        return Stream.of(
                Arguments.of("FillKernel", FillKernel.build()),
                Arguments.of(
                        "ReferenceGemmKernel",
                        ReferenceGemmKernel.build(OperandTypes.of(DataType.BF16), OperandMajors.DEFAULT)),
                Arguments.of("CompareKernel", CompareKernel.build(DataType.BF16)),
                Arguments.of(
                        "FillKernelOfOtherTypes",
                        FillKernel.build(List.of(DataType.F16, DataType.E4M3, DataType.E5M2))),
                Arguments.of("ReferenceGemmKernelTransposed", reference(DataType.F16, DataType.F16, Major.M, Major.N)),
                Arguments.of("ReferenceGemmKernelEightBits", reference(DataType.E4M3, DataType.E5M2, Major.K, Major.K)),
                Arguments.of("CompareKernelF16", CompareKernel.build(DataType.F16)),
                Arguments.of("CompareKernelF32", CompareKernel.build(DataType.F32)),
                Arguments.of("ReferenceGemmKernelF32", reference(DataType.F32, DataType.F32, Major.K, Major.N)),
                Arguments.of("EpilogueKernel", EpilogueKernel.build(EPILOGUE)),
                Arguments.of("ChecksumKernel", ChecksumKernel.build()),
                Arguments.of("SpinKernel", SpinKernel.build()),
                Arguments.of("HolderKernel", HolderKernel.build()),
                Arguments.of("ClockProbeKernel", ClockProbeKernel.build()),
                Arguments.of("DealKernel", DealKernel.build()));
    }

    static List<Arguments> drawnKernels() {
        return Selection.of(kernels().toList(), 5);
    }

    private static PtxModule reference(DataType a, DataType b, Major majorA, Major majorB) {
        return ReferenceGemmKernel.build(
                new OperandTypes(a, b, DataType.F32), new OperandMajors(majorA, majorB, Major.N));
    }

    static Stream<Arguments> launches() {
        return Stream.of(
                Arguments.of(FillKernel.launch(DataType.BF16, Distribution.NORMAL, 1, 5, 9, 132), FillKernel.build()),
                Arguments.of(
                        ReferenceGemmKernel.launch(1, 2, 3, 4, 300, 200, 72),
                        ReferenceGemmKernel.build(OperandTypes.of(DataType.BF16), OperandMajors.DEFAULT)),
                Arguments.of(
                        CompareKernel.launch(DataType.BF16, 1, 2, 3, 4, 60_000, 0x1p-8f, 0.5f, 132),
                        CompareKernel.build(DataType.BF16)),
                Arguments.of(
                        FillKernel.launch(DataType.E5M2, Distribution.NORMAL, 1, 5, 9, 132),
                        FillKernel.build(List.of(DataType.E5M2))),
                Arguments.of(
                        CompareKernel.launch(DataType.F32, 1, 2, 3, 4, 60_000, 0x1p-23f, 2, 132),
                        CompareKernel.build(DataType.F32)),
                Arguments.of(
                        EpilogueKernel.launch(
                                new EpilogueKernel.Addresses(1, 2, 3, 4, 5, 6, 7, 8),
                                new EpilogueKernel.Lines(300, 200),
                                new Allowance(1, 2, 3, 4, 5),
                                132),
                        EpilogueKernel.build(EPILOGUE)),
                Arguments.of(ChecksumKernel.launch(1, 1003, 2, 132), ChecksumKernel.build()),
                Arguments.of(SpinKernel.launch(1, 2, 3), SpinKernel.build()),
                Arguments.of(HolderKernel.launch(16, 232_448, 1, 2, 3), HolderKernel.build()),
                Arguments.of(ClockProbeKernel.launch(1), ClockProbeKernel.build()),
                Arguments.of(DealKernel.launch(4, 132, 232_448, 1), DealKernel.build()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kernels")
    void textIsKept(String name, PtxModule module) throws Exception {
        Path file = Path.of("src/test/java/dev/tilewright/gemm/oracle", name + ".expected.ptx");
        String text = PtxWriter.write(module);
        if (Boolean.getBoolean("golden.accept")) {
            Files.writeString(file, text);
        }
        assertThat(text).as(file + " (rewrite with -Dgolden.accept=true)").isEqualTo(Files.readString(file));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kernels")
    void nothingIsWrong(String name, PtxModule module) {
        assertThat(Validator.validate(module)).as(name).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("drawnKernels")
    void assemblesAtTheOldestIsaWithoutSpills(String name, PtxModule module, @TempDir Path folder) throws Exception {
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(path -> Files.isExecutable(Path.of(path, "ptxas"))),
                "ptxas is not on the PATH");
        String text = PtxWriter.write(module);
        assertThat(text).as(name).startsWith(".version 8.0\n");
        Path source = Files.writeString(folder.resolve("kernel.ptx"), text);
        Process process = new ProcessBuilder("ptxas", "-arch=sm_90a", "-v", source.toString(), "-o", "/dev/null")
                .redirectErrorStream(true)
                .start();
        String report = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(report).isZero();
        assertThat(report.lines().filter(line -> line.contains("bytes stack frame")))
                .hasSize(module.entries().size())
                .allMatch(line -> line.contains("0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"));
    }

    /** The arguments fit the parameters in number and size. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("launches")
    void argumentsFitTheParameters(OracleLaunch launch, PtxModule module) {
        List<Integer> sizes = launch.arguments().stream()
                .map(argument -> argument instanceof Long || argument instanceof Double ? Long.BYTES : Integer.BYTES)
                .toList();
        assertThat(sizes)
                .isEqualTo(module.entry(launch.entry()).params().stream()
                        .map(Param::kind)
                        .map(Param.Kind::bytes)
                        .toList());
        assertThat(launch.threads())
                .isLessThanOrEqualTo(module.entry(launch.entry()).launch().maxThreads());
    }
}
