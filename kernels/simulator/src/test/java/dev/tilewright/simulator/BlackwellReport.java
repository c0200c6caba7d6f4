package dev.tilewright.simulator;

import dev.tilewright.simulator.BlackwellCases.Ahead;
import dev.tilewright.simulator.BlackwellCases.Freed;
import dev.tilewright.simulator.BlackwellCases.Imbalance;
import dev.tilewright.simulator.BlackwellCases.Preemption;
import dev.tilewright.simulator.BlackwellCases.Spread;
import dev.tilewright.simulator.BlackwellCases.Swept;
import dev.tilewright.simulator.BlackwellCases.Variation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * All cases on both GPUs, beside what was published. It holds no date and no machine: the same constants give the same
 * report anywhere.
 *
 * @param gpus one for each preset
 */
record BlackwellReport(List<OneGpu> gpus) {

    /** The cases of one GPU with the constants that gave them. */
    record OneGpu(
            GpuConstants constants,
            Variation a,
            List<Imbalance> b,
            Spread c,
            List<Ahead> d,
            List<Preemption> e,
            List<Freed> f,
            List<Swept> g) {

        static OneGpu of(GpuConstants preset) {
            return new OneGpu(
                    preset,
                    BlackwellCases.variation(preset),
                    BlackwellCases.imbalance(preset),
                    BlackwellCases.spread(preset),
                    BlackwellCases.prefetch(preset),
                    BlackwellCases.preemption(preset),
                    BlackwellCases.freed(preset),
                    BlackwellCases.sweep(preset));
        }
    }

    static final List<GpuConstants> PRESETS = List.of(SimulatedGpus.B200, SimulatedGpus.GB200);

    static BlackwellReport make() {
        return new BlackwellReport(PRESETS.stream().map(OneGpu::of).toList());
    }

    /** One section for each case, the published figure first. */
    String markdown() {
        List<String> lines = new ArrayList<>();
        lines.add("Predicted by "
                + each(gpu ->
                        "`" + gpu.constants().name() + "` " + gpu.constants().version())
                + ". Nothing here was measured but what is called published.");
        a(lines);
        b(lines);
        c(lines);
        d(lines);
        e(lines);
        f(lines);
        g(lines);
        return lines.stream().collect(Collectors.joining("\n", "", "\n"));
    }

    private interface Figure {
        String of(OneGpu gpu);
    }

    private String each(Figure figure) {
        return gpus.stream().map(figure::of).collect(Collectors.joining(", "));
    }

    private void a(List<String> lines) {
        heading(lines, "(a) Static against CLC, 8192 x 8192 x 8192");
        table(
                lines,
                "",
                "static, TFLOP/s",
                "CLC, TFLOP/s",
                "CLC / static, same clock",
                "at the settled clocks",
                "same clock, tiles do not vary");
        row(lines, "published, GB200", "1040", "1081", "1.039", "", "");
        for (OneGpu gpu : gpus) {
            row(
                    lines,
                    "predicted, " + gpu.constants().name(),
                    whole(gpu.a().staticTflops()),
                    whole(gpu.a().clcTflops()),
                    ratio(gpu.a().sameClock()),
                    ratio(gpu.a().settled()),
                    ratio(gpu.a().withoutVariation()));
        }
    }

    private void b(List<String> lines) {
        heading(lines, "(b) Grouped 1024 x 1024 x {1024, K, 1024, K}");
        lines.add("Published: static falls behind as K grows. Predicted, TFLOP/s:");
        lines.add("");
        table(
                lines,
                "GPU",
                "K",
                "single",
                "static",
                "CLC, asks at the start of a tile",
                "CLC, asks after the mainloop",
                "the last / static");
        for (OneGpu gpu : gpus) {
            gpu.b()
                    .forEach(at -> row(
                            lines,
                            gpu.constants().name(),
                            at.k(),
                            whole(at.single()),
                            whole(at.dealt()),
                            whole(at.clc()),
                            whole(at.clcAfterMainloop()),
                            ratio(at.clcAfterMainloop() / at.dealt())));
        }
    }

