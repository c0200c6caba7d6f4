package dev.tilewright.proof.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.launch.Swizzle;
import dev.tilewright.launch.program.ProgramFiles.Language;
import dev.tilewright.launch.program.RangeFiles;
import dev.tilewright.launch.program.RangeProgram;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.ShapeRange;
import dev.tilewright.model.range.Span;
import dev.tilewright.model.space.Config;
import dev.tilewright.proof.Kernels;
import dev.tilewright.space.device.ClusterDeal;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.testing.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The kernels of a range as a library in C and as a module in Python, beside a driver that writes down what it is told:
 * with each M it is told what the family says of the launch with this M.
 */
class RangeProgramTest {

    private static final DeviceLimits LIMITS = DeviceLimits.of(132);
    private static final long SEED = 20261128;

    @TempDir
    private Path folder;

    private Gcc gcc;

    @BeforeEach
    void makeTheDriver() throws IOException, InterruptedException {
        Gcc.assumePresent();
        gcc = new Gcc(folder);
        gcc.makeStub();
    }

    /** Kernels whose launches differ in all that can: clusters, splits of K, a counter, swapped operands. */
    private static List<Span> table() {
        return List.of(
                span(1, 16, "splitK=2 tileM=64 consumers=1"),
                span(17, 255, "scheduler=atomic"),
                span(256, 256, "splitK=2 tileM=64 consumers=1"),
                span(257, 2000, "clusterM=2 tileM=128 consumers=2"));
    }

    private static Span span(int from, int to, String config) {
        return new Span(from, to, Kernels.config(config), 1, 2);
    }

    private static RangedProblem problem(String range) {
        ShapeRange shape = ShapeRange.parse(range);
        return new RangedProblem(shape, Problem.of(shape.at(shape.least()), DataType.BF16));
    }

    private static RangeExport export(RangedProblem problem, List<Span> table) {
        return RangeExport.of(GemmFamilies.standard().named(Kernels.FAMILY), problem, table, LIMITS, "of a test");
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void withEachMTheDriverIsToldWhatTheFamilySays(Language language) throws IOException, InterruptedException {
        RangedProblem problem = problem("1-2000x1032x264");
        RangeExport export = export(problem, table());
        write(export, language);

        for (RangeExport.Kernel kernel : export.kernels()) {
            List<Integer> rows = drawn(kernel);
            List<Seen> told = run(language, problem, kernel, rows);
            assertThat(told).hasSameSizeAs(rows);
            for (int i = 0; i < rows.size(); i++) {
                assertThat(told.get(i)).as("M = " + rows.get(i)).isEqualTo(expected(problem, kernel, rows.get(i)));
            }
        }
    }

    /** The scales of blocks of A lie along M, so that M in multiples of 16 bytes is a stride. */
    @ParameterizedTest
    @EnumSource(Language.class)
    void scalesOfBlocksFollowM(Language language) throws IOException, InterruptedException {
        ShapeRange range = ShapeRange.parse("1-300x256x512");
        Problem like = new Problem(
                List.of(range.at(1)),
                1,
                new OperandTypes(DataType.E4M3, DataType.E4M3, DataType.BF16),
                problem("1-300x256x512").like().major(),
                problem("1-300x256x512").like().scenario(),
                Epilogue.NONE,
                Scales.BLOCK);
        RangedProblem problem = new RangedProblem(range, like);
        Config config = Kernels.config(
                "typeA=e4m3 typeB=e4m3 scales=block tileK=128 tileM=64 tileN=128 consumers=1 waitDepth=0");
        RangeExport export = export(problem, List.of(new Span(1, 300, config, 1, 1)));
        write(export, language);

        List<Integer> rows = List.of(1, 3, 4, 5, 64, 65, 299, 300);
        List<Seen> told = run(language, problem, export.kernels().getFirst(), rows);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(told.get(i))
                    .as("M = " + rows.get(i))
                    .isEqualTo(expected(problem, export.kernels().getFirst(), rows.get(i)));
        }
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void noRowsLaunchNothingAndRowsOutsideAreRefused(Language language) throws IOException, InterruptedException {
        RangedProblem problem = problem("4-2000x1032x264");
        RangeExport export = export(problem, List.of(span(4, 2000, "")));
        write(export, language);
        RangeExport.Kernel kernel = export.kernels().getFirst();

        assertThat(run(language, problem, kernel, List.of(0))).isEmpty();
        for (int m : List.of(3, 2001)) {
            Gcc.Ended ended = ended(language, kernel, problem, List.of(m));
            assertThat(ended.code()).isEqualTo(1);
            assertThat(ended.said()).endsWith("exported: m must be from 4 to 2000, or 0, got " + m + "\n");
        }
    }

    /** The scale of tensors comes with each launch. */
    @ParameterizedTest
    @EnumSource(Language.class)
    void eightBitInputsWithAScale(Language language) throws IOException, InterruptedException {
        ShapeRange range = ShapeRange.parse("1-300x256x512");
        RangedProblem problem = new RangedProblem(range, Problem.of(range.at(1), DataType.E4M3));
        RangeExport export = export(
                problem, List.of(new Span(1, 300, Kernels.config("typeA=e4m3 typeB=e4m3 typeD=bf16 tileK=64"), 1, 1)));
        write(export, language);
        RangeExport.Kernel kernel = export.kernels().getFirst();

        List<Integer> rows = List.of(1, 64, 65, 300);
        List<Seen> told = run(language, problem, kernel, rows);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(told.get(i))
                    .as("M = " + rows.get(i))
                    .isEqualTo(expected(launch(problem, kernel, rows.get(i)).withScale(0.375f)));
        }
        if (language == Language.C) {
            return;
        }
        // PyTorch takes the schema of both operators.
        Files.write(folder.resolve("torch.py"), PythonProgramTest.fakeTorch());
        Files.writeString(folder.resolve("schema.py"), """
                import os
                os.environ["TILEWRIGHT_PLAIN"] = "1"
                import exported
                print(exported._op.schema, exported._op_out.schema)
                """);
        assertThat(gcc.run(
                        environment(launch(problem, kernel, 1)),
                        Python.program(),
                        folder.resolve("schema.py").toString()))
                .isEqualTo(new Gcc.Ended(
                        0,
                        "(Tensor a, Tensor b, float scale=1.0) -> Tensor"
                                + " (Tensor a, Tensor b, float scale, Tensor(a!) out) -> ()\n"));
    }

