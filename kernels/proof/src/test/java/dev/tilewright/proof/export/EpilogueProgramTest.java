package dev.tilewright.proof.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tilewright.gemm.oracle.Allowance;
import dev.tilewright.gemm.oracle.EpilogueReference;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.program.CProgram;
import dev.tilewright.launch.program.KernelProgram;
import dev.tilewright.launch.program.PythonProgram;
import dev.tilewright.launch.reader.LaunchReader;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.testing.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    private static final double[] SUMS = {-40, -3.5, -1, -0.25, 0, 0.5, 2, 7.25, 40};

    private static final double BIAS = 0.75;
    private static final double C = -2.5;

    /** A number with the methods of a tensor that the statements use. */
    private static final String TENSOR = """
            import math
            class Tensor:
                def __init__(self, x): self.x = x
                def of(self, y): return y.x if isinstance(y, Tensor) else y
                def __add__(self, y): return Tensor(self.x + self.of(y))
                def __radd__(self, y): return Tensor(y + self.x)
                def __mul__(self, y): return Tensor(self.x * self.of(y))
                def __rmul__(self, y): return Tensor(y * self.x)
                def __truediv__(self, y): return Tensor(self.x / self.of(y))
                def clamp_min(self, y): return Tensor(max(self.x, y))
                def clamp_max(self, y): return Tensor(min(self.x, y))
                def exp(self): return Tensor(math.exp(self.x))
                def erf(self): return Tensor(math.erf(self.x))
                def unsqueeze(self, axis): return self
            """;

    /** The steps as text, in either language, give the numbers of the reference. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "alpha=-0.3,beta=0.7,bias,gelu",
                "bias-m,gelu-erf,beta=-1.5",
                "silu,alpha=3,bias,beta=0.5",
                "bias,relu,clamp=0.1..3.3,beta=1"
            })
    void eitherTextComputesTheReference(String text) throws IOException, InterruptedException {
        Gcc.assumePresent();
        assumeTrue(Gcc.has("python3"), "python3 is not on the PATH");
        EpilogueReference reference = new EpilogueReference(Epilogue.parse(text));
        Allowance none = new Allowance(0, 0, 0, 0, 0);
        double[] expected = DoubleStream.of(SUMS)
                .map(sum -> reference
                        .of(sum, 0, new EpilogueOp.Addends<>(1.0, BIAS, C), none)
                        .value())
                .toArray();
        String sums = DoubleStream.of(SUMS).mapToObj(Double::toString).collect(Collectors.joining(", "));
        Gcc machine = new Gcc(folder);

        String c = CProgram.of(program(text)).get("ended_test.c");
        int start = c.indexOf("static double ended");
        Files.writeString(folder.resolve("value.c"), """
                #include <math.h>
                #include <stdio.h>
                %s
                int main(void) {
                    double sums[] = {%s};
                    for (int i = 0; i < %d; i++) printf("%%.17g\\n", ended(sums[i], 1, %s, %s));
                    return 0;
                }
                """.formatted(
                        c.substring(start, c.indexOf("\n}\n", start) + 3), sums, SUMS.length, BIAS, C));
        machine.compile("value.c", "-o", "value", "-lm");
        assertThat(numbers(machine.run(Map.of(), folder.resolve("value").toString())))
                .containsExactly(expected, within(1e-12));

        String python = PythonProgram.of(program(text)).get("ended.py");
        int from = python.indexOf("def ended(");
        Files.writeString(
                folder.resolve("value.py"),
                TENSOR + python.substring(from, python.indexOf("\n\n\n", from))
                        + "\n\nfor x in [" + sums + "]: print(ended(Tensor(x), None, None, Tensor(" + BIAS
                        + "), Tensor(" + C
                        + ")).x)\n");
        assertThat(numbers(machine.run(Map.of(), Python.program(), "value.py")))
                .containsExactly(expected, within(1e-12));
    }

    private static double[] numbers(Gcc.Ended ended) {
        assertThat(ended.code()).as(ended.said()).isZero();
        return ended.said().lines().mapToDouble(Double::parseDouble).toArray();
    }
}