    private void c(List<String> lines) {
        heading(lines, "(c) Tiles of an SM, 16384 x 16384 x 2048");
        table(lines, "", "static", "CLC");
        row(lines, "published, 74 clusters of two", "differ by at most one", "54 to 59");
        for (OneGpu gpu : gpus) {
            row(
                    lines,
                    "predicted, " + gpu.constants().name() + ", seeds 1 to "
                            + gpu.c().clc().size(),
                    range(gpu.c().dealt()),
                    gpu.c().clc().stream().map(BlackwellReport::range).collect(Collectors.joining(", ")));
        }
    }

    private void d(List<String> lines) {
        heading(lines, "(d) Queries in flight, the same problem");
        lines.add("Published: more of them approach static. Predicted, mean of the seeds:");
        lines.add("");
        table(lines, "GPU", "scheduler", "million cycles", "most less fewest tiles of an SM");
        for (OneGpu gpu : gpus) {
            gpu.d()
                    .forEach(at -> row(
                            lines,
                            gpu.constants().name(),
                            at.scheduler(),
                            format("%.4f", at.megacycles()),
                            format("%.1f", at.spread())));
        }
    }

    private void e(List<String> lines) {
        heading(lines, "(e) A kernel of higher priority wants eight SMs, 8192 x 8192 x 8192");
        lines.add("Published: CLC yields within one tile, static and atomic do not. Predicted:");
        lines.add("");
        table(
                lines,
                "GPU",
                "scheduler",
                "it comes at, us",
                "first SM after, us",
                "last SM after, us",
                "in tile times",
                "most tiles that an SM began meanwhile");
        for (OneGpu gpu : gpus) {
            gpu.e()
                    .forEach(at -> row(
                            lines,
                            gpu.constants().name(),
                            at.scheduler(),
                            whole(at.atUs()),
                            whole(at.firstUs()),
                            whole(at.lastUs()),
                            format("%.2f", at.lastTiles()),
                            at.begun()));
        }
    }

    private void f(List<String> lines) {
        heading(lines, "(f) Five busy SMs become free after 100 us, 8192 x 8192 x 4096");
        lines.add("Published: CLC uses them. Predicted:");
        lines.add("");
        table(lines, "GPU", "scheduler", "they stay busy, us", "they become free, us", "tiles on each of them");
        for (OneGpu gpu : gpus) {
            gpu.f()
                    .forEach(at -> row(
                            lines,
                            gpu.constants().name(),
                            at.scheduler(),
                            format("%.1f", at.busyUs()),
                            format("%.1f", at.freedUs()),
                            at.tilesOnFreed().toString().replaceAll("[\\[\\]]", "")));
        }
    }

    private void g(List<String> lines) {
        heading(lines, "(g) Sweep of M = N");
        lines.add("Published: static wins at 32768 x 32768 x 2048 by its L2 hit rate. Predicted, TFLOP/s:");
        lines.add("");
        table(
                lines,
                "GPU",
                "M = N",
                "K",
                "single",
                "static",
                "CLC",
                "CLC / static",
                "DRAM of static, GB",
                "DRAM of CLC, GB");
        for (OneGpu gpu : gpus) {
            gpu.g()
                    .forEach(at -> row(
                            lines,
                            gpu.constants().name(),
                            at.side(),
                            at.k(),
                            whole(at.single()),
                            whole(at.dealt()),
                            whole(at.clc()),
                            ratio(at.clc() / at.dealt()),
                            format("%.2f", at.dealtDramGb()),
                            format("%.2f", at.clcDramGb())));
        }
    }

    private static String range(Map<Integer, Integer> tiles) {
        return Collections.min(tiles.keySet()) + " to " + Collections.max(tiles.keySet());
    }

    private static void heading(List<String> lines, String text) {
        lines.addAll(List.of("", "## " + text, ""));
    }

    private static void table(List<String> lines, String... columns) {
        row(lines, (Object[]) columns);
        lines.add("|" + " --- |".repeat(columns.length));
    }

    private static void row(List<String> lines, Object... cells) {
        lines.add(Arrays.stream(cells).map(Object::toString).collect(Collectors.joining(" | ", "| ", " |")));
    }

    private static String whole(double value) {
        return format("%.0f", value);
    }

    private static String ratio(double value) {
        return format("%.3f", value);
    }

    private static String format(String pattern, double value) {
        return String.format(Locale.ROOT, pattern, value);
    }
}
