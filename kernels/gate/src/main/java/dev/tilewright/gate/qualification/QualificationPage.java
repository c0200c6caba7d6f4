package dev.tilewright.gate.qualification;

import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.qualification.QualificationRun.Purpose;
import dev.tilewright.gate.statistics.BlockMean;
import dev.tilewright.gate.statistics.Quantiles;
import dev.tilewright.gate.statistics.ShareBounds;
import dev.tilewright.model.text.Count;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Results of many runs about the instrument, as a page of Markdown. */
public final class QualificationPage {

    /** Of each bound. */
    private static final double ERROR = 0.05;

    private final List<QualificationRun> runs;
    private final List<Decided> cases;
    private final List<String> lines = new ArrayList<>();

    private QualificationPage(List<QualificationRun> runs) {
        this.runs = runs;
        this.cases = runs.stream()
                .filter(run -> run.purpose() == Purpose.CASE)
                .map(Decided::of)
                .toList();
    }

    /**
     * The page.
     *
     * @throws IllegalArgumentException if there is no case among the runs
     */
    public static List<String> of(List<QualificationRun> runs) {
        QualificationPage page = new QualificationPage(runs);
        if (page.cases.isEmpty()) {
            throw new IllegalArgumentException("there is no case among " + Count.of(runs.size(), "run"));
        }
        page.write();
        return List.copyOf(page.lines);
    }

    private void write() {
        lines.add("# How often a gate is wrong, and how often it is right");
        lines.add("");
        lines.add(
                "Written by `tilewright gate qualify` from raw blocks. A case is 40 blocks after settling, decided as a");
        lines.add(
                "gate does: looks at 10, 20 and 40 blocks, margins 0.5 % (warn) and 1 % (fail). Bounds are one-sided at");
        lines.add("95 % (Clopper and Pearson).");
        equal();
        slowed();
        truths();
        gates();
        origin();
    }

