package dev.tilewright.launch.program;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Extents;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.ScalarRole;
import dev.tilewright.model.problem.Scales;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A launch as a library in C, which opens the driver itself and compiles without CUDA. */
public final class CProgram {

    private final KernelProgram kernel;
    private final LaunchDescription launch;
    private final ProgramBuffers buffers;

    private CProgram(KernelProgram kernel) {
        this.kernel = kernel;
        this.launch = kernel.launch();
        this.buffers = ProgramBuffers.of(launch);
    }

    /**
     * The files, by name.
     *
     * @throws IllegalArgumentException if no program can make the launch, with the reason
     */
    public static Map<String, String> of(KernelProgram kernel) {
        return new CProgram(kernel).files();
    }

    private Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        files.put(kernel.name() + ".h", filled("kernel.h.txt"));
        files.put(kernel.name() + ".c", filled("kernel.c.txt"));
        files.put(kernel.name() + "_image.c", image());
        files.put(kernel.name() + "_test.c", CSelfTest.of(kernel));
        files.put("CMakeLists.txt", filled("CMakeLists.txt.txt"));
        return files;
    }

    private String filled(String resource) {
        boolean deals = deals();
        return new Template(resource)
                .with("NAME", kernel.name())
                .with("GUARD", kernel.name().toUpperCase(Locale.ROOT))
                .with("TITLE", kernel.title())
                .with("PROBLEM", kernel.problem())
                .with("OPERAND_NOTES", notes())
                .with("OPERAND_MEMBERS", members())
                .with("OPERAND_COPIES", copies())
                .with("OWNED", buffers.ownBytes(launch))
                .with("OPERANDS", buffers.operands().size())
                .with("BUFFERS", buffers.own().size())
                .with("PARAMETERS", launch.parameters().size())
                .with("ENTRY", kernel.entry())
                .with("GRID", extents(launch.grid()))
                .with("BLOCK", extents(launch.block()))
                .with("CLUSTER", extents(launch.cluster().orElse(Extents.of(1))))
                .with("SHARED", launch.dynamicShared())
                .with("OVERLAPS", launch.launchOverlap() ? 1 : 0)
                .with("SMS", kernel.leastSms())
                .with("DATA", CData.of(launch, buffers))
                .with(
                        "DEAL_DECLARATION",
                        deals ? "extern const unsigned char " + kernel.name() + "_deal_image[];\n" : "")
                .with(
                        "DEAL_CODE",
                        deals
                                ? new Template("deal.c.txt")
                                        .with("NAME", kernel.name())
                                        .text()
                                : "")
                .with(
                        "DEAL_CALL",
                        deals
                                ? "    int result = measure_deal(cuda, device, kernel->deal);\n"
                                        + "    if (result != 0) {\n        return result;\n    }\n"
                                : "")
                .text();
    }

    private boolean deals() {
        return ProgramBuffers.passes(launch, ScalarRole.GPCS);
    }

    private static String extents(Extents extents) {
        return extents.x() + ", " + extents.y() + ", " + extents.z();
    }

    private String notes() {
        return ProgramBuffers.products(launch).stream()
                .map(product -> " *   " + note(product.a(), "M x K") + ";\n *   " + note(product.b(), "N x K")
                        + ";\n"
                        + ProgramBuffers.added(product).stream()
                                .map(added -> " *   " + note(added) + ";\n")
                                .collect(Collectors.joining())
                        + " *   "
                        + note(product.d(), "M x N") + ": " + word(product.d()) + " = "
                        + (scales() ? "scale * " : "")
                        + product.scales()
                                .map(scales -> word(scales.a()) + " * " + word(scales.b()) + " * ")
                                .orElse("")
                        + word(product.a()) + " * transposed " + word(product.b())
                        + (product.epilogue().isNone() ? "" : ", then " + product.epilogue())
                        + ", M = " + product.m() + ", N = " + product.n() + ", K = " + product.k() + ".\n")
                .collect(Collectors.joining())
                .stripTrailing();
    }

    /** The direction in which elements are contiguous, in words. */
    private String note(Expectation.Operand operand, String extents) {
        BufferDescription buffer = launch.buffer(operand.buffer());
        return word(operand) + ": " + buffer.type() + ", " + extents + ", "
                + (operand.transposed() ? "column by column" : "row by row")
                + (buffer.rowStride() == buffer.columns()
                        ? ""
                        : ", " + buffer.rowStride() + " elements from one to the next")
                + (buffer.shape().size() == 3
                        ? ", " + buffer.shape().getFirst() + " of them one behind the other"
                        : "");
    }

    private String note(ProgramBuffers.Added added) {
        BufferDescription buffer = launch.buffer(added.buffer());
        return ProgramBuffers.word(buffer) + ": " + buffer.type() + " of "
                + buffer.shape().stream().map(String::valueOf).collect(Collectors.joining(" x "))
                + (added.transposed() ? ", column by column" : "")
                + (buffer.rowStride() == buffer.columns()
                        ? ""
                        : ", " + buffer.rowStride() + " from one line to the next")
                + switch (added.word()) {
                    case ProgramBuffers.SCALE_A -> ", one for each " + (ofBlocks(buffer) ? "1 x 128" : "row") + " of A";
                    case ProgramBuffers.SCALE_B ->
                        ", one for each " + (ofBlocks(buffer) ? "128 x 128" : "row") + " of B";
                    default -> ", which is added";
                };
    }

    private boolean ofBlocks(BufferDescription scales) {
        return ProgramBuffers.products(launch).stream()
                .flatMap(product -> product.scales().stream())
                .anyMatch(each -> each.kind() == Scales.BLOCK
                        && List.of(each.a(), each.b()).contains(scales.name()));
    }

    private String word(String buffer) {
        return ProgramBuffers.word(launch.buffer(buffer));
    }

    private String word(Expectation.Operand operand) {
        return word(operand.buffer());
    }

    private boolean scales() {
        return ProgramBuffers.passes(launch, ScalarRole.SCALE);
    }

    private String members() {
        return buffers.operands().stream()
                        .map(buffer -> "    uint64_t " + ProgramBuffers.word(buffer) + ";\n")
                        .collect(Collectors.joining())
                + (scales() ? "    float scale; /* the product of the scales of the inputs, 1 for none */\n" : "");
    }

    private String copies() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < buffers.operands().size(); i++) {
            text.append("    made->address[%d] = operands->%s;\n"
                    .formatted(i, ProgramBuffers.word(buffers.operands().get(i))));
        }
        return text.append(scales() ? "    made->scale = operands->scale;\n" : "")
                .toString();
    }

    /** The kernel as the driver takes it: its cubin, or the text, which ends with a zero. */
    private String image() {
        byte[] image = kernel.cubin().orElseGet(() -> terminated(kernel.ptx()));
        String said = kernel.cubin().isPresent() ? kernel.name() + ".cubin" : kernel.name() + ".ptx";
        return "/* " + kernel.title() + "\n * The bytes of " + said + ". */\n"
                + array(kernel.name() + "_image", image)
                + (deals() ? array(kernel.name() + "_deal_image", terminated(kernel.dealProbe())) : "");
    }

    private static byte[] terminated(String ptx) {
        byte[] text = ptx.getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(text, text.length + 1);
    }

    private static String array(String name, byte[] content) {
        return "extern const unsigned char " + name + "[];\nconst unsigned char " + name
                + "[] __attribute__((aligned(64))) = {\n" + CData.bytes(content) + "};\n";
    }
}