    /** How clusters are dealt is looked at once, and counts for the clusters of each launch. */
    @ParameterizedTest
    @EnumSource(Language.class)
    void clustersInTheOrderOfGpcs(Language language) throws IOException, InterruptedException {
        RangedProblem problem = problem("1-3000x512x256");
        RangeExport export = export(problem, List.of(span(1, 3000, "clusterOrder=gpc clusterN=1 clusterM=2")));
        write(export, language);
        RangeExport.Kernel kernel = export.kernels().getFirst();
        DeviceLimits seen = LIMITS.dealing(ClusterDeal.ofEach(ProgramContract.dealt()));
        List<Integer> rows = List.of(1, 130, 700, 1000, 3000);

        List<Seen> told = run(language, problem, kernel, rows);
        for (int i = 0; i < rows.size(); i++) {
            KernelLaunch launch = kernel.built().launch(problem.at(rows.get(i)), seen, kernel.config());
            assertThat(told.get(i)).as("M = " + rows.get(i)).isEqualTo(expected(launch));
        }
    }

    /**
     * An operator of PyTorch: M is any number of rows, D may be given, and what does not fit is refused with both
     * shapes.
     */
    @Test
    void anOperator() throws IOException, InterruptedException {
        RangedProblem problem = problem("4-2000x1032x264");
        RangeExport export = export(problem, List.of(span(4, 2000, "scheduler=atomic")));
        write(export, Language.TORCH);
        Files.write(folder.resolve("torch.py"), PythonProgramTest.fakeTorch());
        Files.writeString(folder.resolve("operator_main.py"), """
                import os
                os.environ["TILEWRIGHT_PLAIN"] = "1"
                import torch
                import exported

                b = torch.Tensor((1032, 264), torch.bfloat16)
                for m in (7, 0, 2000):
                    a = torch.Tensor((m, 264), torch.bfloat16)
                    d = exported.gemm(a, b)
                    print(d.shape, exported._op.fake(a, b).shape)
                    print(exported.gemm(a, b, out=d) is d)
                print(exported._op.schema, exported._op_out.schema)
                a = torch.Tensor((7, 264), torch.bfloat16)
                for torch.cuda.stream, torch.cuda.capturing in ((0x77, True), (0x77, True), (0x78, False)):
                    exported.gemm(a, b)
                torch.cuda.capturing = False
                for _ in range(2):
                    print(exported.gemm(torch.Tensor((3, 264), torch.bfloat16), b).shape)
                exported.STRICT = True
                for wrong in (torch.Tensor((2001, 264), torch.bfloat16), torch.Tensor((5, 265), torch.bfloat16),
                        torch.Tensor((5, 264), torch.float16)):
                    try:
                        exported.gemm(wrong, b)
                    except ValueError as refused:
                        print(refused)
                """);

        Gcc.Ended ended = gcc.run(
                environment(launch(problem, export.kernels().getFirst(), 4)),
                Python.program(),
                folder.resolve("operator_main.py").toString());

        List<String> warnings = ended.said()
                .lines()
                .filter(line -> line.contains("UserWarning"))
                .toList();
        assertThat(warnings)
                .singleElement()
                .asString()
                .endsWith("UserWarning: exported: m must be from 4 to 2000, got 3: torch.mm computes it");
        assertThat(ended.said().lines().filter(line -> !warnings.contains(line) && !line.startsWith("  ")))
                .containsExactly(
                        "(7, 1032) (7, 1032)",
                        "True",
                        "(0, 1032) (0, 1032)",
                        "True",
                        "(2000, 1032) (2000, 1032)",
                        "True",
                        "(Tensor a, Tensor b) -> Tensor (Tensor a, Tensor b, Tensor(a!) out) -> ()",
                        "mm (3, 264) (264, 1032) (3, 1032)",
                        "(3, 1032)",
                        "mm (3, 264) (264, 1032) (3, 1032)",
                        "(3, 1032)",
                        "exported: m must be from 4 to 2000, got 2001; tune a range that has it",
                        "exported: a must be bfloat16 of shape (5, 264) and strides (264, 1), got bfloat16 of shape"
                                + " (5, 265) and strides (265, 1)",
                        "exported: a must be bfloat16 of shape (5, 264) and strides (264, 1), got float16 of shape"
                                + " (5, 264) and strides (264, 1)");
        List<String> log = Files.readAllLines(folder.resolve("log"));
        // One counter serves the launches of a stream, one those of a graph.
        assertThat(log.stream().filter(line -> line.startsWith("alloc "))).hasSize(3);
        assertThat(log.stream().filter(line -> line.startsWith("launch "))).hasSize(7);
        // The map of B is encoded once for each, and A and D lie elsewhere in each launch but those of the graph.
        assertThat(log.stream().filter(line -> line.startsWith("map ") && line.contains("[264, 1032]")))
                .hasSize(3);
    }