    private void equal() {
        lines.add("");
        lines.add("## Equal kernels");
        lines.add("");
        lines.add(
                "| problem | cases | fail | warn | faster | inconclusive | fail at most | deviation of the estimate | mean"
                        + " | seconds of GPU a case |");
        lines.add("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        by(equalCases(), each -> each.run().problem()).forEach(this::equalRow);
        if (by(equalCases(), each -> each.run().problem()).size() > 1) {
            equalRow("all", equalCases());
        }
    }

    private void equalRow(String name, List<Decided> some) {
        lines.add(row(
                name,
                some.size() + "",
                Decided.count(some, GateVerdict.FAIL) + "",
                Decided.count(some, GateVerdict.WARN) + "",
                Decided.count(some, GateVerdict.FASTER) + "",
                share(Decided.count(some, GateVerdict.INCONCLUSIVE), some.size()),
                percent(ShareBounds.of(Decided.count(some, GateVerdict.FAIL), some.size(), ERROR)
                        .high()),
                number(deviation(some), "%.3f %%"),
                number(100 * mean(some), "%+.3f %%"),
                number(seconds(some), "%.2f")));
    }

    private void slowed() {
        List<Decided> slowed =
                cases.stream().filter(each -> each.run().slowedPercent() > 0).toList();
        if (slowed.isEmpty()) {
            return;
        }
        lines.add("");
        lines.add("## Slowed twins");
        lines.add("");
        lines.add("*Both stages*: of pairs of cases that follow each other, how many fail twice.");
        lines.add("");
        lines.add(
                "| problem | slowed by | cases | fail | at least | warn or fail | at least | inconclusive | both stages |"
                        + " estimate | seconds of GPU a case |");
        lines.add("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        by(slowed, each -> each.run().problem())
                .forEach((problem, of) -> byLevel(of).forEach((level, some) -> slowedRow(problem, level, some)));
        if (by(slowed, each -> each.run().problem()).size() > 1) {
            byLevel(slowed).forEach((level, some) -> slowedRow("all", level, some));
        }
    }

    private void slowedRow(String problem, double level, List<Decided> some) {
        int fail = Decided.count(some, GateVerdict.FAIL);
        int found = Decided.count(some, GateVerdict.FAIL, GateVerdict.WARN);
        lines.add(row(
                problem,
                level(level),
                some.size() + "",
                share(fail, some.size()),
                percent(ShareBounds.of(fail, some.size(), ERROR).low()),
                share(found, some.size()),
                percent(ShareBounds.of(found, some.size(), ERROR).low()),
                share(Decided.count(some, GateVerdict.INCONCLUSIVE), some.size()),
                pairs(some),
                number(100 * Math.expm1(mean(some)), "%+.3f %%"),
                number(seconds(some), "%.2f")));
    }

    private static String pairs(List<Decided> some) {
        int both = 0;
        int pairs = 0;
        for (int i = 0; i + 1 < some.size(); i += 2) {
            both += Decided.count(some.subList(i, i + 2), GateVerdict.FAIL) == 2 ? 1 : 0;
            pairs++;
        }
        return both + " of " + pairs;
    }

    /** The estimates beside the truth of the same GPU, problem and wait. */
    private void truths() {
        List<QualificationRun> truths = runs.stream()
                .filter(run -> run.purpose() == Purpose.TRUTH && run.candidateNs().length > 0)
                .sorted(Comparator.comparing(QualificationRun::problem).thenComparing(QualificationRun::slowedPercent))
                .toList();
        if (truths.isEmpty()) {
            return;
        }
        lines.add("");
        lines.add("## Estimates beside a truth");
        lines.add("");
        lines.add("A truth is the mean of many blocks of another process, on the same GPU with the same wait.");
        lines.add("");
        lines.add("| problem | slowed by | GPU | blocks of the truth | truth | mean of the cases | cases | bias |");
        lines.add("| --- | --- | --- | --- | --- | --- | --- | --- |");
        truths.forEach(this::truth);
    }

    private void truth(QualificationRun truth) {
        List<Decided> same = cases.stream()
                .filter(each -> each.run().problem().equals(truth.problem())
                        && each.run().kernel().equals(truth.kernel())
                        && each.run().slowedPercent() == truth.slowedPercent()
                        && String.valueOf(each.run().waitSteps()).equals(String.valueOf(truth.waitSteps()))
                        && String.valueOf(each.run().gpu()).equals(String.valueOf(truth.gpu())))
                .toList();
        double mean = mean(same);
        lines.add(row(
                truth.problem(),
                level(truth.slowedPercent()),
                String.valueOf(truth.gpu()),
                truth.candidateNs().length + "",
                number(100 * Math.expm1(truth.meanLogRatio()), "%+.3f %%"),
                number(100 * Math.expm1(mean), "%+.3f %%"),
                same.size() + "",
                number(100 * (mean - truth.meanLogRatio()), "%+.3f %%")));
    }

    private void gates() {
        if (equalCases().isEmpty()) {
            return;
        }
        DrawnGates gates = DrawnGates.of(equalCases());
        lines.add("");
        lines.add("## Gates of " + Decided.GATE_CASES + " equal cases");
        lines.add("");
        lines.add(gates.gates() + " gates were drawn from the " + equalCases().size()
                + " equal cases: a first stage fails" + " a case in " + gates.firstStage() + ", and " + gates.failed()
                + " gates fail.");
        lines.add("What the data support: of equal cases a first stage fails at most " + percent(gates.caseBound())
                + ", and with an independent second stage at most");
        lines.add(percent(gates.gateBound()) + " of such gates fail.");
    }

    private void origin() {
        lines.add("");
        lines.add("## Where it was measured");
        lines.add("");
        lines.add("| GPU | device | driver | commits | cases | from | to |");
        lines.add("| --- | --- | --- | --- | --- | --- | --- |");
        by(cases, each -> String.valueOf(each.run().gpu()))
                .forEach((gpu, some) -> lines.add(row(
                        gpu,
                        said(some, each -> each.run().device()),
                        said(some, each -> each.run().driver()),
                        said(some, each -> each.run().commit()),
                        some.size() + "",
                        some.stream()
                                        .map(each -> each.run().at())
                                        .min(Comparator.naturalOrder())
                                        .orElseThrow() + "",
                        some.stream()
                                        .map(each -> each.run().at())
                                        .max(Comparator.naturalOrder())
                                        .orElseThrow() + "")));
        lines.add("");
        lines.add("| problem | kernel |");
        lines.add("| --- | --- |");
        by(cases, each -> each.run().problem())
                .forEach((problem, some) -> lines.add(
                        row(problem, said(some, each -> "`" + each.run().kernel() + "`"))));
        Map<String, List<Decided>> doubtful = by(
                cases.stream()
                        .filter(each -> each.run().error() != null
                                || !each.run().doubts().isEmpty())
                        .toList(),
                each -> each.run().error() != null
                        ? each.run().error()
                        : each.run().doubts().getFirst());
        if (!doubtful.isEmpty()) {
            lines.add("");
            doubtful.forEach((why, some) -> lines.add("* " + Count.of(some.size(), "case") + " without a verdict: "
                    + why.lines().findFirst().orElse("")));
        }
    }

    private List<Decided> equalCases() {
        return cases.stream().filter(each -> each.run().slowedPercent() == 0).toList();
    }

    private static Map<String, List<Decided>> by(List<Decided> cases, Function<Decided, String> key) {
        return cases.stream().collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()));
    }

    private static Map<Double, List<Decided>> byLevel(List<Decided> cases) {
        return cases.stream()
                .collect(Collectors.groupingBy(each -> each.run().slowedPercent(), TreeMap::new, Collectors.toList()));
    }

    private static String said(List<Decided> cases, Function<Decided, String> what) {
        return cases.stream().map(what).distinct().sorted().collect(Collectors.joining(", "));
    }

    private static double[] means(List<Decided> cases) {
        return cases.stream()
                .mapToDouble(each -> each.run().meanLogRatio())
                .filter(Double::isFinite)
                .toArray();
    }

    private static double mean(List<Decided> cases) {
        double[] means = means(cases);
        double sum = 0;
        for (double mean : means) {
            sum += mean;
        }
        return means.length == 0 ? Double.NaN : sum / means.length;
    }

    /** Of the estimate, in percent; NaN of fewer than two. */
    private static double deviation(List<Decided> cases) {
        double[] means = means(cases);
        return means.length < 2 ? Double.NaN : 100 * BlockMean.of(means).deviation();
    }

    private static double seconds(List<Decided> cases) {
        return Quantiles.median(
                cases.stream().mapToDouble(each -> each.run().gpuSeconds()).toArray());
    }

    private static String share(int seen, int of) {
        return seen + " (" + percent(seen / (double) of) + ")";
    }

    private static String level(double percent) {
        return BigDecimal.valueOf(percent).stripTrailingZeros().toPlainString() + " %";
    }

    private static String percent(double share) {
        return number(100 * share, "%.2f %%");
    }

    private static String number(double value, String format) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : "-";
    }

    private static String row(String... cells) {
        return "| " + String.join(" | ", cells) + " |";
    }
}
