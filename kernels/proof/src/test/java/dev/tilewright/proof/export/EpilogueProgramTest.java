package dev.tilewright.proof.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.program.CProgram;
import dev.tilewright.launch.program.KernelProgram;
import dev.tilewright.launch.program.PythonProgram;
import dev.tilewright.launch.reader.LaunchReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs of kernels with an epilogue take what it adds, and their self-tests apply the same steps. */
class EpilogueProgramTest {

    @TempDir
    private Path folder;

    private static KernelProgram program(String epilogue) {
        LaunchDescription launch = LaunchReader.described("{entry: k, grid: 1, block: 32, buffers: {"
                + "A: {dtype: bf16, shape: [8, 16], init: normal}, B: {dtype: bf16, shape: [24, 16], init: normal},"
                + " C: {dtype: bf16, shape: [8, 24], init: normal}, V: {dtype: bf16, shape: [24], init: normal},"
                + " D: {dtype: bf16, shape: [8, 24]}}, parameters: [{pointer: V}, {pointer: C}],"
                + " expect: [gemm: {a: A, b: B, d: D, c: C, bias: V, epilogue: \"" + epilogue + "\"}]}");
        return new KernelProgram("ended", "a title", "8x24x16", launch, "", Optional.empty(), 1, "");
    }

    @Test
    void biasAndCAreOperands() {
        Map<String, String> c = CProgram.of(program("alpha=2,beta=-1,bias,silu"));
        assertThat(c.get("ended.h"))
                .contains(
                        "    uint64_t v;\n",
                        "    uint64_t c;\n",
                        "d = a * transposed b, then alpha=2,beta=-1,bias,silu");
        assertThat(c.get("ended_test.c"))
                .contains("    operands.v = bias[0];\n", "    operands.c = c[0];\n", "    x += bias;\n");
        String python = PythonProgram.of(program("alpha=2,beta=-1,bias,silu")).get("ended.py");
        assertThat(python)
                .contains(
                        "d = ended.gemm(a, b, bias, c)",
                        "schema=\"(Tensor a, Tensor b, Tensor bias, Tensor c) -> Tensor\"",
                        "EPILOGUE = \"alpha=2,beta=-1,bias,silu\"",
                        "ADDED = (\"bias\", \"c\",)",
                        "return operator.run([a], [b], 1.0, [bias], [c])[0]");
    }

    /** As strictly as all exported C; the steps stand in the order of the epilogue. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "alpha=2,beta=0.5,bias,relu | x *= x += x += x =",
                "gelu-erf,bias,beta=-1,clamp=-2..2 | x = x += x += x =",
                "beta=1,bias,gelu | x += x += x =",
            })
    void theSelfTestCompiles(String epilogue, String order) throws IOException, InterruptedException {
        Gcc.assumePresent();
        Map<String, String> files = CProgram.of(program(epilogue));
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue());
        }
        new Gcc(folder).compile("-fsyntax-only", "ended_test.c", "ended.c");
        String body = files.get("ended_test.c").split("static double ended")[1].split("return x;")[0];
        assertThat(body.lines()
                        .map(String::strip)
                        .filter(line -> line.startsWith("x "))
                        .map(line -> line.substring(0, line.indexOf('=') + 1)))
                .containsExactly(order.split("(?<==) "));
    }
}
