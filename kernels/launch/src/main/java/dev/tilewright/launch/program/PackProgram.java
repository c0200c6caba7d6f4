package dev.tilewright.launch.program;

import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.ScalarRole;
import dev.tilewright.launch.program.ProgramFiles.Language;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.Scales;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The kernels of several products as one package for PyTorch: it computes the calls of {@code mm}, {@code addmm} and
 * {@code _scaled_mm} that it has kernels for.
 *
 * @param hash of all tables, so that ranks can tell whether they launch the same kernels
 * @param programs each with names of its own
 */
public record PackProgram(String hash, List<RangeProgram> programs) {

    /** @throws IllegalArgumentException if two programs have one name */
    public PackProgram {
        programs = List.copyOf(programs);
        Set<String> names = new HashSet<>();
        for (RangeProgram program : programs) {
            if (!names.add(program.name())) {
                throw new IllegalArgumentException("two products of a pack are called " + program.name());
            }
        }
    }

    /**
     * All files but {@code pack.json}, by their path in the folder.
     *
     * @param name of the package
     * @throws IllegalArgumentException if no program can make the launches, with the reason
     */
    public Map<String, byte[]> files(String name) {
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put(
                "__init__.py",
                bytes(new Template("pack.py.txt")
                        .with("PACKAGE", name)
                        .with("BINDING_CODE", Template.read("torch_binding.py.txt"))
                        .text()));
        files.put(
                "pack.cpp",
                bytes(new Template("pack.cpp.txt").with("HASH", hash).text()));
        files.put("products.h", bytes(products()));
        for (RangeProgram program : programs) {
            RangeFiles.of(program, Set.of(Language.C))
                    .forEach((file, content) -> files.put(program.name() + "/" + file, content));
        }
        return files;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String products() {
        return programs.stream()
                        .map(program -> "#include \"" + program.name() + "/" + program.name() + ".h\"\n")
                        .collect(Collectors.joining("", "", "\n"))
                + programs.stream().map(PackProgram::calls).collect(Collectors.joining())
                + CData.array(
                        "const Product products[]",
                        programs.stream().map(PackProgram::product).toList());
    }

    /** The functions of a program, whose types are its own. */
    private static String calls(RangeProgram program) {
        LaunchDescription least = program.launch(program.least());
        String operands = ProgramBuffers.of(least).operands().stream()
                .map(buffer -> "operands." + ProgramBuffers.word(buffer))
                .collect(Collectors.joining(", "));
        return """
                int open_of_@NAME@(void **kernels) {
                    return @NAME@_open(reinterpret_cast<@NAME@_kernels **>(kernels));
                }

                int reserve_of_@NAME@(void *kernels, void **workspace) {
                    return @NAME@_reserve(static_cast<@NAME@_kernels *>(kernels),
                        reinterpret_cast<@NAME@_workspace **>(workspace));
                }

                int run_of_@NAME@(void *workspace, const Addresses &operands, uint64_t m, void *stream) {
                    const @NAME@_operands given = {%s};
                    return @NAME@_run(static_cast<@NAME@_workspace *>(workspace), &given, m, stream);
                }

                """.formatted(operands).replace("@NAME@", program.name());
    }

    private static String product(RangeProgram program) {
        LaunchDescription least = program.launch(program.least());
        if (ProgramBuffers.passes(least, ScalarRole.SCALE)) {
            throw new IllegalArgumentException("a kernel of a pack takes no scale from the host: " + program.title());
        }
        Expectation.Gemm product = ProgramBuffers.products(least).getFirst();
        Function<String, String> type =
                buffer -> PythonRangeProgram.type(least.buffer(buffer).type());
        String name = program.name();
        return Stream.of(
                        "\"" + name + "\"",
                        String.valueOf(product.n()),
                        String.valueOf(product.k()),
                        type.apply(product.a().buffer()),
                        type.apply(product.b().buffer()),
                        type.apply(product.d().buffer()),
                        type.apply(product.bias()
                                .or(() -> product.c().map(Expectation.Operand::buffer))
                                .orElse(product.d().buffer())),
                        String.valueOf(product.a().transposed()),
                        String.valueOf(product.b().transposed()),
                        "Scales::" + scales(product),
                        String.valueOf(pitchOfScalesB(least, product)),
                        factor(product, EpilogueOp.Alpha.class, EpilogueOp.Alpha::factor, 1),
                        String.valueOf(product.bias().isPresent()),
                        factor(product, EpilogueOp.Beta.class, EpilogueOp.Beta::factor, 0),
                        "open_of_" + name,
                        "reserve_of_" + name,
                        "run_of_" + name,
                        name + "_takes",
                        name + "_error")
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String scales(Expectation.Gemm product) {
        return switch (product.scaled()) {
            case TENSOR -> "NONE";
            case ROW -> "ROW";
            case BLOCK -> "BLOCK";
        };
    }

    private static long pitchOfScalesB(LaunchDescription launch, Expectation.Gemm product) {
        return product.scaled() == Scales.BLOCK
                ? launch.buffer(product.scales().orElseThrow().b()).rowStride()
                : 0;
    }

    private static <O extends EpilogueOp> String factor(
            Expectation.Gemm product, Class<O> step, ToDoubleFunction<O> factor, double without) {
        return String.valueOf(product.epilogue().ops().stream()
                .filter(step::isInstance)
                .map(step::cast)
                .mapToDouble(factor)
                .findFirst()
                .orElse(without));
    }
}
