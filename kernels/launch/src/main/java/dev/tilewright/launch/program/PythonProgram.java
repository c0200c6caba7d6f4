package dev.tilewright.launch.program;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Extents;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.ScalarRole;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Scales;
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
    private final PythonData data;

    private PythonProgram(KernelProgram kernel) {
        this.kernel = kernel;
        this.launch = kernel.launch();
        this.buffers = ProgramBuffers.of(launch);
        this.products = ProgramBuffers.products(launch);
        this.data = new PythonData(launch, buffers);
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
        boolean one = products.size() == 1;
        boolean deals = ProgramBuffers.passes(launch, ScalarRole.GPCS);
        Epilogue epilogue = products.getFirst().steps();
        List<String> added = ProgramBuffers.added(products.getFirst()).stream()
                .map(ProgramBuffers.Added::word)
                .toList();
        List<String> inputs = new ArrayList<>(List.of("a", "b"));
        inputs.addAll(added);
        String lists = one ? "[a], [b]" : "a, b";
        String more = added.stream()
                .map(word -> ", " + (one ? "[" + word + "]" : word))
                .collect(Collectors.joining());
        return new Template("kernel.py.txt")
                .with("NAME", kernel.name())
                .with("TITLE", kernel.title())
                .with("PROBLEM", kernel.problem())
                .with(
                        "CALL",
                        inputs.stream()
                                .map(word -> one ? word : "[" + names(word) + "]")
                                .collect(Collectors.joining(", ", "gemm(", scale() + ")")))
                .with("EPILOGUE", epilogue)
                .with("EXACT", PythonData.truth(epilogue.isExact()))
                .with("STEPS", steps(epilogue))
                .with(
                        "ADDED",
                        added.stream()
                                .map(word -> "\"" + word + "\", ")
                                .collect(Collectors.joining())
                                .strip())
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
                .with("SCALES_OF_BLOCKS", PythonData.truth(products.getFirst().scaled() == Scales.BLOCK))
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
                .with("DEAL_CODE", deals ? Template.read("deal.py.txt") : "")
                .with("DRIVER_CODE", Template.read("driver.py.txt"))
                .with("SCHEMA", schema(one, inputs))
                .with("ARGUMENTS", String.join(", ", inputs) + (scales() ? ", scale=1.0" : ""))
                .with(
                        "OPERATOR_RUN",
                        "operator.run(" + lists + ", " + (scales() ? "scale" : "1.0") + more + ")" + (one ? "[0]" : ""))
                .with("AS_LISTS", lists + more)
                .with("FAKE", "operator.fresh(" + (one ? "a)[0]" : "a[0])"))
                .text();
    }

    /** The steps of an epilogue in plain PyTorch. */
    static String steps(Epilogue epilogue) {
        int bias = epilogue.bias().filter(Major.M::equals).isPresent() ? -1 : -2;
        return TextArithmetic.PYTHON.statements(
                epilogue,
                "(" + ProgramBuffers.SCALE_A + " * " + ProgramBuffers.SCALE_B + ")",
                "bias.unsqueeze(" + bias + ")",
                "c");
    }

    private String names(String word) {
        return IntStream.range(0, products.size()).mapToObj(i -> word + i).collect(Collectors.joining(", "));
    }

    private String scale() {
        return scales() ? ", scale" : "";
    }

    private String schema(boolean one, List<String> inputs) {
        String type = one ? "Tensor" : "Tensor[]";
        return inputs.stream().map(word -> type + " " + word).collect(Collectors.joining(", ", "(", ""))
                + (scales() ? ", float scale=1.0" : "") + ") -> " + type;
    }

    private boolean scales() {
        return ProgramBuffers.passes(launch, ScalarRole.SCALE);
    }

    private static String extents(Extents extents) {
        return extents.x() + ", " + extents.y() + ", " + extents.z();
    }

    private String notes() {
        return products.stream()
                .map(product -> "    " + note(product.a()) + "\n    " + note(product.b()) + "\n"
                        + ProgramBuffers.added(product).stream()
                                .map(added ->
                                        "    " + note(added.buffer(), added.transposed(), data.tensor(added)) + "\n")
                                .collect(Collectors.joining())
                        + "    " + note(product.d()) + " = " + ended(product) + "\n")
                .collect(Collectors.joining())
                .stripTrailing();
    }

    /** The formula of a product, with its epilogue in words. */
    private String ended(Expectation.Gemm product) {
        String sums = (scales() ? "scale * " : "") + word(product.a()) + " @ " + word(product.b()) + ".mT"
                + product.scales()
                        .map(scales -> " * " + word(scales.a()) + " * " + word(scales.b()))
                        .orElse("");
        return product.epilogue().isNone() ? sums : sums + ", then " + product.epilogue();
    }

    private String note(Expectation.Operand operand) {
        return note(
                operand.buffer(),
                operand.transposed(),
                launch.buffer(operand.buffer()).shape());
    }

    /** Shape and strides as a tensor has them. */
    private String note(String name, boolean transposed, List<Long> lying) {
        BufferDescription buffer = launch.buffer(name);
        List<Long> shape = new ArrayList<>(lying);
        if (transposed) {
            Collections.swap(shape, shape.size() - 2, shape.size() - 1);
        }
        return ProgramBuffers.word(buffer) + ": " + buffer.type() + " " + shape
                + (transposed ? ", column by column: the .mT of a contiguous tensor" : "");
    }

    private String word(String buffer) {
        return ProgramBuffers.word(launch.buffer(buffer));
    }

    private String word(Expectation.Operand operand) {
        return word(operand.buffer());
    }
}
