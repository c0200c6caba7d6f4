package dev.tilewright.launch.program;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.ScalarRole;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Scales;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A program in C that runs what is exported on random whole numbers and looks at what comes of it.
 *
 * @param launch whose products are computed
 */
record CSelfTest(LaunchDescription launch) {

    private static final int LARGEST_NUMBER = 2;

    /** An operand that there is not. */
    private static final String NOTHING = "{{0, {0}, 0}, 0, 0}";

    /** M at which the kernels of a range are tested at the most. */
    private static final int MOST_TESTED = 64;

    /** Of all products of a kernel at once. */
    static String of(KernelProgram kernel) {
        LaunchDescription launch = kernel.launch();
        List<Expectation.Gemm> products = ProgramBuffers.products(launch);
        CSelfTest test = new CSelfTest(launch);
        return test.filled(
                        IntStream.range(0, products.size())
                                .mapToObj(i -> test.operands(products.get(i), "[" + i + "]"))
                                .collect(Collectors.joining()),
                        products.stream().map(test::product).collect(Collectors.joining()))
                .with("MAIN", Template.read("test_main.c.txt"))
                .with("NAME", kernel.name())
                .with("TITLE", kernel.title())
                .with("SUBJECT", "the kernel")
                .text();
    }

    /** Of a range: the least and the most M of each kernel, one after the other. */
    static String of(RangeProgram range) {
        List<Integer> rows = range.members().stream()
                .flatMap(member -> member.reaches().stream())
                .flatMap(reach -> Stream.of(reach.from(), reach.to()))
                .distinct()
                .sorted()
                .toList();
        int step = Math.ceilDiv(rows.size(), MOST_TESTED);
        CSelfTest least = new CSelfTest(range.launch(range.least()));
        return least.filled(
                        least.operands(ProgramBuffers.products(least.launch()).getFirst(), "[0]"),
                        IntStream.range(0, rows.size())
                                .filter(i -> i % step == 0 || i == rows.size() - 1)
                                .mapToObj(i -> new CSelfTest(range.launch(rows.get(i))))
                                .map(each -> each.product(
                                        ProgramBuffers.products(each.launch()).getFirst()))
                                .collect(Collectors.joining()))
                .with("MAIN", Template.read("range_test_main.c.txt"))
                .with("NAME", range.name())
                .with("TITLE", range.title())
                .with("HASH", range.hash())
                .with("SUBJECT", "the kernels with the least and the most M of each")
                .text();
    }

    private Template filled(String operands, String products) {
        Expectation.Gemm first = ProgramBuffers.products(launch).getFirst();
        Epilogue epilogue = first.steps();
        return new Template("test.c.txt")
                .with("PRODUCTS", products)
                .with("SCALES_OF_BLOCKS", first.scaled() == Scales.BLOCK ? 1 : 0)
                .with("BIAS_ALONG_M", epilogue.bias().filter(Major.M::equals).isPresent() ? 1 : 0)
                .with("LOSS", epilogue.isExact() ? "0" : "1e-6")
                .with("EPILOGUE", TextArithmetic.C.statements(epilogue, "scale", "bias", "c"))
                .with(
                        "OPERANDS",
                        operands
                                + (ProgramBuffers.passes(launch, ScalarRole.SCALE) ? "    operands.scale = 1;\n" : ""));
    }

    private String operands(Expectation.Gemm product, String index) {
        return assigned(product.a().buffer(), "a", index)
                + assigned(product.b().buffer(), "b", index)
                + assigned(product.d().buffer(), "d", index)
                + ProgramBuffers.added(product).stream()
                        .map(added -> assigned(added.buffer(), added.word(), index))
                        .collect(Collectors.joining());
    }

    private String assigned(String buffer, String array, String index) {
        return "    operands." + ProgramBuffers.word(launch.buffer(buffer)) + " = " + array + index + ";\n";
    }

    private String product(Expectation.Gemm product) {
        return "    {" + operand(product.a()) + ", " + operand(product.b()) + ", " + operand(product.d()) + ", "
                + scales(product) + ", "
                + product.bias()
                        .map(bias -> operand(new Expectation.Operand(bias, false)))
                        .orElse(NOTHING)
                + ", " + product.c().map(this::operand).orElse(NOTHING) + ", "
                + product.batch() + ", " + product.m() + ", " + product.n() + ", " + product.k() + ", "
                + product.scales()
                        .map(scales -> pitch(scales.a()) + ", " + pitch(scales.b()))
                        .orElse("0, 0") + "},\n";
    }

    private long pitch(String scales) {
        return launch.buffer(scales).rowStride();
    }

    /** Those of A and of B: powers of two, so that whole numbers stay exact. */
    private String scales(Expectation.Gemm product) {
        return product.scales()
                .map(scales -> Stream.of(scales.a(), scales.b())
                        .map(buffer ->
                                operand(new Expectation.Operand(buffer, false), number -> Math.scalb(1.0, number)))
                        .collect(Collectors.joining(", ")))
                .orElse(NOTHING + ", " + NOTHING);
    }

    private String operand(Expectation.Operand operand) {
        return operand(operand, number -> number);
    }

    /** @param value that stands for one of the whole numbers */
    private String operand(Expectation.Operand operand, IntToDoubleFunction value) {
        BufferDescription buffer = launch.buffer(operand.buffer());
        ElementType type = buffer.type();
        String numbers = IntStream.rangeClosed(-LARGEST_NUMBER, LARGEST_NUMBER)
                .mapToObj(number -> "0x" + Long.toHexString(type.encode(value.applyAsDouble(number))))
                .collect(Collectors.joining(", ", "{", "}"));
        return "{{" + type.bytes() + ", " + numbers + ", " + digits(type) + "}, " + (operand.transposed() ? 1 : 0)
                + ", " + buffer.bytes() / type.bytes() + "}";
    }

    /** Of half a unit in the last place, that is 2 to the power of as many. */
    private static int digits(ElementType type) {
        return -Math.getExponent(type.halfUnit());
    }
}
