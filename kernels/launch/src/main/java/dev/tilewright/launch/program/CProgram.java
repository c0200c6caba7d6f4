package dev.tilewright.launch.program;

import dev.tilewright.launch.Extents;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.ScalarRole;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A launch as a library in C, which opens the driver itself and compiles without CUDA. */
public final class CProgram {

    private final KernelProgram kernel;
    private final LaunchDescription launch;
    private final ProgramBuffers buffers;
    private final COperands operands;

    private CProgram(KernelProgram kernel) {
        this.kernel = kernel;
        this.launch = kernel.launch();
        this.buffers = ProgramBuffers.of(launch);
        this.operands = new COperands(launch, launch, buffers);
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
                .with("OPERAND_NOTES", operands.notes())
                .with("OPERAND_MEMBERS", operands.members())
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
                .with("DRIVER_CODE", Template.read("driver.c.txt"))
                .with(
                        "DEAL_DECLARATION",
                        deals ? "extern const unsigned char " + kernel.name() + "_deal_image[];\n" : "")
                .with("DEAL_CODE", deals ? Template.read("deal.c.txt") : "")
                .with("DEAL_CALL", deals ? """
                                      int agreed = 0;
                                      uint32_t own = cluster[0] * cluster[1] * cluster[2];
                                      int result = measure_deal(cuda, device, own, kernel->deal, &agreed);
                                      if (result != 0) {
                                          return result;
                                      }
                                      if (agreed) {
                                          deal_within(kernel->deal, grid[0] * grid[1] * grid[2] / own);
                                      } else {
                                          memcpy(kernel->deal, described_deal, sizeof described_deal);
                                      }
                                  """ : "")
                .text();
    }

    private boolean deals() {
        return ProgramBuffers.passes(launch, ScalarRole.GPCS);
    }

    private static String extents(Extents extents) {
        return extents.x() + ", " + extents.y() + ", " + extents.z();
    }

    private String copies() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < buffers.operands().size(); i++) {
            text.append("    made->address[%d] = operands->%s;\n"
                    .formatted(i, ProgramBuffers.word(buffers.operands().get(i))));
        }
        return text.append(operands.scales() ? "    made->scale = operands->scale;\n" : "")
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

    /** A text as the driver takes it. */
    static byte[] terminated(String ptx) {
        byte[] text = ptx.getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(text, text.length + 1);
    }

    /** Bytes as an array that other files see. */
    static String array(String name, byte[] content) {
        return "extern const unsigned char " + name + "[];\nconst unsigned char " + name
                + "[] __attribute__((aligned(64))) = {\n" + CData.bytes(content) + "};\n";
    }
}
