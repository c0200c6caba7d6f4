package dev.tilewright.emulator.speed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.figures.Figures;
import dev.tilewright.emulator.figures.Provenance;
import dev.tilewright.emulator.speed.SpeedCase.Measured;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** The emulator is fast enough to prove a config before a GPU sees it. */
class SpeedTest {
    private static final double SMALL_SECONDS = 1;
    private static final double LARGE_SECONDS = 60;
    private static final long BYTES = 2L << 30;
    private static final int RUNS = 5;

    /** Medians and all times of a case, each in a fresh JVM; the largest memory. */
    private record CaseFigures(
            String kernel,
            double limitSeconds,
            double coreSeconds,
            double wallSeconds,
            List<Double> allCoreSeconds,
            long steps,
            long mmaFlops,
            long peakBytes) {}

    /** A rate of a benchmark with half of its 99.9 % interval. */
    private record Rate(String benchmark, String what, double perSecond, double error) {}

    private record SpeedFigures(double loadAverage, List<CaseFigures> cases, long limitBytes, List<Rate> rates) {}

    @Test
    void benchmarksAreGenerated() {
        assertThat(SpeedTest.class.getResource("/META-INF/BenchmarkList")).isNotNull();
    }

    @Tag("full")
    @Tag("alone")
    @Test
    void fastEnough() throws IOException, InterruptedException, RunnerException {
        Provenance provenance = Provenance.read(InstantSource.system());
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        CaseFigures small = measure(SpeedCase.SMALL, SMALL_SECONDS);
        CaseFigures large = measure(SpeedCase.LARGE, LARGE_SECONDS);
        SpeedFigures figures = new SpeedFigures(load, List.of(small, large), BYTES, rates());
        Figures.write("speed", "Speed of the emulator", provenance, figures, markdown(figures));
        for (CaseFigures one : figures.cases()) {
            assertThat(one.coreSeconds()).as(one.kernel()).isLessThan(one.limitSeconds());
            assertThat(one.peakBytes()).as(one.kernel()).isLessThan(BYTES);
        }
    }

    private static CaseFigures measure(SpeedCase one, double limit) throws IOException, InterruptedException {
        List<Measured> runs = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            runs.add(run(one));
        }
        return new CaseFigures(
                one.text(),
                limit,
                median(runs.stream().mapToDouble(Measured::coreSeconds)),
                median(runs.stream().mapToDouble(Measured::wallSeconds)),
                runs.stream().map(Measured::coreSeconds).toList(),
                runs.getFirst().steps(),
                2 * runs.getFirst().multiplyAdds(),
                runs.stream().mapToLong(Measured::peakBytes).max().orElseThrow());
    }

    private static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /** A fresh JVM that may use one core: emulation, compiler and garbage collector together. */
    private static Measured run(SpeedCase one) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        "taskset",
                        "1",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx2g",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SpeedCase.class.getName(),
                        one.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(one + ": " + output).isZero();
        return Measured.parse(output);
    }

    private static List<Rate> rates() throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include(EmulatorBenchmark.class.getSimpleName())
                        .build())
                .run();
        List<Rate> rates = new ArrayList<>();
        for (RunResult result : results) {
            String benchmark = result.getPrimaryResult().getLabel();
            rates.add(rate(benchmark, "launches", result.getPrimaryResult()));
            result.getSecondaryResults().forEach((name, value) -> rates.add(rate(benchmark, name, value)));
        }
        assertThat(rates).extracting(Rate::benchmark).contains("gemm", "ordinary");
        return rates;
    }

    private static Rate rate(String benchmark, String what, Result<?> result) {
        return new Rate(benchmark, what, result.getScore(), result.getScoreError());
    }

    private static List<String> markdown(SpeedFigures figures) {
        List<String> lines = new ArrayList<>(List.of(
                "Each case in a fresh JVM on one core, from decoding to verdict, class loading and compilation by the"
                        + " JVM included; median of %d.".formatted(RUNS),
                "Core seconds are what the process used of its core, wall seconds include what others used of it; load"
                        + " average before the run: %s.".formatted(number("%.1f", figures.loadAverage())),
                "Memory is the largest that the process ever held (VmHWM) under -Xmx2g.",
                ""));
        lines.addAll(Figures.head(
                "case",
                "core seconds",
                "limit",
                "fastest",
                "slowest",
                "wall seconds",
                "warp instructions",
                "MMA flops",
                "peak memory"));
        for (CaseFigures one : figures.cases()) {
            lines.add(Figures.row(
                    one.kernel(),
                    number("%.2f", one.coreSeconds()),
                    number("%.0f", one.limitSeconds()),
                    number(
                            "%.2f",
                            one.allCoreSeconds().stream()
                                    .mapToDouble(x -> x)
                                    .min()
                                    .orElseThrow()),
                    number(
                            "%.2f",
                            one.allCoreSeconds().stream()
                                    .mapToDouble(x -> x)
                                    .max()
                                    .orElseThrow()),
                    number("%.2f", one.wallSeconds()),
                    one.steps(),
                    one.mmaFlops(),
                    one.peakBytes() / (1 << 20) + " MiB of " + figures.limitBytes() / (1 << 20)));
        }
        lines.addAll(List.of("", "JMH, warm, one thread; with half of the 99.9 % interval:", ""));
        lines.addAll(Figures.head("benchmark", "a second", "rate", "±"));
        for (Rate rate : figures.rates()) {
            lines.add(Figures.row(
                    rate.benchmark(), rate.what(), number("%.3g", rate.perSecond()), number("%.1g", rate.error())));
        }
        return lines;
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
