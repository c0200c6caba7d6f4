package dev.tilewright.proof.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.program.DispatchTable;
import dev.tilewright.launch.program.KernelProgram;
import dev.tilewright.launch.program.ProgramFiles;
import dev.tilewright.launch.program.ProgramFiles.Language;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.proof.Kernels;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.testing.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of exported kernels, in C against a driver that writes down what it is told, and in Python. */
class DispatchTableTest {

    private static final List<String> SHAPES = List.of("1000x1032x264", "512x512x512", "1024x1032x512");

    @TempDir
    private Path folder;

    private static KernelProgram kernel(String name, Problem problem, Config config) {
        return KernelExport.of(GemmFamilies.standard().named(Kernels.FAMILY), problem, config, DeviceLimits.of(132))
                .program(name, Optional.empty());
    }

    private void write() throws IOException {
        List<DispatchTable.Row> rows = new ArrayList<>();
        for (String shape : SHAPES) {
            KernelProgram kernel = kernel("gemm_" + shape, Kernels.problem(shape), Kernels.config("scheduler=atomic"));
            rows.add(new DispatchTable.Row(kernel, "made for a test"));
            write(folder.resolve(kernel.name()), ProgramFiles.of(kernel, List.of(), EnumSet.allOf(Language.class)));
        }
        write(folder, DispatchTable.of("gemm", rows, EnumSet.allOf(Language.class)));
    }

    private static void write(Path folder, Map<String, byte[]> files) throws IOException {
        Files.createDirectories(folder);
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Files.write(folder.resolve(file.getKey()), file.getValue());
        }
    }

    @Test
    void inC() throws IOException, InterruptedException {
        Gcc.assumePresent();
        Gcc gcc = new Gcc(folder);
        gcc.makeStub();
        write();
        Files.writeString(folder.resolve("main.c"), """
                #include "gemm.h"
                #include <stdio.h>

                static void find(uint32_t m, uint32_t n, uint32_t k) {
                    int fit;
                    const gemm_kernel *kernel = gemm_find(m, n, k, &fit);
                    printf("%s %d\\n", kernel == NULL ? "none" : kernel->name, fit);
                }

                int main(void) {
                    int fit;
                    find(512, 512, 512);
                    find(1000, 1032, 200);
                    find(1000, 1032, 265);
                    find(16, 16, 16);
                    find(1025, 16, 16);
                    const gemm_kernel *kernel = gemm_find(512, 512, 512, &fit);
                    gemm_operands operands = {.a = 1 << 20, .b = 2 << 20, .d = 3 << 20};
                    void *opened, *bound;
                    if (kernel->open(&opened) || kernel->bind(opened, &operands, &bound) || kernel->run(bound, NULL)) {
                        printf("%s\\n", kernel->error());
                    }
                    kernel->unbind(bound);
                    kernel->close(opened);
                    return 0;
                }
                """);
        List<String> sources = new ArrayList<>(List.of("-I.", "main.c", "gemm.c"));
        SHAPES.forEach(shape -> Stream.of(".c", "_image.c")
                .forEach(end -> sources.add("gemm_%1$s/gemm_%1$s%2$s".formatted(shape, end))));
        sources.addAll(List.of("-o", "main", "-ldl"));
        gcc.compile(sources.toArray(String[]::new));

        Gcc.Ended ended = gcc.run(
                Map.of(
                        "LD_LIBRARY_PATH",
                        folder.toString(),
                        "STUB_LOG",
                        folder.resolve("log").toString(),
                        "STUB_REQUIRED_CLUSTER",
                        "0",
                        "STUB_PARAMETERS",
                        "4"),
                folder.resolve("main").toString());

        assertThat(ended).isEqualTo(new Gcc.Ended(0, """
                gemm_512x512x512 0
                gemm_1000x1032x264 1
                gemm_1024x1032x512 1
                gemm_512x512x512 1
                none 2
                """));
        assertThat(Files.readAllLines(folder.resolve("log")))
                .filteredOn(line -> line.startsWith("launch "))
                .hasSize(1);
    }

    @Test
    void inPython() throws IOException, InterruptedException {
        assumeTrue(Gcc.has("python3"), "python3 is not on the PATH");
        write();
        Files.writeString(folder.resolve("main.py"), """
                import gemm

                for shape in ((512, 512, 512), (1000, 1032, 200), (1000, 1032, 265), (16, 16, 16), (1025, 16, 16)):
                    print(gemm.find(*shape))
                print([module.ENTRY for module in gemm.MODULES.values()] == [gemm.MODULES[512, 512, 512].ENTRY] * 3)
                """);

        assertThat(new Gcc(folder).run(Map.of(), Python.program(), "main.py")).isEqualTo(new Gcc.Ended(0, """
                (512, 512, 512)
                (1000, 1032, 264)
                (1024, 1032, 512)
                (512, 512, 512)
                None
                True
                """));
    }

    @Test
    void kernelsThatDoNotBelongTogetherAreNoTable() {
        KernelProgram plain = kernel("plain", Kernels.problem("512x512x512"), Kernels.config(""));
        KernelProgram half = kernel(
                "half",
                Problem.of(ProblemShape.parse("512x512x520"), DataType.F16),
                Kernels.config("typeA=f16 typeB=f16 typeD=f16"));
        KernelProgram batched = kernel(
                "batched",
                new Problem(
                        List.of(ProblemShape.parse("512x512x520")),
                        2,
                        OperandTypes.of(DataType.BF16),
                        OperandMajors.DEFAULT,
                        Scenario.QUIET),
                Kernels.config("tileLocation=table"));
        assertThatThrownBy(() -> table(plain, half))
                .hasMessage(
                        "the kernels of a table have the same types, layouts and epilogue, and half has others than plain");
        assertThatThrownBy(() -> table(plain, batched))
                .hasMessage("a table has kernels of one GEMM each, and batched computes several");
        assertThatThrownBy(() -> table(plain, plain)).hasMessage("a table has one kernel for each shape");
    }

    private static void table(KernelProgram... kernels) {
        DispatchTable.of(
                "gemm",
                Stream.of(kernels)
                        .map(kernel -> new DispatchTable.Row(kernel, ""))
                        .toList(),
                EnumSet.allOf(Language.class));
    }
}
