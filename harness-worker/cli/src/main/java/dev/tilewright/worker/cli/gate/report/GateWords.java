package dev.tilewright.worker.cli.gate.report;

import dev.tilewright.gate.decision.GateExit;
import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.Effect;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.model.text.Count;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.worker.link.text.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The sentences of a run that are the same in every report for people.
 *
 * @param run that is told
 * @param failOn what its reader asked for
 */
public record GateWords(GateRun run, FailOn failOn) {

    /** Its verdict, and how it ends. */
    public String verdict() {
        String exit = switch (GateExit.of(run, failOn)) {
            case PASS -> "passed";
            case REGRESSION -> "failed";
            case INCONCLUSIVE -> "inconclusive";
            case INFRASTRUCTURE -> "no verdict";
        };
        return run.verdict() == null || run.verdict().toString().equals(exit)
                ? exit
                : exit + " (" + run.verdict() + ")";
    }

    /** Why. */
    public String reason() {
        if (run.error() != null) {
            return PlainText.line(run.error());
        }
        if (run.cases().isEmpty()) {
            return "it has no case, and nothing follows from nothing";
        }
        return PlainText.line(Objects.requireNonNullElse(run.reason(), "it is " + run.state()));
    }

    /** How many cases have which verdict. */
    public String counts() {
        Map<String, Long> counts = run.cases().stream()
                .collect(Collectors.groupingBy(
                        one -> one.verdict() == null
                                ? "without a verdict"
                                : one.verdict().toString(),
                        TreeMap::new,
                        Collectors.counting()));
        return Count.of(run.cases().size(), "case")
                + (counts.isEmpty()
                        ? ""
                        : counts.entrySet().stream()
                                .map(count -> count.getValue() + " " + count.getKey())
                                .collect(Collectors.joining(", ", ": ", "")));
    }

    /** Lines on the kernels, the testbed and the state of the instrument. */
    public List<String> origin() {
        List<String> lines = new ArrayList<>();
        if (run.isOfPrograms()) {
            lines.add("programs alone, on the machine of this command");
        } else if (run.testbed() == null) {
            lines.add("nothing was measured; asked for " + PlainText.line(run.device())
                    + (run.device().startsWith("simulated:") ? ", a model, with which nothing can pass" : ""));
        } else if (run.testbed().kind() == TestbedKind.CUDA) {
            lines.add(String.format(
                    Locale.ROOT,
                    "measured on %s (driver %s, %s), %.1f s of GPU time, seed %d, decision %s",
                    PlainText.line(run.testbed().device()),
                    PlainText.line(run.testbed().driver()),
                    PlainText.line(run.testbed().assembler()),
                    run.gpuSeconds(),
                    run.seed(),
                    PlainText.line(run.decision())));
        } else {
            lines.add(run.testbed().kind() + ": nothing was measured on a GPU, so nothing can pass");
        }
        run.sentinels().stream().map(GateWords::sentinel).forEach(lines::add);
        if (run.errorRates() != null) {
            lines.add(rates(run.errorRates()));
        }
        return lines;
    }

    private static String sentinel(CaseResult sentinel) {
        return PlainText.line(sentinel.name()) + ": "
                + (sentinel.verdict() == null ? "no verdict" : sentinel.verdict())
                + (sentinel.effect() == null
                        ? ""
                        : ", " + effect(sentinel.effect()) + " " + interval(sentinel.effect()));
    }

    private static String rates(GateRun.ErrorRates rates) {
        return String.format(
                Locale.ROOT,
                "on such GPUs: %d of %s failed against themselves (at most %.2f %%), %d of %d slowed by %s %%"
                        + " were caught (at least %.1f %%)",
                rates.falseFails(),
                Count.of(rates.equalRuns(), "case"),
                100 * rates.falseFailUpperBound(),
                rates.caught(),
                rates.slowedRuns(),
                number(rates.slowedPercent()),
                100 * rates.caughtLowerBound());
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /** The name under which a service has the run. */
    public String stored() {
        return stored(run.id().toString());
    }

    /** @param shown its id, as a report shows it */
    String stored(String shown) {
        return run.isOfPrograms() ? "no service has this run" : "run " + shown;
    }

    /** The change of the time of a launch or a step, such as {@code +1.52 %}; nothing where nothing was timed. */
    static String effect(@Nullable Effect effect) {
        return effect == null ? "" : String.format(Locale.ROOT, "%+.2f %%", effect.percent());
    }

    /** Its interval, such as {@code [+1.21, +1.83]}. */
    static String interval(@Nullable Effect effect) {
        return effect == null ? "" : String.format(Locale.ROOT, "[%+.2f, %+.2f]", effect.low(), effect.high());
    }

    /** A verdict as it stands in a table. */
    static String shown(Judged one) {
        return one.isWaived() ? one.verdict() + ", waived" : one.verdict();
    }

    static boolean isPlain(Judged one) {
        return !one.isTold() && one.result().verdict() != GateVerdict.FASTER;
    }

    /** A text that is at most so long. */
    static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most - 3) + "...";
    }
}
