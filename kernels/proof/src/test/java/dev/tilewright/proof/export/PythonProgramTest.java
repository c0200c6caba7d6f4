package dev.tilewright.proof.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tilewright.launch.program.PythonProgram;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.proof.Kernels;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.testing.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The exported Python without PyTorch, and with a stand-in for it. */
class PythonProgramTest extends ProgramContract {

    @Override
    void make(Gcc gcc, ExportedProgram exported) throws IOException {
        for (Map.Entry<String, String> file :
                PythonProgram.of(exported.program()).entrySet()) {
            Files.writeString(gcc.folder().resolve(file.getKey()), file.getValue());
        }
        Files.writeString(
                gcc.folder().resolve("exported.ptx"), exported.program().ptx());
        Files.writeString(gcc.folder().resolve("main.py"), exported.mainInPython());
    }

    @Override
    String[] command(Path folder) {
        return new String[] {Python.program(), folder.resolve("main.py").toString()};
    }

    @Override
    void assumeProgramsArePresent() {
        assumeTrue(Gcc.has("python3"), "python3 is not on the PATH");
    }

    @Override
    Gcc.Ended refused(String reason) {
        return new Gcc.Ended(1, "RuntimeError: exported: " + reason);
    }

    /** An operator of PyTorch: who calls again on the same tensors launches at once. */
    @Test
    void anOperator() throws IOException, InterruptedException {
        Files.write(folder().resolve("torch.py"), fakeTorch());

        Gcc.Ended ended = ran("1000x1032x264", """
                import torch
                import exported

                op = exported.gemm
                print(op.name, op.schema)
                a, b = torch.Tensor((1000, 264), torch.bfloat16), torch.Tensor((1032, 264), torch.bfloat16)
                for _ in range(2):
                    d = op(a, b)
                print(d.shape, d.dtype, op.fake(a, b).shape)
                for wrong in (torch.Tensor((1000, 264), torch.float16), torch.Tensor((264, 1000), torch.bfloat16),
                        torch.Tensor((1000, 264), torch.bfloat16, (1, 1000))):
                    try:
                        op(wrong, b)
                    except ValueError as refused:
                        print(refused)
                """);

        assertThat(ended.said().lines())
                .containsExactly(
                        "tilewright::exported (Tensor a, Tensor b) -> Tensor",
                        "(1000, 1032) bfloat16 (1000, 1032)",
                        "exported: a must be bfloat16 of shape (1000, 264) and strides (264, 1), got float16 of shape"
                                + " (1000, 264) and strides (264, 1)",
                        "exported: a must be bfloat16 of shape (1000, 264) and strides (264, 1), got bfloat16 of shape"
                                + " (264, 1000) and strides (1000, 1)",
                        "exported: a must be bfloat16 of shape (1000, 264) and strides (264, 1), got bfloat16 of shape"
                                + " (1000, 264) and strides (1, 1000)");
        assertThat(log().stream().map(line -> line.split(" ")[0]).filter(word -> !word.equals("parameter")))
                .containsExactly("load", "attribute", "alloc", "fill", "map", "map", "map", "launch", "launch");
    }

    /** A counter for each stream, and one for what is in a graph; tables are given back that nobody used for long. */
    @Test
    void workspacesAreShared() throws IOException, InterruptedException {
        Files.write(folder().resolve("torch.py"), fakeTorch());

        Gcc.Ended ended = ran("1000x1032x264", """
                import torch
                import exported

                exported.BUFFERS.append(("table", 4, "filled", (4, "01020304", [])))
                b = torch.Tensor((1032, 264), torch.bfloat16)
                for i in range(exported.MOST_BINDINGS + 5):
                    torch.cuda.capturing = i == 0
                    a = torch.Tensor((1000, 264), torch.bfloat16)
                    a.address = (i + 1) << 30
                    exported.gemm(a, b)
                """);

        assertThat(ended.said()).isEmpty();
        List<String> counters = log().stream()
                .filter(line -> line.startsWith("fill "))
                .map(line -> line.split(" ")[1])
                .toList();
        assertThat(counters).hasSize(2);
        assertThat(log().stream().filter(line -> line.startsWith("alloc "))).hasSize(2 + 69);
        // Of 69 bindings one is in a graph, and 64 others stay.
        assertThat(log().stream().filter(line -> line.startsWith("free ")).map(line -> line.split(" ")[1]))
                .hasSize(4)
                .doesNotContainAnyElementsOf(counters);
    }

