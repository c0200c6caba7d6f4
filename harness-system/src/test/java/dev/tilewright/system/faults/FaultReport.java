package dev.tilewright.system.faults;

import dev.tilewright.api.drawn.RunProvenance;
import dev.tilewright.testing.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/** What faults did to sweeps, as a table for people and every sweep for programs. */
final class FaultReport {

    private final long seed;
    private final int busyCores;
    private final Path folder;
    private final String provenance;
    private final Map<String, FaultSeries> series = new LinkedHashMap<>();
    private final List<String> skipped = new ArrayList<>();

    /**
     * @param busyCores that something else used all the time
     * @param folder that it writes to
     */
    FaultReport(long seed, int busyCores, Path folder) throws IOException {
        this.seed = seed;
        this.busyCores = busyCores;
        this.folder = folder;
        this.provenance = RunProvenance.line();
    }

    /** Notes what could not be run here, and why. */
    void skipped(String what) {
        skipped.add(what);
    }

    /** One sweep with the fault that befell it. */
    private record Row(String fault, FaultStory.Outcome outcome, double extraSeconds) {}

    /** Writes {@code faults.json} and {@code faults.md}, with what a series has by now. */
    void write(String name, FaultSeries now) throws IOException {
        series.put(name, now);
        List<Row> rows = series.values().stream()
                .flatMap(of -> of.disturbed().stream()
                        .map(outcome -> new Row(outcome.fault().toString(), outcome, of.extraSeconds(outcome))))
                .toList();
        List<Double> loads =
                rows.stream().map(row -> row.outcome().load()).sorted().toList();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("provenance", provenance);
        document.put("testbed", "simulated:h200");
        document.put("seed", seed);
        document.put("trials", FaultStory.TRIALS);
        document.put("busyCores", busyCores);
        document.put(
                "undisturbedSeconds",
                series.values().stream()
                        .map(of -> of.undisturbed().stream()
                                .map(FaultStory.Outcome::seconds)
                                .toList())
                        .toList());
        document.put("skipped", skipped);
        document.put("sweeps", rows);
        Files.writeString(
                ResultFile.of(folder.resolve("faults.json")),
                JsonMapper.shared().writeValueAsString(document) + "\n");
        Files.writeString(ResultFile.of(folder.resolve("faults.md")), """
                # Faults

                Written by `FaultsIT`: sweeps of %d trials on `simulated:h200` by a whole installation with its own Postgres, each hit at a
                drawn moment while trials were in flight. %d threads beside it did nothing but keep the cores busy; the load average of the
                machine was %.1f in the median, and %.1f at least. A service that ends is started again at once, as systemd would. Every
                sweep is in `faults.columns`.

                *Lost*: trials that are not there or that did not end as their config decides. *Twice*: trials, configs, reports,
                measurements and events beyond the first. *Attempts*: those that ended with whoever held them, of all trials that were in
                flight. *Extra seconds*: from the job to its end, less the median of %d undisturbed sweeps of the same installation
                (%s s) and less what the fault itself lasts.

                %s, `-Ddraws.seed=%d`.

                | fault | sweeps | lost | twice | attempts of in flight | extra seconds: median | longest |
                | --- | ---: | ---: | ---: | ---: | ---: | ---: |
                %s%s""".formatted(
                        FaultStory.TRIALS,
                        busyCores,
                        loads.get(loads.size() / 2),
                        loads.getFirst(),
                        now.undisturbed().size(),
                        series.values().stream()
                                .map(of -> String.format(Locale.ROOT, "%.1f", of.usualSeconds()))
                                .collect(Collectors.joining(", ")),
                        provenance,
                        seed,
                        table(rows),
                        skipped.stream().map(why -> "\n* " + why + "\n").collect(Collectors.joining())));
    }

    private static String table(List<Row> rows) {
        Map<String, List<Row>> kinds =
                rows.stream().collect(Collectors.groupingBy(Row::fault, LinkedHashMap::new, Collectors.toList()));
        StringBuilder table = new StringBuilder();
        kinds.forEach((fault, of) -> table.append(line(fault, of)));
        return table.append(line("all", rows)).toString();
    }

    private static String line(String fault, List<Row> rows) {
        List<Double> extra = rows.stream().map(Row::extraSeconds).sorted().toList();
        return String.format(
                Locale.ROOT,
                "| %s | %d | %d | %d | %d of %d | %.1f | %.1f |%n",
                fault,
                rows.size(),
                sum(rows, row -> row.outcome().record().lost()),
                sum(rows, row -> row.outcome().record().twice()),
                sum(rows, row -> row.outcome().record().attempts()),
                sum(rows, row -> row.outcome().record().inFlight()),
                extra.get(extra.size() / 2),
                extra.getLast());
    }

    private static int sum(List<Row> rows, ToIntFunction<Row> of) {
        return rows.stream().mapToInt(of).sum();
    }
}
