package dev.tilewright.proof.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.program.PackProgram;
import dev.tilewright.launch.program.RangeProgram;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.problem.ShapeRange;
import dev.tilewright.model.range.Span;
import dev.tilewright.proof.Kernels;
import dev.tilewright.space.device.DeviceLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The hooks of a pack in C++, compiled against as much of PyTorch as they use, beside a driver that writes down what it
 * is told.
 */
class PackProgramTest {

    private static final OperandTypes FP8 = new OperandTypes(DataType.E4M3, DataType.E4M3, DataType.BF16);

    @TempDir
    private Path folder;

    private Gcc gcc;

    @BeforeEach
    void makeTheDriver() throws IOException, InterruptedException {
        Gcc.assumePresent();
        gcc = new Gcc(folder);
        gcc.makeStub();
    }

    private static RangeProgram program(
            String name, ShapeRange range, OperandTypes types, String epilogue, Scales scales, Span... table) {
        Problem like = new Problem(
                List.of(range.at(range.least())),
                1,
                types,
                OperandMajors.DEFAULT,
                Scenario.QUIET,
                Epilogue.parse(epilogue),
                scales);
        return RangeExport.of(
                        GemmFamilies.standard().named(Kernels.FAMILY),
                        new RangedProblem(range, like),
                        List.of(table),
                        DeviceLimits.of(132),
                        "of a test")
                .program(name, _ -> Optional.empty());
    }

    private static Span span(int from, int to, String config) {
        return new Span(from, to, Kernels.config(config), 1, 1);
    }

    private static PackProgram pack() {
        OperandTypes bf16 = OperandTypes.of(DataType.BF16);
        return new PackProgram(
                "0123456789abcdef",
                List.of(
                        program(
                                "plain",
                                new ShapeRange(16, 70, 1032, 264),
                                bf16,
                                "",
                                Scales.TENSOR,
                                span(16, 16, "splitK=2 tileM=64 consumers=1"),
                                span(64, 70, "")),
                        program(
                                "added",
                                new ShapeRange(16, 16, 1032, 264),
                                bf16,
                                "bias",
                                Scales.TENSOR,
                                span(16, 16, "epilogue=bias")),
                        program(
                                "blocks",
                                new ShapeRange(20, 20, 256, 256),
                                FP8,
                                "",
                                Scales.BLOCK,
                                span(
                                        20,
                                        20,
                                        "typeA=e4m3 typeB=e4m3 scales=block tileK=128 tileM=64 tileN=128 consumers=1"
                                                + " waitDepth=0")),
                        program(
                                "rows",
                                new ShapeRange(20, 20, 256, 256),
                                FP8,
                                "",
                                Scales.ROW,
                                span(20, 20, "typeA=e4m3 typeB=e4m3 scales=row tileK=128"))));
    }

    private void compile() throws IOException, InterruptedException {
        PackProgram pack = pack();
        List<String> sources = new ArrayList<>();
        for (Map.Entry<String, byte[]> file : pack.files("pack").entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
            if (file.getKey().endsWith(".c") && !file.getKey().endsWith("_test.c")) {
                sources.add(file.getKey());
            }
        }
        for (String name : List.of("stub_torch.h", "pack_main.cpp")) {
            try (var text = PackProgramTest.class.getResourceAsStream(name)) {
                Files.write(folder.resolve(name), text.readAllBytes());
            }
        }
        for (String header : List.of(
                "ATen/ATen.h",
                "ATen/ops/_scaled_mm_ops.h",
                "ATen/ops/addmm_ops.h",
                "ATen/ops/mm_ops.h",
                "c10/cuda/CUDAException.h",
                "c10/cuda/CUDAGuard.h",
                "c10/cuda/CUDAStream.h",
                "torch/library.h")) {
            Path path = folder.resolve(header);
            Files.createDirectories(path.getParent());
            Files.writeString(path, "#include \"stub_torch.h\"\n");
        }
        List<String> command = new ArrayList<>(List.of("g++", "-std=c++17", "-Wall", "-Wno-unused-function", "-I."));
        command.addAll(sources);
        command.addAll(List.of("pack_main.cpp", "-o", "main", "-ldl"));
        assertThat(gcc.run(Map.of(), command.toArray(String[]::new))).isEqualTo(new Gcc.Ended(0, ""));
    }