    /** A recording has some M alone. */
    @Test
    void anMWithoutAKernelIsRefused() throws IOException, InterruptedException {
        RangedProblem problem = problem("16-2000x1032x264");
        RangeExport export = export(problem, List.of(span(16, 16, "splitK=2 tileM=64 consumers=1"), span(64, 70, "")));
        RangeProgram program = export.program("exported", _ -> Optional.empty());
        write(export, Set.of(Language.C));
        compile(export);

        assertThat(run(Language.C, problem, export.kernels().getLast(), List.of(64, 70)))
                .containsExactly(
                        expected(problem, export.kernels().getLast(), 64),
                        expected(problem, export.kernels().getLast(), 70));
        for (int m : List.of(15, 17, 63, 71)) {
            assertThat(ended(Language.C, export.kernels().getFirst(), problem, List.of(m)))
                    .isEqualTo(new Gcc.Ended(
                            1, "exported: m must be from 16 to 70 and one of the table, or 0, got " + m + "\n"));
        }
        assertThatThrownBy(() -> RangeFiles.of(program, Set.of(Language.TORCH)))
                .hasMessageStartingWith("the operator of a range takes each of its M, got gaps in ");
    }

    @Test
    void eachMHasOneKernelAtMost() {
        assertThatThrownBy(() -> export(problem("1-2000x1032x264"), List.of(span(1, 9, ""), span(9, 2000, "splitK=2")))
                        .program("exported", _ -> Optional.empty()))
                .hasMessage("one kernel is launched with each M of a range, got M = 9 to 2000 behind M = 9");
        assertThatThrownBy(() -> export(problem("1-2000000x64x64"), List.of(span(1, 2000000, "")))
                        .program("exported", _ -> Optional.empty()))
                .hasMessage("a range is exported up to M = 1048576, got 2000000");
    }

