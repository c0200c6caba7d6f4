package dev.tilewright.worker.cli.board;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.text.Microseconds;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.worker.cli.board.LadderDocument.StepTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The times of steps of the ladder, beside each other. */
public record LadderTable(LadderDocument document, Problem problem) implements Board {

    private static final String NONE = "-";
    private static final List<String> HEAD =
            List.of("step", "us", "TFLOP/s", "95 % interval", "to the step before", "SM clock, MHz", "adds");

    @Override
    public List<String> lines(int width) {
        TextTable table = new TextTable(HEAD, "lrrrrrl");
        rows().forEach(table::add);
        List<String> lines = new ArrayList<>(table.lines(width));
        lines.add("");
        lines.add(origin());
        document.steps().stream()
                .filter(step -> !step.isCompleted())
                .forEach(step -> lines.add(step.step() + " " + step.outcome() + ": " + step.log()));
        lines.addAll(document.neighbours());
        return List.copyOf(lines);
    }

    /**
     * A page.
     *
     * @param ladder what was asked for, such as {@code sm90}
     */
    public List<String> markdown(String ladder) {
        List<String> lines = new ArrayList<>();
        lines.add("# The ladder, timed");
        lines.add("");
        lines.add("Written by `tilewright ladder " + ladder + " --time --shape " + problem.shape()
                + " --markdown FILE`.");
        lines.add(origin() + (document.commit().isEmpty() ? "" : ", commit " + document.commit()) + ".");
        lines.add("");
        MarkdownTable table = new MarkdownTable(HEAD.toArray(String[]::new));
        rows().forEach(row -> table.add(row.toArray(String[]::new)));
        lines.addAll(table.lines());
        return List.copyOf(lines);
    }

    /** A ratio of two steps is that of their medians over the same turns. */
    private List<List<String>> rows() {
        Rates rates = Rates.of(problem, document.testbed());
        List<List<String>> rows = new ArrayList<>();
        @Nullable Measurement before = null;
        for (StepTime step : document.steps()) {
            Measurement sustained = step.sustained();
            rows.add(sustained == null ? untimed(step) : row(step, sustained, before, rates));
            before = sustained;
        }
        return rows;
    }

    private static List<String> untimed(StepTime step) {
        return List.of(step.step(), step.outcome().toString(), NONE, NONE, NONE, NONE, step.adds());
    }

    private static List<String> row(StepTime step, Measurement sustained, @Nullable Measurement before, Rates rates) {
        Double clock = sustained.smClockMhz();
        return List.of(
                step.step(),
                Microseconds.of(sustained.medianNs()),
                rates.tflops(sustained.medianNs()),
                rates.interval(sustained).orElse(NONE),
                before == null ? NONE : String.format(Locale.ROOT, "%.3f", before.medianNs() / sustained.medianNs()),
                clock == null ? NONE : String.format(Locale.ROOT, "%.0f", clock),
                step.adds());
    }

    private String origin() {
        Testbed testbed = document.testbed();
        return "measured on " + testbed.device() + " (driver " + testbed.driver() + ", " + testbed.smCount() + " SMs, "
                + testbed.assembler() + ", clocks " + testbed.clockPolicy() + "): " + problem.shape() + " in "
                + problem.types().a() + ", sustained, each step in every turn";
    }
}
