package dev.tilewright.launch.program;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.ScalarRole;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Scales;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The kernels of a range as an operator of PyTorch whose M is symbolic: a module in Python, and the binding in C++ that
 * it builds.
 */
final class PythonRangeProgram {

    private final RangeProgram range;
    private final List<RangeLaunches> launches;
    private final LaunchDescription least;
    private final LaunchDescription most;
    private final ProgramBuffers buffers;
    private final Expectation.Gemm product;

    private PythonRangeProgram(RangeProgram range, List<RangeLaunches> launches) {
        if (range.hasGaps()) {
            throw new IllegalArgumentException(
                    "the operator of a range takes each of its M, got gaps in " + range.title());
        }
        this.range = range;
        this.launches = launches;
        this.least = range.launch(range.least());
        this.most = range.launch(range.most());
        this.buffers = ProgramBuffers.of(least);
        this.product = ProgramBuffers.products(least).getFirst();
    }

    /** The files, by name; the binding includes the program in C. */
    static Map<String, String> of(RangeProgram range, List<RangeLaunches> launches) {
        PythonRangeProgram program = new PythonRangeProgram(range, launches);
        Map<String, String> files = new LinkedHashMap<>();
        files.put(range.name() + ".py", program.module());
        files.put(range.name() + "_torch.cpp", program.binding());
        files.put(
                "selftest.py",
                new Template("range_selftest.py.txt").with("NAME", range.name()).text());
        return files;
    }

    private String module() {
        Epilogue epilogue = product.steps();
        PythonRangeData data = new PythonRangeData(range, launches);
        return new Template("range.py.txt")
                .with("NAME", range.name())
                .with("TITLE", range.title())
                .with("PROBLEM", range.problem())
                .with("HASH", range.hash())
                .with("LEAST", range.least())
                .with("MOST", range.most())
                .with("CALL", "gemm(" + String.join(", ", inputs()) + (scales() ? ", scale" : "") + ")")
                .with("TENSOR_NOTES", notes())
                .with("PLAIN", PythonData.truth(isPlain()))
                .with("OVERLAPS", PythonData.truth(least.launchOverlap()))
                .with("SMS", range.leastSms())
                .with("PRODUCTS", "    (" + tensors().map(this::literal).collect(Collectors.joining(", ")) + "),\n")
                .with("SCALES", PythonData.truth(scales()))
                .with("SCALES_OF_BLOCKS", PythonData.truth(product.scaled() == Scales.BLOCK))
                .with("EPILOGUE", epilogue)
                .with(
                        "ADDED",
                        added().stream()
                                .map(each -> "\"" + each.word() + "\", ")
                                .collect(Collectors.joining())
                                .strip())
                .with("EXACT", PythonData.truth(epilogue.isExact()))
                .with("KERNELS", data.kernels())
                .with("LAUNCHES", data.launches())
                .with("DEAL_PTX", range.deals() ? "r\"\"\"" + range.dealProbe() + "\"\"\"" : "None")
                .with("DEAL_CODE", range.deals() ? Template.read("deal.py.txt") : "")
                .with("DRIVER_CODE", Template.read("driver.py.txt"))
                .with("BINDING_CODE", Template.read("torch_binding.py.txt"))
                .with("STEPS", PythonProgram.steps(epilogue))
                .with("SCHEMA", schema(false))
                .with("SCHEMA_OUT", schema(true))
                .with("ARGUMENTS", String.join(", ", inputs()) + (scales() ? ", scale=1.0" : ""))
                .with("OUT_ARGUMENTS", String.join(", ", inputs()) + (scales() ? ", scale" : "") + ", out")
                .with("INPUTS", String.join(", ", inputs()))
                .with("SCALE_GIVEN", scales() ? ", scale=scale" : "")
                .with("SCALE_PASSED", scales() ? ", scale" : "")
                .text();
    }

    private String binding() {
        return new Template("range_torch.cpp.txt")
                .with("NAME", range.name())
                .with("TITLE", range.title())
                .with("LEAST", range.least())
                .with("MOST", range.most())
                .with("N", product.n())
                .with("TYPE_D", type(least.buffer(product.d().buffer()).type()))
                .with(
                        "OPERANDS_OF_TENSORS",
                        tensors()
                                .map(each -> "    " + initialiser(each) + ",\n")
                                .collect(Collectors.joining()))
                .with(
                        "TENSORS",
                        inputs().stream()
                                .map(word -> "const at::Tensor &" + word)
                                .collect(Collectors.joining(", ")))
                .with("INPUTS", String.join(", ", inputs()))
                .with(
                        "ADDED_ADDRESSES",
                        added().stream().map(each -> ", &" + each.word()).collect(Collectors.joining()))
                .with(
                        "OPERAND_ADDRESSES",
                        Stream.concat(
                                                Stream.of("a", "b", "out"),
                                                added().stream().map(ProgramBuffers.Added::word))
                                        .map(word -> "reinterpret_cast<uint64_t>(" + word + ".data_ptr())")
                                        .collect(Collectors.joining(", "))
                                + (scales() ? ", static_cast<float>(scale)" : ""))
                .with("SCALE_DECLARED", scales() ? ", double scale" : "")
                .with("SCALE_PASSED", scales() ? ", scale" : "")
                .with("PLAIN", isPlain() ? "true" : "false")
                .with("SCHEMA", schema(false))
                .with("SCHEMA_OUT", schema(true))
                .text();
    }