    private List<String> said(String sms) throws IOException, InterruptedException {
        Gcc.Ended ended = gcc.run(
                Map.of(
                        "LD_LIBRARY_PATH",
                        folder.toString(),
                        "STUB_LOG",
                        folder.resolve("log").toString(),
                        "STUB_SMS",
                        sms,
                        "STUB_REQUIRED_CLUSTER",
                        "0",
                        "STUB_PARAMETERS",
                        ""),
                folder.resolve("main").toString());
        assertThat(ended.code()).as(ended.said()).isZero();
        return ended.said().lines().toList();
    }

    @Test
    void eachCallIsComputedByTheKernelForItOrByPyTorch() throws IOException, InterruptedException {
        compile();
        List<String> said = said("132");
        assertThat(said.subList(0, said.size() - 1))
                .containsExactly(
                        "off: PyTorch",
                        "mm of 16: pack",
                        "mm of 70: pack",
                        "mm of 17: PyTorch",
                        "mm of none: PyTorch",
                        "weights row by row: PyTorch",
                        "a with gaps: PyTorch",
                        "a of f16: PyTorch",
                        "a not aligned: PyTorch",
                        "a on the host: PyTorch",
                        "b on another GPU: PyTorch",
                        "a sparse: PyTorch",
                        "a of a subclass: PyTorch",
                        "a conjugated: PyTorch",
                        "mm into out: pack",
                        "mm into another shape: PyTorch",
                        "mm into columns: PyTorch",
                        "addmm with a bias: pack",
                        "addmm with a line: pack",
                        "addmm with a repeated line: pack",
                        "addmm with a bias of f32: PyTorch",
                        "addmm with half of a bias: PyTorch",
                        "addmm with a C: PyTorch",
                        "addmm without anything: pack",
                        "addmm of another shape without it: PyTorch",
                        "addmm into a bias: PyTorch",
                        "scales of blocks: pack",
                        "scales of A row by row: PyTorch",
                        "a scale of the result: PyTorch",
                        "scales of rows: pack",
                        "scales of rows, exact sums: PyTorch",
                        "one scale: PyTorch",
                        "captured: pack",
                        "captured once more: pack");
        String bf16 = "16, 1032, 264, \"BFloat16,BFloat16\", ";
        assertThat(said.getLast())
                .startsWith("{\"served\": [[\"plain\", 16, 5], [\"plain\", 70, 1], [\"added\", 16, 3], [\"blocks\", 20,"
                        + " 1], [\"rows\", 20, 1]], \"missed\": [")
                .contains(
                        "[\"mm\", " + bf16 + "\"its operands lie otherwise than those of the recording\", 3]",
                        "[\"mm\", " + bf16 + "\"its operands do not begin at a multiple of 16 bytes\", 1]",
                        "[\"mm\", 16, 1032, 264, \"Half,BFloat16\", \"no kernels for its N, K and types\", 1]",
                        "[\"mm\", 17, 1032, 264, \"BFloat16,BFloat16\", \"no kernel for this M\", 1]",
                        "[\"addmm\", " + bf16 + "\"no kernels for what is added or for its scales\", 5]",
                        "[\"_scaled_mm\", 20, 256, 256, \"Float8_e4m3fn,Float8_e4m3fn\", \"no kernels for what is"
                                + " added or for its scales\", 4]");
        List<String> log = Files.readAllLines(folder.resolve("log"));
        assertThat(log.stream().filter(line -> line.startsWith("launch "))).hasSize(11);
        // The split along K has a workspace and a counter; a graph has its own.
        assertThat(log.stream().filter(line -> line.startsWith("alloc "))).hasSize(4);
    }

    /** The grids are for 132 SMs. */
    @Test
    void aPackThatCannotBeOpenedLeavesAllToPyTorch() throws IOException, InterruptedException {
        compile();
        List<String> said = said("78");
        assertThat(said.stream().filter(line -> line.endsWith(": pack"))).isEmpty();
        assertThat(said.stream().filter(line -> line.startsWith("tilewright: ")))
                .hasSize(4)
                .allMatch(line -> line.endsWith("the grids are for a GPU with at least 132 SMs, this one has 78; export"
                        + " for it; PyTorch computes this product from now on"));
    }

    @Test
    void twoProductsOfOneNameAreRefused() {
        RangeProgram one = pack().programs().getFirst();
        assertThatThrownBy(() -> new PackProgram("x", List.of(one, one)))
                .hasMessage("two products of a pack are called plain");
    }
}
