package dev.tilewright.launch.program;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.LaunchDescription;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The kernels of a range as a library in C, which opens the driver itself and compiles without CUDA. */
final class CRangeProgram {

    private final RangeProgram range;
    private final List<RangeLaunches> launches;
    private final LaunchDescription least;
    private final COperands operands;

    private CRangeProgram(RangeProgram range, List<RangeLaunches> launches) {
        this.range = range;
        this.launches = launches;
        this.least = range.launch(range.least());
        this.operands = COperands.of(least, range.launch(range.most()));
    }

    /** The files, by name. */
    static Map<String, String> of(RangeProgram range, List<RangeLaunches> launches) {
        return new CRangeProgram(range, launches).files();
    }

    private Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        files.put(range.name() + ".h", filled("range.h.txt"));
        files.put(range.name() + ".c", filled("range.c.txt"));
        files.put(range.name() + "_image.c", image());
        files.put(range.name() + "_test.c", CSelfTest.of(range));
        files.put("CMakeLists.txt", filled("CMakeLists.txt.txt"));
        return files;
    }

    private String filled(String resource) {
        boolean deals = range.deals();
        return new Template(resource)
                .with("NAME", range.name())
                .with("GUARD", range.name().toUpperCase(Locale.ROOT))
                .with("TITLE", range.title())
                .with("PROBLEM", range.problem())
                .with("HASH", range.hash())
                .with("LEAST", range.least())
                .with("MOST", range.most())
                .with("GAPS", range.hasGaps() ? " and one of the table" : "")
                .with("OPERAND_NOTES", operands.notes())
                .with("OPERAND_MEMBERS", operands.members())
                .with(
                        "OPERAND_LIST",
                        operands.buffers().operands().stream()
                                .map(buffer -> "operands->" + ProgramBuffers.word(buffer))
                                .collect(Collectors.joining(", ")))
                .with("SCALE", operands.scales() ? "operands->scale" : "1")
                .with("OWNED", owned())
                .with("KERNELS", launches.size())
                .with("OPERANDS", operands.buffers().operands().size())
                .with("BUFFERS", most(each -> each.ownBytes().size()))
                .with("PARAMETERS", most(each -> each.like().parameters().size()))
                .with("NUMBERS", Math.max(1, most(each -> each.columns().size())))
                .with("OVERLAPS", least.launchOverlap() ? 1 : 0)
                .with("SMS", range.leastSms())
                .with("DATA", CRangeData.of(range, launches))
                .with("DRIVER_CODE", Template.read("driver.c.txt"))
                .with(
                        "DEAL_DECLARATION",
                        deals ? "extern const unsigned char " + range.name() + "_deal_image[];\n" : "")
                .with("DEAL_CODE", deals ? Template.read("deal.c.txt") : "")
                .with("DEAL_CALL", deals ? """
                                      if (kernel->deals) {
                                          int result = measure_deal(cuda, device, kernel->cluster, loaded->deal, &loaded->agreed);
                                          if (result != 0) {
                                              return result;
                                          }
                                      }
                                  """ : "")
                .with("DEAL_OF_LAUNCH", deals ? """
                                      uint32_t dealt[5];
                                      if (loaded->agreed) {
                                          memcpy(dealt, loaded->deal, sizeof dealt);
                                          deal_within(dealt, launch->grid / kernel->cluster);
                                          deal = dealt;
                                      }
                                  """ : "")
                .text();
    }

    private int most(ToIntFunction<RangeLaunches> number) {
        return launches.stream().mapToInt(number).max().orElseThrow();
    }

    /** Bytes of a workspace: kernels share buffers of the same index and preparation. */
    private long owned() {
        Map<String, Long> bytes = new LinkedHashMap<>();
        for (RangeLaunches each : launches) {
            List<BufferDescription> own = ProgramBuffers.of(each.like()).own();
            for (int i = 0; i < own.size(); i++) {
                bytes.merge(
                        i + " " + ProgramBuffers.preparation(each.like(), own.get(i)),
                        each.ownBytes().get(i),
                        Math::max);
            }
        }
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    private String image() {
        return "/* " + range.title() + "\n * The bytes of the kernels. */\n"
                + IntStream.range(0, launches.size())
                        .mapToObj(i -> CProgram.array(
                                range.name() + "_image_" + i,
                                range.members()
                                        .get(i)
                                        .cubin()
                                        .orElseGet(() -> CProgram.terminated(
                                                range.members().get(i).ptx()))))
                        .collect(Collectors.joining())
                + (range.deals()
                        ? CProgram.array(range.name() + "_deal_image", CProgram.terminated(range.dealProbe()))
                        : "");
    }
}
