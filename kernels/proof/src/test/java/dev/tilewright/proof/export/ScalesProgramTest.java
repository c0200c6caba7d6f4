package dev.tilewright.proof.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tilewright.launch.program.CProgram;
import dev.tilewright.launch.program.KernelProgram;
import dev.tilewright.launch.program.PythonProgram;
import dev.tilewright.launch.reader.LaunchReader;
import dev.tilewright.testing.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs of kernels with scales of rows or of blocks take them as operands, and their self-tests multiply with them.
 */
class ScalesProgramTest {

    @TempDir
    private Path folder;

    private static KernelProgram program(String more) {
        return new KernelProgram(
                "scaled",
                "a title",
                "8x24x16",
                LaunchReader.described("{entry: k, grid: 1, block: 32, buffers: {"
                        + "A: {dtype: e4m3, shape: [8, 16], init: normal}, B: {dtype: e5m2, shape: [24, 16], init: normal},"
                        + " R: {dtype: f32, shape: [8], init: logUniform}, C: {dtype: f32, shape: [24], init: logUniform},"
                        + (more.isEmpty() ? "" : " V: {dtype: bf16, shape: [24], init: normal},")
                        + " D: {dtype: bf16, shape: [8, 24]}},"
                        + " parameters: [{pointer: R}, {pointer: C}],"
                        + " expect: [gemm: {a: A, b: B, d: D, scales: {kind: row, a: R, b: C}" + more + "}]}"),
                "",
                Optional.empty(),
                1,
                "");
    }

    @Test
    void scalesAreOperands() {
        KernelProgram ended = program(", bias: V, epilogue: bias");
        Map<String, String> c = CProgram.of(ended);
        assertThat(c.get("scaled.h"))
                .contains(
                        "    uint64_t r;\n    uint64_t c;\n    uint64_t v;\n",
                        "r: f32 of 8, one for each row of A",
                        "c: f32 of 24, one for each row of B",
                        "d = r * c * a * transposed b, then bias");
        assertThat(c.get("scaled_test.c"))
                .contains(
                        "    operands.r = scale_a[0];\n",
                        "    operands.c = scale_b[0];\n",
                        "    x *= scale;\n    x += bias;\n",
                        // 2^-2 to 2^2
                        "{0x3e800000, 0x3f000000, 0x3f800000, 0x40000000, 0x40800000}");
        String python = PythonProgram.of(ended).get("scaled.py");
        assertThat(python)
                .contains(
                        "d = scaled.gemm(a, b, scale_a, scale_b, bias)",
                        "r: f32 [8, 1]",
                        "c: f32 [1, 24]",
                        "= a @ b.mT * r * c, then bias",
                        "ADDED = (\"scale_a\", \"scale_b\", \"bias\",)",
                        "    x = x * (scale_a * scale_b)\n",
                        "return operator.run([a], [b], 1.0, [scale_a], [scale_b], [bias])[0]");
    }

