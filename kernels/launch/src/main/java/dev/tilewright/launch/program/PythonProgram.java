package dev.tilewright.launch.program;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Extents;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.ScalarRole;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A launch as a module in Python, which opens the driver itself; where there is PyTorch, it is an operator. */
public final class PythonProgram {

    private final KernelProgram kernel;
    private final LaunchDescription launch;
    private final ProgramBuffers buffers;
    private final List<Expectation.Gemm> products;

    private PythonProgram(KernelProgram kernel) {
        this.kernel = kernel;
        this.launch = kernel.launch();
        this.buffers = ProgramBuffers.of(launch);
        this.products = ProgramBuffers.products(launch);
    }

    /**
     * The files, by name. The module reads {@code NAME.cubin}, or {@code NAME.ptx} where nobody assembled the text.
     *
     * @throws IllegalArgumentException if no program can make the launch, with the reason
     */
    public static Map<String, String> of(KernelProgram kernel) {
        return Map.of(
                kernel.name() + ".py",
                new PythonProgram(kernel).text(),
                "selftest.py",
                new Template("selftest.py.txt").text());
    }

    private String text() {
        PythonData data = new PythonData(launch, buffers);
        boolean one = products.size() == 1;
        boolean deals = ProgramBuffers.passes(launch, ScalarRole.GPCS);
        String lists = one ? "[a], [b]" : "a, b";
        return new Template("kernel.py.txt")
                .with("NAME", kernel.name())
                .with("TITLE", kernel.title())
                .with("PROBLEM", kernel.problem())
                .with("CALL", "gemm(" + (one ? "a, b" : "[" + names("a") + "], [" + names("b") + "]") + scale() + ")")
                .with("TENSOR_NOTES", notes())
                .with("IMAGE", kernel.name() + (kernel.cubin().isPresent() ? ".cubin" : ".ptx"))
                .with("ENTRY", kernel.entry())
                .with("GRID", extents(launch.grid()))
                .with("BLOCK", extents(launch.block()))
                .with("CLUSTER", extents(launch.cluster().orElse(Extents.of(1))))
                .with("SHARED", launch.dynamicShared())
                .with("OVERLAPS", PythonData.truth(launch.launchOverlap()))
                .with("SMS", kernel.leastSms())
                .with("PRODUCTS", data.products())
                .with("SCALES", PythonData.truth(scales()))
                .with("BUFFERS", data.own())
                .with("PARAMETERS", data.parameters())
                .with(
                        "DEAL",
                        deals
                                ? PythonData.list(Arrays.stream(Block.deal(launch))
                                        .boxed()
                                        .toList())
                                : "None")
                .with("DEAL_PTX", deals ? "r\"\"\"" + kernel.dealProbe() + "\"\"\"" : "None")
                .with("DEAL_CODE", deals ? new Template("deal.py.txt").text() : "")
                .with("SCHEMA", schema(one))
                .with("ARGUMENTS", "a, b" + (scales() ? ", scale=1.0" : ""))
                .with(
                        "OPERATOR_RUN",
                        "operator.run(" + lists + ", " + (scales() ? "scale" : "1.0") + ")" + (one ? "[0]" : ""))
                .with("AS_LISTS", lists)
                .with("FAKE", "operator.fresh(" + (one ? "a)[0]" : "a[0])"))
                .text();
    }

    private String names(String word) {
        return IntStream.range(0, products.size()).mapToObj(i -> word + i).collect(Collectors.joining(", "));
    }

    private String scale() {
        return scales() ? ", scale" : "";
    }

    private String schema(boolean one) {
        String type = one ? "Tensor" : "Tensor[]";
        return "(" + type + " a, " + type + " b" + (scales() ? ", float scale=1.0" : "") + ") -> " + type;
    }

    private boolean scales() {
        return ProgramBuffers.passes(launch, ScalarRole.SCALE);
    }

    private static String extents(Extents extents) {
        return extents.x() + ", " + extents.y() + ", " + extents.z();
    }

    private String notes() {
        return products.stream()
                .map(product -> "    " + note(product.a()) + "\n    " + note(product.b()) + "\n    "
                        + note(product.d()) + " = " + (scales() ? "scale * " : "") + word(product.a()) + " @ "
                        + word(product.b()) + ".mT\n")
                .collect(Collectors.joining())
                .stripTrailing();
    }

    /** Shape and strides as a tensor has them. */
    private String note(Expectation.Operand operand) {
        BufferDescription buffer = launch.buffer(operand.buffer());
        List<Long> shape = new ArrayList<>(buffer.shape());
        if (operand.transposed()) {
            Collections.swap(shape, shape.size() - 2, shape.size() - 1);
        }
        return word(operand) + ": " + buffer.type() + " " + shape
                + (operand.transposed() ? ", column by column: the .mT of a contiguous tensor" : "");
    }

    private String word(Expectation.Operand operand) {
        return ProgramBuffers.word(launch.buffer(operand.buffer()));
    }
}