    /** One launch: its kernel, grid and parameters; a tensor map stands as it was encoded. */
    private record Seen(String launch, List<String> parameters) {}

    /** The files of both languages, and the program that the language runs. */
    private void write(RangeExport export, Language language) throws IOException, InterruptedException {
        write(export, Set.of(Language.values()));
        switch (language) {
            case C -> compile(export);
            case TORCH -> Files.writeString(folder.resolve("main.py"), mainInPython(export));
        }
    }

    private void write(RangeExport export, Set<Language> languages) throws IOException {
        RangeProgram program = export.program("exported", _ -> Optional.empty());
        for (Map.Entry<String, byte[]> file : RangeFiles.of(program, languages).entrySet()) {
            Files.write(folder.resolve(file.getKey()), file.getValue());
        }
    }

    private void compile(RangeExport export) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("main.c"), main(export));
        gcc.compile("main.c", "exported.c", "exported_image.c", "-o", "main", "-ldl");
        // The driver of the tests computes nothing, and this needs results.
        gcc.compile("-fsyntax-only", "exported_test.c");
        // The binding of PyTorch includes both.
        assertThat(gcc.run(
                        Map.of(),
                        "gcc",
                        "-x",
                        "c++",
                        "-std=c++17",
                        "-Wall",
                        "-fsyntax-only",
                        "exported.c",
                        "exported_image.c"))
                .isEqualTo(new Gcc.Ended(0, ""));
    }

    private static boolean takesScale(RangeExport export) {
        return export.problem().like().types().a() == DataType.E4M3
                && export.problem().like().scales() == Scales.TENSOR;
    }

    private static String mainInPython(RangeExport export) {
        return """
                import sys
                import exported

                kernels = exported.Kernels()
                workspace = exported.Workspace(kernels)
                for m in sys.argv[1:]:
                    workspace.run([0x%x, 0x%x, 0x%x%s], int(m), 0x77%s)
                workspace.close()
                kernels.close()
                """.formatted(
                        address(BufferRole.A),
                        address(BufferRole.B),
                        address(BufferRole.D),
                        export.problem().like().scales() == Scales.BLOCK
                                ? ", 0x%x, 0x%x".formatted(address(BufferRole.SCALE_A), address(BufferRole.SCALE_B))
                                : "",
                        takesScale(export) ? ", 0.375" : "");
    }

    /** Launches with each M that the command line names. */
    private static String main(RangeExport export) {
        return """
                #include "exported.h"
                #include <stdio.h>
                #include <stdlib.h>

                int main(int count, char **given) {
                    exported_kernels *kernels;
                    exported_workspace *workspace;
                    exported_operands operands = {.a = 0x%xull, .b = 0x%xull, .d = 0x%xull%s};
                    int result = exported_open(&kernels);
                    if (result == 0) result = exported_reserve(kernels, &workspace);
                    for (int i = 1; i < count && result == 0; i++) {
                        result = exported_run(workspace, &operands, strtoull(given[i], NULL, 10), (void *)0x77);
                    }
                    if (result != 0) {
                        puts(exported_error());
                        return 1;
                    }
                    exported_release(workspace);
                    exported_close(kernels);
                    return 0;
                }
                """.formatted(
                        address(BufferRole.A),
                        address(BufferRole.B),
                        address(BufferRole.D),
                        (export.problem().like().scales() == Scales.BLOCK
                                        ? ", .scale_a = 0x%xull, .scale_b = 0x%xull"
                                                .formatted(address(BufferRole.SCALE_A), address(BufferRole.SCALE_B))
                                        : "")
                                + (takesScale(export) ? ", .scale = 0.375f" : ""));
    }

    private static long address(BufferRole role) {
        return (1L + role.ordinal()) << 40;
    }

    /** The ends of each reach, and a few between. */
    private static List<Integer> drawn(RangeExport.Kernel kernel) {
        Random random = new Random(SEED);
        List<Integer> rows = new ArrayList<>();
        for (RangeProgram.Reach reach : kernel.reaches()) {
            rows.add(reach.from());
            IntStream.range(0, 10).forEach(_ -> rows.add(random.nextInt(reach.from(), reach.to() + 1)));
            rows.add(reach.to());
        }
        return rows;
    }

    private static KernelLaunch launch(RangedProblem problem, RangeExport.Kernel kernel, int m) {
        return kernel.built().launch(problem.at(m), LIMITS, kernel.config());
    }

    private Gcc.Ended ended(Language language, RangeExport.Kernel kernel, RangedProblem problem, List<Integer> rows)
            throws IOException, InterruptedException {
        Files.deleteIfExists(folder.resolve("log"));
        List<String> command = new ArrayList<>(
                switch (language) {
                    case C -> List.of(folder.resolve("main").toString());
                    case TORCH ->
                        List.of(Python.program(), folder.resolve("main.py").toString());
                });
        rows.forEach(m -> command.add(String.valueOf(m)));
        KernelLaunch like = launch(problem, kernel, kernel.reaches().getFirst().from());
        return gcc.run(environment(like), command.toArray(String[]::new));
    }

    private Map<String, String> environment(KernelLaunch like) {
        return new TreeMap<>(Map.of(
                "LD_LIBRARY_PATH",
                folder.toString(),
                "STUB_LOG",
                folder.resolve("log").toString(),
                "STUB_REQUIRED_CLUSTER",
                "0",
                "STUB_PARAMETERS",
                Told.sizes(like)));
    }

    private List<Seen> run(Language language, RangedProblem problem, RangeExport.Kernel kernel, List<Integer> rows)
            throws IOException, InterruptedException {
        assertThat(ended(language, kernel, problem, rows)).isEqualTo(new Gcc.Ended(0, ""));
        Map<String, String> maps = new HashMap<>();
        Map<String, String> allocated = new HashMap<>();
        List<Seen> told = new ArrayList<>();
        for (String line : Files.readAllLines(folder.resolve("log"))) {
            String[] words = line.split(" ", 3);
            switch (words[0]) {
                case "map" -> maps.put(little(Long.parseLong(words[1])), words[2]);
                case "alloc" -> allocated.put(little(Long.parseUnsignedLong(words[2], 16)), "own");
                case "launch" -> told.add(new Seen(line, new ArrayList<>()));
                case "parameter" ->
                    told.getLast()
                            .parameters()
                            .add(
                                    words[1].equals("128")
                                            ? maps.get(words[2].substring(0, 16))
                                            : allocated.getOrDefault(words[2], words[2]));
                default -> {}
            }
        }
        return told;
    }

    private static Seen expected(RangedProblem problem, RangeExport.Kernel kernel, int m) {
        return expected(launch(problem, kernel, m));
    }

    private static Seen expected(KernelLaunch launch) {
        String attribute = launch.clusterSize() == 1 ? "" : " attribute 4 " + launch.clusterSize() + " 1 1";
        return new Seen(
                "launch " + launch.entry() + " [" + launch.gridX() + ", 1, 1] [" + launch.threads() + ", 1, 1] "
                        + launch.dynamicSharedBytes() + " 0x77" + attribute,
                launch.arguments().stream().map(RangeProgramTest::parameter).toList());
    }

    private static String parameter(Argument argument) {
        return switch (argument) {
            case Argument.U32(int value) -> little(value).substring(0, 8);
            case Argument.F32(var _, float value) ->
                little(Integer.toUnsignedLong(Float.floatToRawIntBits(value))).substring(0, 8);
            case Argument.U64(long value) -> little(value);
            case Argument.Pointer(BufferRole role, long offset) ->
                Set.of(BufferRole.A, BufferRole.B, BufferRole.D, BufferRole.SCALE_A, BufferRole.SCALE_B)
                                .contains(role)
                        ? little(address(role) + offset)
                        : "own";
            case Argument.TensorMap map ->
                type(map) + " " + Long.toHexString(address(map.buffer()) + map.offsetBytes()) + " " + map.dims() + " "
                        + map.strides() + " " + map.box() + " "
                        + Collections.nCopies(map.dims().size(), 1) + " 0 "
                        + List.of(Swizzle.values()).indexOf(map.swizzle()) + " "
                        + List.of(0, 64, 128, 256).indexOf(map.promotionBytes()) + " 0";
        };
    }

    private static int type(Argument.TensorMap map) {
        return switch (map.type()) {
            case E4M3, E5M2 -> 0;
            case F16 -> 6;
            case F32 -> 7;
            case BF16 -> 9;
        };
    }

    private static String little(long value) {
        return HexFormat.of().toHexDigits(Long.reverseBytes(value));
    }
}