    /** As strictly as all exported C. */
    @Test
    void theSelfTestCompiles() throws IOException, InterruptedException {
        Gcc.assumePresent();
        for (Map.Entry<String, String> file : CProgram.of(program("")).entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue());
        }
        new Gcc(folder).compile("-fsyntax-only", "scaled_test.c", "scaled.c");
    }

    private Gcc.Ended scaled(String c, String product, String rows, String columns, String calls)
            throws IOException, InterruptedException {
        Gcc.assumePresent();
        int from = c.indexOf("enum { SCALES_OF_BLOCKS");
        int code = c.indexOf("static double scaled(");
        Files.writeString(folder.resolve("value.c"), """
                #include <math.h>
                #include <stdint.h>
                #include <stdio.h>
                struct operand { uint64_t size; };
                struct product { struct operand scale_a, scale_b; uint64_t batch, pitch_a, pitch_b; };
                %s
                %s
                int main(void) {
                    const signed char rows[] = {%s}, columns[] = {%s};
                    const struct product product = {%s}, none = {{0}, {0}, 1, 0, 0};
                    const double values[] = {%s, scaled(&none, NULL, NULL, 0, 0, 0, 0)};
                    for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++) printf("%%g ", values[i]);
                    return 0;
                }
                """.formatted(
                        c.substring(from, c.indexOf('\n', from)),
                        c.substring(code, c.indexOf("\n}\n", code) + 3),
                        rows,
                        columns,
                        product,
                        calls.replaceAll("at\\(", "scaled(&product, rows, columns, ")));
        Gcc machine = new Gcc(folder);
        machine.compile("value.c", "-o", "value", "-lm");
        return machine.run(Map.of(), folder.resolve("value").toString());
    }

    /** The self-test finds the scale of an element by its row, its column and its matrix. */
    @Test
    void theSelfTestTakesTheScaleOfTheElement() throws IOException, InterruptedException {
        Gcc.Ended ended = scaled(
                CProgram.of(program("")).get("scaled_test.c"),
                "{6}, {4}, 2, 3, 2",
                "0, 1, 2, -2, -1, 0",
                "1, -1, 2, 2",
                "at(0, 2, 1, 500), at(1, 0, 0, 0), at(0, 0, 0, 0)");
        assertThat(ended.said().strip()).isEqualTo("2 1 2 1");
    }

    private static KernelProgram ofBlocks() {
        return new KernelProgram(
                "scaled",
                "a title",
                "6x136x272",
                LaunchReader.described("{entry: k, grid: 1, block: 32, buffers: {"
                        + "A: {dtype: e4m3, shape: [6, 272], init: normal}, B: {dtype: e4m3, shape: [136, 272], init: normal},"
                        + " R: {dtype: f32, shape: [3, 6], rowStride: 8, init: logUniform},"
                        + " C: {dtype: f32, shape: [2, 3], rowStride: 4, init: logUniform},"
                        + " D: {dtype: bf16, shape: [6, 136]}}, parameters: [{pointer: R}, {pointer: C}],"
                        + " expect: [gemm: {a: A, b: B, d: D, scales: {kind: block, a: R, b: C}}]}"),
                "",
                Optional.empty(),
                1,
                "");
    }

    /** Scales of blocks are shaped as torch._scaled_mm takes them: M contiguous, and K contiguous. */
    @Test
    void scalesOfBlocksAreOperands() throws IOException, InterruptedException {
        Map<String, String> c = CProgram.of(ofBlocks());
        assertThat(c.get("scaled.h"))
                .contains(
                        "r: f32 of 3 x 6, column by column, 8 from one line to the next, one for each 1 x 128 of A",
                        "c: f32 of 2 x 3, column by column, 4 from one line to the next, one for each 128 x 128 of B");
        String python = PythonProgram.of(ofBlocks()).get("scaled.py");
        assertThat(python)
                .contains(
                        "(\"r\", \"f32\", True, [3, 6], 8)",
                        "(\"c\", \"f32\", True, [2, 3], 4)",
                        "SCALES_OF_BLOCKS = True",
                        "r: f32 [6, 3]",
                        "c: f32 [3, 2]");
        Gcc.assumePresent();
        for (Map.Entry<String, String> file : c.entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue());
        }
        new Gcc(folder).compile("-fsyntax-only", "scaled_test.c", "scaled.c");
    }

    /** The last block of K is shorter; a line of scales is longer than its numbers. */
    @Test
    void theSelfTestTakesTheScaleOfTheBlock() throws IOException, InterruptedException {
        Gcc.Ended ended = scaled(
                CProgram.of(ofBlocks()).get("scaled_test.c"),
                "{24}, {8}, 1, 8, 4",
                "0, 1, 2, 0, 0, 0, 9, 9, 1, 1, 1, 1, 1, 2, 9, 9, -1, -2, -1, -1, -1, 0, 9, 9",
                "1, 0, -2, 9, 2, -1, 1, 9",
                "at(0, 1, 127, 127), at(0, 5, 0, 128), at(0, 5, 128, 271), at(0, 1, 135, 256)");
        assertThat(ended.said().strip()).isEqualTo("4 4 2 0.5 1");
    }

    /** Where pitch and shape of a tensor are others, both are in the message. */
    @Test
    void aTransposedScaleTensorIsRefusedWithBothShapes() throws IOException, InterruptedException {
        Gcc.assumePresent();
        assumeTrue(Gcc.has("python3"), "python3 is not on the PATH");
        String python = PythonProgram.of(ofBlocks()).get("scaled.py");
        Files.writeString(folder.resolve("scaled.py"), python);
        try (var source = ScalesProgramTest.class.getResourceAsStream("torch.py")) {
            Files.write(
                    folder.resolve("torch.py"), Objects.requireNonNull(source).readAllBytes());
        }
        Files.writeString(folder.resolve("main.py"), """
                import torch
                import scaled

                operator = scaled.Operator(torch)
                operand = scaled.PRODUCTS[0][3]
                operator.check(operand, torch.Tensor((6, 3), torch.float32, (1, 8)))
                for wrong in (torch.Tensor((3, 6), torch.float32), torch.Tensor((6, 3), torch.float32)):
                    try:
                        operator.check(operand, wrong)
                    except ValueError as refused:
                        print(refused)
                """);
        Gcc.Ended ended = new Gcc(folder)
                .run(Map.of(), Python.program(), folder.resolve("main.py").toString());
        assertThat(ended.said().lines())
                .containsExactly(
                        "scaled: r must be float32 of shape (6, 3) and strides (1, 8), got float32 of shape (3, 6) and"
                                + " strides (6, 1)",
                        "scaled: r must be float32 of shape (6, 3) and strides (1, 8), got float32 of shape (6, 3) and"
                                + " strides (3, 1)");
    }
}