    /** PyTorch makes a context current when it needs it itself, which may be later. */
    @Test
    void aThreadWithoutAContextGetsOne() throws IOException, InterruptedException {
        Files.write(folder().resolve("torch.py"), fakeTorch());

        Gcc.Ended ended = ran("1000x1032x264", """
                import os
                os.environ["STUB_NO_CONTEXT"] = "1"
                import torch
                import exported

                a, b = torch.Tensor((1000, 264), torch.bfloat16), torch.Tensor((1032, 264), torch.bfloat16)
                for _ in range(2):
                    exported.gemm(a, b)
                """);

        assertThat(ended.said()).isEmpty();
        assertThat(log().stream().filter(line -> line.startsWith("context "))).containsExactly("context 0x2");
    }

    /**
     * Scales of rows are tensors shaped as torch._scaled_mm takes them; a transposed one is refused with both shapes.
     */
    @Test
    void scalesOfRowsAreTensors() throws IOException, InterruptedException {
        Files.write(folder().resolve("torch.py"), fakeTorch());
        Problem problem = new Problem(
                List.of(new ProblemShape(1000, 1032, 528)),
                1,
                OperandTypes.parse("e4m3,e4m3,bf16"),
                OperandMajors.DEFAULT,
                Scenario.QUIET,
                Epilogue.NONE,
                Scales.ROW);
        ExportedProgram exported = ExportedProgram.of(
                Kernels.FAMILY,
                problem,
                Kernels.config("typeA=e4m3 typeB=e4m3 scales=row tileK=128"),
                DeviceLimits.of(132));

        Gcc.Ended ended = built(exported, "0", Map.of(), gcc -> {
            make(gcc, exported);
            Files.writeString(folder().resolve("main.py"), """
                import torch
                import exported

                op = exported.gemm
                print(op.schema)
                a, b = torch.Tensor((1000, 528), torch.float8_e4m3fn), torch.Tensor((1032, 528), torch.float8_e4m3fn)
                rows, columns = torch.Tensor((1000, 1), torch.float32), torch.Tensor((1, 1032), torch.float32)
                print(op(a, b, rows, columns).shape, op.fake(a, b, rows, columns).shape)
                for scales in ((torch.Tensor((1, 1000), torch.float32), columns),
                        (rows, torch.Tensor((1032, 1), torch.float32)),
                        (rows, torch.Tensor((1, 1032), torch.float32, (1032, 2))),
                        (columns, rows)):
                    try:
                        op(a, b, *scales)
                    except ValueError as refused:
                        print(refused)
                """);
        });

        assertThat(ended.said().lines())
                .containsExactly(
                        "(Tensor a, Tensor b, Tensor scale_a, Tensor scale_b) -> Tensor",
                        "(1000, 1032) (1000, 1032)",
                        "exported: scale_a must be float32 of shape (1000, 1) and strides (1, 1), got float32 of shape"
                                + " (1, 1000) and strides (1000, 1)",
                        "exported: scale_b must be float32 of shape (1, 1032) and strides (1032, 1), got float32 of"
                                + " shape (1032, 1) and strides (1, 1)",
                        "exported: scale_b must be float32 of shape (1, 1032) and strides (1032, 1), got float32 of"
                                + " shape (1, 1032) and strides (1032, 2)",
                        "exported: scale_a must be float32 of shape (1000, 1) and strides (1, 1), got float32 of shape"
                                + " (1, 1032) and strides (1032, 1)");
        // The kernel is passed both vectors, and no scale of tensors.
        assertThat(exported.launch().takesScale()).isFalse();
    }

    private Gcc.Ended ran(String shape, String main) throws IOException, InterruptedException {
        ExportedProgram exported = ExportedProgram.of(
                Kernels.FAMILY, Kernels.problem(shape), Kernels.config("scheduler=atomic"), DeviceLimits.of(132));
        return built(exported, "0", Map.of(), gcc -> {
            make(gcc, exported);
            Files.writeString(folder().resolve("main.py"), main);
        });
    }

    /** The stand-in for PyTorch, {@code torch.py}. */
    static byte[] fakeTorch() throws IOException {
        try (var source = PythonProgramTest.class.getResourceAsStream("torch.py")) {
            return source.readAllBytes();
        }
    }
}
