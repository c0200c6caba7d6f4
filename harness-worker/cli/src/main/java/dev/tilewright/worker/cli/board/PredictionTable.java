package dev.tilewright.worker.cli.board;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.text.Count;
import dev.tilewright.model.text.Microseconds;
import dev.tilewright.simulator.Predictions;
import dev.tilewright.space.families.ProblemText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Predictions as a table, with a line to copy for each config. */
public record PredictionTable(Predictions predictions, Problem problem) implements Board {

    @Override
    public List<String> lines(int width) {
        List<String> lines = new ArrayList<>(
                heading(predictions.problem(), predictions.family(), predictions.device(), predictions.version()));
        List<FamilyConfig> configs =
                predictions.configs().stream().map(this::config).toList();
        CompactConfig form = CompactConfig.of(configs);
        TextTable table = new TextTable(List.of("#", "config", "us", "TFLOP/s", "SMs", "MHz", "limit"), "rlrrrrl");
        for (Predictions.Pick pick : predictions.configs()) {
            table.add(List.of(
                    Integer.toString(pick.rank()),
                    form.format(config(pick)),
                    Microseconds.of(1e3 * pick.us()),
                    String.format(Locale.ROOT, "%.1f", pick.tflops()),
                    String.format(Locale.ROOT, "%.0f %%", 100 * pick.smShare()),
                    String.format(Locale.ROOT, "%.0f", pick.clockMhz()),
                    pick.limit()));
        }
        lines.addAll(table.lines(width));
        lines.addAll(Legend.of(form, configs).lines(width));
        if (predictions.configs().stream().anyMatch(pick -> pick.basis().equals("waves"))) {
            lines.add(
                    "by waves, in which all tiles take the same time: a trial of tune walks every tile, and may take some"
                            + " percent longer");
        }
        lines.add("the best config of each of the best tiles of " + Count.of(predictions.spaceSize(), "config")
                + "; to try the first:");
        predictions.configs().stream()
                .findFirst()
                .ifPresent(pick -> lines.add("  tilewright tune" + ProblemText.of(problem) + " " + pick.settings()));
        return lines;
    }

    /** The lines above all that a model says of a problem. */
    static List<String> heading(String problem, String family, String device, String version) {
        return List.of(
                String.format(Locale.ROOT, "%s, %s on simulated %s (%s)", problem, family, device, version),
                "*** SIMULATED: predictions of a model, nothing ran on a GPU ***");
    }

    private FamilyConfig config(Predictions.Pick pick) {
        return new FamilyConfig(predictions.family(), pick.config());
    }
}
