package dev.tilewright.worker.cli.apply;

import dev.tilewright.model.text.Count;
import dev.tilewright.worker.cli.board.CompactConfig;
import dev.tilewright.worker.cli.board.FamilyConfig;
import dev.tilewright.worker.cli.board.MarkdownTable;
import dev.tilewright.worker.cli.capture.CaptureFile;
import dev.tilewright.worker.cli.capture.CapturePlan;
import dev.tilewright.worker.cli.capture.CaptureSummary;
import dev.tilewright.worker.link.json.Json;
import dev.tilewright.worker.link.text.PlainText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The GEMMs of a recorded program with their times before and after, for people.
 *
 * @param program the recorded command
 * @param facts about the recording, the shares and the kernels, a sentence each
 * @param simulated whether a model chose the kernels
 * @param lines those with a kernel first, each by its share
 */
public record PackReport(String program, List<String> facts, boolean simulated, List<Line> lines) {

    /** File of the page. */
    public static final String PAGE = "report.html";

    private static final String MARKDOWN = "report.md";

    /** Above the kernels that a model chose. */
    static final String SIMULATED = "SIMULATED: a model chose these kernels, and nothing ran on a GPU";

    /**
     * A problem.
     *
     * @param share of the time that the shares are of, from 0 to 1
     * @param launches of the recording
     * @param recordedUs microseconds of a call in the recording
     * @param pytorchUs microseconds of the kernel that PyTorch calls, timed beside ours
     * @param us microseconds of ours; empty of several M
     * @param kernel its config, or how many there are; empty where PyTorch's stays
     * @param why it stays; empty otherwise
     */
    public record Line(
            double share,
            String problem,
            long launches,
            Optional<Double> recordedUs,
            Optional<Double> pytorchUs,
            Optional<Double> us,
            Optional<String> kernel,
            String why) {

        /** What PyTorch takes as a multiple of what ours takes. */
        Optional<Double> ratio() {
            return pytorchUs.flatMap(before -> us.map(after -> before / after));
        }

        /** The kernel, or why there is none. */
        public String answer() {
            return kernel.orElse("none: " + why);
        }
    }

    /**
     * The report of a plan.
     *
     * @param lines those of the plan
     */
    public static PackReport of(
            CapturePlan recorded, PackPlan plan, List<Line> lines, PackDevice device, CaptureFile file) {
        return new PackReport(
                PlainText.line(String.join(" ", file.program())).replace('`', '\''),
                List.of(new CaptureSummary(file).line(), recorded.basis(), served(plan, device)),
                device.simulated(),
                lines);
    }

    /** The part of the time that has kernels, and where these come from. */
    public String served() {
        return facts.getLast();
    }

    private static String served(PackPlan plan, PackDevice device) {
        int problems = plan.products().stream()
                .mapToInt(product -> product.served().size())
                .sum();
        return CaptureSummary.percent(plan.share()) + " of the time of the recorded GEMMs has kernels: "
                + Count.of(problems, "problem") + ", " + device.origin();
    }

    /** The lines of a plan. */
    public static List<Line> lines(PackPlan plan) {
        List<PackPlan.Served> all = plan.products().stream()
                .flatMap(product -> product.served().stream())
                .sorted(Comparator.comparingDouble(served -> -served.line().share()))
                .toList();
        CompactConfig compact = CompactConfig.of(all.stream()
                .flatMap(served -> served.kernels().rows().stream().map(row -> config(served, row)))
                .toList());
        List<Line> lines = new ArrayList<>();
        all.forEach(served -> lines.add(line(served, compact)));
        plan.left().forEach(left -> lines.add(line(left)));
        return List.copyOf(lines);
    }

    private static Line line(PackPlan.Served served, CompactConfig compact) {
        List<KernelSource.Row> rows = served.kernels().rows();
        KernelSource.Row first = rows.getFirst();
        String kernel = served.line().range().isEmpty()
                ? compact.format(config(served, first))
                : "a table of "
                        + Count.of(
                                (int) rows.stream()
                                        .map(KernelSource.Row::config)
                                        .distinct()
                                        .count(),
                                "kernel");
        return new Line(
                served.line().share(),
                served.line().text(),
                served.line().row().launches(),
                served.line().vendorUs(),
                first.pytorchUs(),
                first.us(),
                Optional.of(kernel),
                "");
    }

    private static Line line(PackPlan.LeftOut left) {
        return new Line(
                left.line().share(),
                left.line().text(),
                left.line().row().launches(),
                left.line().vendorUs(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                left.why());
    }

    private static FamilyConfig config(PackPlan.Served served, KernelSource.Row row) {
        return new FamilyConfig(served.kernels().family(), row.config());
    }

    /** {@code "343.9"}; {@code "-"} where nobody knows. */
    public static String us(Optional<Double> us) {
        return us.map(known -> String.format(Locale.ROOT, "%.1f", known)).orElse("-");
    }

    /** The names of {@link #cells}. */
    static List<String> header() {
        return List.of("share", "problem", "calls", "recorded us", "PyTorch us", "us", "speed", "kernel");
    }

    /** A line as a row of a table. */
    static List<String> cells(Line line) {
        return List.of(
                CaptureSummary.percent(line.share()),
                line.problem(),
                Long.toString(line.launches()),
                us(line.recordedUs()),
                us(line.pytorchUs()),
                us(line.us()),
                line.ratio()
                        .map(ratio -> String.format(Locale.ROOT, "%+.1f %%", 100 * (ratio - 1)))
                        .orElse("-"),
                line.answer());
    }

    /** Writes the report into the folder of the pack, as a page and in Markdown. */
    public void write(Path folder) throws IOException {
        Json.writeAtomically(folder.resolve(PAGE), new ReportPage(this).text().getBytes(StandardCharsets.UTF_8));
        Json.writeAtomically(folder.resolve(MARKDOWN), markdown().getBytes(StandardCharsets.UTF_8));
    }

    /** The report in Markdown. */
    String markdown() {
        List<String> text = new ArrayList<>(List.of("# The GEMMs of `" + program + "`", ""));
        if (simulated) {
            text.addAll(List.of("**" + SIMULATED + "**", ""));
        }
        facts.forEach(fact -> text.add("* " + fact));
        text.add("");
        MarkdownTable table = new MarkdownTable(header().toArray(String[]::new));
        lines.forEach(line -> table.add(cells(line).toArray(String[]::new)));
        text.addAll(table.lines());
        return String.join("\n", text) + "\n";
    }
}
