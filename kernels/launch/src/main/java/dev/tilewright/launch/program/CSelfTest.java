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

/** A program in C that runs an exported kernel on random whole numbers and looks at what comes of it. */
record CSelfTest(KernelProgram kernel, LaunchDescription launch) {

    private static final int LARGEST_NUMBER = 2;

    /** An operand that there is not. */
    private static final String NOTHING = "{{0, {0}, 0}, 0, 0}";

    static String of(KernelProgram kernel) {
        return new CSelfTest(kernel, kernel.launch()).text();
    }

    private String text() {
        List<Expectation.Gemm> products = ProgramBuffers.products(launch);
        Epilogue epilogue = products.getFirst().steps();
        return new Template("test.c.txt")
                .with("NAME", kernel.name())
                .with("TITLE", kernel.title())
                .with("PRODUCTS", products.stream().map(this::product).collect(Collectors.joining()))
                .with("SCALES_OF_BLOCKS", products.getFirst().scaled() == Scales.BLOCK ? 1 : 0)
                .with("BIAS_ALONG_M", epilogue.bias().filter(Major.M::equals).isPresent() ? 1 : 0)
                .with("LOSS", epilogue.isExact() ? "0" : "1e-6")
                .with("EPILOGUE", TextArithmetic.C.statements(epilogue, "scale", "bias", "c"))
                .with(
                        "OPERANDS",
                        IntStream.range(0, products.size())
                                        .mapToObj(i -> operands(products.get(i), i))
                                        .collect(Collectors.joining())
                                + (ProgramBuffers.passes(launch, ScalarRole.SCALE) ? "    operands.scale = 1;\n" : ""))
                .text();
    }

    private String operands(Expectation.Gemm product, int i) {
        return assigned(product.a().buffer(), "a", i)
                + assigned(product.b().buffer(), "b", i)
                + assigned(product.d().buffer(), "d", i)
                + ProgramBuffers.added(product).stream()
                        .map(added -> assigned(added.buffer(), added.word(), i))
                        .collect(Collectors.joining());
    }

    private String assigned(String buffer, String array, int i) {
        return "    operands." + ProgramBuffers.word(launch.buffer(buffer)) + " = " + array + "[" + i + "];\n";
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