    /** Whether torch.mm computes the same. */
    boolean isPlain() {
        return added().isEmpty()
                && product.epilogue().isNone()
                && !scales()
                && least.buffer(product.a().buffer())
                        .type()
                        .equals(least.buffer(product.b().buffer()).type())
                && least.buffer(product.a().buffer())
                        .type()
                        .equals(least.buffer(product.d().buffer()).type());
    }

    private boolean scales() {
        return ProgramBuffers.passes(least, ScalarRole.SCALE);
    }

    private List<ProgramBuffers.Added> added() {
        return ProgramBuffers.added(product);
    }

    private List<String> inputs() {
        List<String> inputs = new ArrayList<>(List.of("a", "b"));
        added().forEach(each -> inputs.add(each.word()));
        return inputs;
    }

    private String schema(boolean out) {
        return inputs().stream().map(word -> "Tensor " + word).collect(Collectors.joining(", ", "(", ""))
                + (scales() ? ", float scale" + (out ? "" : "=1.0") : "")
                + (out ? ", Tensor(a!) out) -> ()" : ") -> Tensor");
    }

    /**
     * A tensor as it lies.
     *
     * @param transposed whether its rows are the columns in memory
     * @param extents in memory, -1 for M
     */
    private record TensorOf(String word, ElementType type, boolean transposed, List<Long> extents) {}

    /** A, B, D and what is added. */
    private Stream<TensorOf> tensors() {
        PythonData fewest = new PythonData(least, buffers);
        PythonData largest = new PythonData(most, ProgramBuffers.of(most));
        return Stream.concat(
                Stream.of(product.a(), product.b(), product.d())
                        .map(operand -> tensor(
                                operand.buffer(),
                                operand.transposed(),
                                least.buffer(operand.buffer()).shape(),
                                most.buffer(operand.buffer()).shape())),
                added().stream()
                        .map(each ->
                                tensor(each.buffer(), each.transposed(), fewest.tensor(each), largest.tensor(each))));
    }

    private TensorOf tensor(String buffer, boolean transposed, List<Long> few, List<Long> many) {
        BufferDescription described = least.buffer(buffer);
        return new TensorOf(
                ProgramBuffers.word(described),
                described.type(),
                transposed,
                IntStream.range(0, few.size())
                        .mapToObj(i -> few.get(i).equals(many.get(i)) ? few.get(i) : Long.valueOf(-1))
                        .toList());
    }

    private String literal(TensorOf tensor) {
        return "(\"" + tensor.word() + "\", \"" + tensor.type() + "\", " + PythonData.truth(tensor.transposed()) + ", ("
                + tensor.extents().stream()
                        .map(extent -> (extent < 0 ? "None" : String.valueOf(extent)) + ",")
                        .collect(Collectors.joining(" "))
                + "))";
    }

    private static String initialiser(TensorOf tensor) {
        return "{\"" + tensor.word() + "\", " + type(tensor.type()) + ", " + tensor.transposed() + ", "
                + tensor.extents().size() + ", " + CData.list(tensor.extents()) + "}";
    }

    /** The type of PyTorch. */
    static String type(ElementType type) {
        return switch (type) {
            case BF16 -> "at::kBFloat16";
            case F16 -> "at::kHalf";
            case F32 -> "at::kFloat";
            case E4M3 -> "at::kFloat8_e4m3fn";
            case E5M2 -> "at::kFloat8_e5m2";
            case U8, S8, U16, S16, U32, S32, U64, S64, TF32, F64 ->
                throw new IllegalArgumentException("PyTorch has no operand of a GEMM with elements of " + type);
        };
    }

    private String notes() {
        return tensors().map(each -> "    " + note(each) + "\n").collect(Collectors.joining())
                + "    d = " + (scales() ? "scale * " : "") + "a @ b.mT"
                + (product.scales().isPresent() ? " * scale_a * scale_b" : "")
                + (product.epilogue().isNone() ? "" : ", then " + product.epilogue());
    }

    private static String note(TensorOf tensor) {
        List<Long> extents = tensor.transposed() ? tensor.extents().reversed() : tensor.extents();
        return tensor.word() + ": " + tensor.type() + " "
                + extents.stream()
                        .map(extent -> extent < 0 ? "M" : String.valueOf(extent))
                        .collect(Collectors.joining(", ", "[", "]"))
                + (tensor.transposed()
                        ? ", column by column"
                                + (tensor.extents().getLast() < 0 ? ", each column rounded up to 16 bytes" : "")
                        : "");
    }
}
