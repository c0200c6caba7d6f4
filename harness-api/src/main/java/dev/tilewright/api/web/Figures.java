package dev.tilewright.api.web;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.text.Microseconds;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.simulator.Roofline;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers as pages write them, each with its unit; an en dash where there is none. */
public final class Figures {

    public static final String NONE = "–";

    private static final DateTimeFormatter MOMENT = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Figures() {}

    public static String tflops(@Nullable Double rate) {
        return rate == null ? NONE : format("%.1f TFLOP/s", rate);
    }

    /** The bandwidth of a launch of that time, if it moves each operand once. */
    public static String bandwidth(Problem problem, double ns) {
        return bandwidth(problem.gigabytesPerSecond(ns));
    }

    /** How near such a launch is to the roofline of a GPU. */
    public static String roofline(@Nullable Testbed testbed, Problem problem, double ns) {
        return testbed == null ? NONE : percent(Roofline.share(testbed, problem, ns));
    }

    /** A ratio of which value and ends are known; its blocks are not shown. */
    public static @Nullable Ratio ratioOf(@Nullable Double value, @Nullable List<Double> interval) {
        return value == null || interval == null ? null : new Ratio(value, interval.getFirst(), interval.getLast(), 1);
    }

    /** Of operands that are moved once. */
    public static String bandwidth(double gbPerSecond) {
        return format("%.0f GB/s", gbPerSecond);
    }

    /** A time with the digits of the boards of the terminal. */
    public static String us(@Nullable Double ns) {
        return ns == null ? NONE : Microseconds.of(ns) + " µs";
    }

    /** A time of a trace, a block or a bound: four digits that count, whatever the size. */
    public static String fine(double ns) {
        double us = ns / 1e3;
        return format(us < 10 ? "%.3f µs" : us < 100 ? "%.2f µs" : "%.1f µs", us);
    }

    /** An interval of times, in the unit that stands beside it. */
    public static String interval(@Nullable Double lowNs, @Nullable Double highNs) {
        return lowNs == null || highNs == null ? "" : "[" + fine(lowNs).replace(" µs", "") + ", " + fine(highNs) + "]";
    }

    public static String percent(@Nullable Double share) {
        return share == null ? NONE : format("%.1f %%", 100 * share);
    }

    /** How much faster, with a sign. */
    public static String change(double ratio) {
        return format("%+.1f %%", 100 * (ratio - 1)).replace("-0.0", "0.0").replace("-", "−");
    }

    /** Percent with a sign: above 0 something takes longer. */
    public static String signed(double percent) {
        return minus(format("%+.2f", percent)) + " %";
    }

    /** The same with its bounds. */
    public static String effect(double percent, double low, double high) {
        return minus(format("%+.2f %% [%+.2f, %+.2f]", percent, low, high));
    }

    /** A number that is rounded to nothing has no sign. */
    private static String minus(String signed) {
        return signed.replaceAll("[-+](0\\.0+)(?!\\d)", "$1").replace("-", "−");
    }

    public static String ratio(@Nullable Double value) {
        return value == null ? NONE : format("%.3f×", value);
    }

    public static String ratio(@Nullable Ratio ratio) {
        return ratio == null ? NONE : format("%.3f× [%.3f, %.3f]", ratio.value(), ratio.low(), ratio.high());
    }

    public static String megahertz(@Nullable Double clock) {
        return clock == null ? NONE : format("%.0f MHz", clock);
    }

    public static String watts(@Nullable Double power) {
        return power == null ? NONE : format("%.0f W", power);
    }

    public static String celsius(@Nullable Double temperature) {
        return temperature == null ? NONE : format("%.0f °C", temperature);
    }

    /** How long something took, in the unit that suits it. */
    public static String duration(double ns) {
        return ns >= 1e9 ? format("%.2f s", ns / 1e9) : ns >= 1e6 ? format("%.1f ms", ns / 1e6) : fine(ns);
    }

    public static String bytes(@Nullable Integer bytes) {
        return bytes == null ? NONE : format("%,d bytes", bytes);
    }

    /** Name and version of the predicting model. */
    public static String model(Testbed simulated) {
        return model(simulated.device(), simulated.driver());
    }

    public static String model(String device, String version) {
        return "the model " + device + " " + version;
    }

    /** From the least to the most; there is one at least. */
    public static String range(List<Integer> numbers) {
        return Collections.min(numbers) + " to " + Collections.max(numbers);
    }

    public static String count(long number) {
        return format("%,d", number);
    }

    /** So many of what has an s where there are several. */
    public static String count(long number, String what) {
        return count(number) + " " + what + (number == 1 ? "" : "s");
    }

    public static String moment(@Nullable Instant instant) {
        return instant == null ? NONE : MOMENT.format(instant);
    }

    public static String duration(@Nullable Duration duration) {
        if (duration == null) {
            return NONE;
        }
        return duration.toSeconds() < 120
                ? format("%.1f s", duration.toMillis() / 1e3)
                : format("%d min %02d s", duration.toMinutes(), duration.toSecondsPart());
    }

    /** With a decimal point, whatever the language of the machine or of the browser. */
    public static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
