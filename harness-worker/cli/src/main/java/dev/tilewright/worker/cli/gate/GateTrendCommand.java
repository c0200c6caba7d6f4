package dev.tilewright.worker.cli.gate;

import dev.tilewright.gate.document.GateTrend;
import dev.tilewright.model.problem.Suggestion;
import dev.tilewright.model.text.Count;
import dev.tilewright.worker.cli.Connection;
import dev.tilewright.worker.cli.ServiceVerb;
import dev.tilewright.worker.cli.gate.file.GateFile;
import dev.tilewright.worker.cli.gate.file.GateFileReader;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.text.PlainText;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gate trend}: how the effects of a branch went over time. */
@Command(
        name = "trend",
        description =
                "Show where the effects of a branch have changed for good. It audits the branch, and gates nothing:"
                        + " a change can only be seen some runs later.")
public final class GateTrendCommand extends ServiceVerb {

    private static final int SHOWN_DIGITS = 12;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "The file that names the gate (default: ${DEFAULT-VALUE}).")
    private Path file = Path.of(GateFile.NAME);

    @Option(names = "--gate", paramLabel = "NAME", description = "The gate itself, in place of a file.")
    private @Nullable String gate;

    @Option(names = "--branch", paramLabel = "NAME", description = "The branch (default: ${DEFAULT-VALUE}).")
    private String branch = "main";

    @Option(names = "--case", paramLabel = "NAME", description = "This case alone.")
    private @Nullable String name;

    /** @param out the trend */
    public GateTrendCommand(Map<String, String> environment, PrintStream out, PrintStream err) {
        super(environment, out, err);
    }

    @Override
    public Integer call() throws ApiRefusedException, InterruptedException {
        String of = gate == null ? GateFileReader.read(file).gate() : gate;
        Syntax.requireSegment("--gate", of);
        String path = "/api/v1/gates/" + of + "/trend?branch=" + encoded(branch)
                + (name == null ? "" : "&case=" + encoded(name));
        try (Connection connection = connect()) {
            GateTrend trend = connection.send(api -> api.get(path, GateTrend.class));
            if (trend.series().isEmpty()) {
                requireKnown(of, connection);
                out.println("no run of gate " + of + " on branch " + branch + " has timed anything");
            }
            trend.series().forEach(this::tell);
            return ExitCode.OK.code();
        }
    }

    /** A case that was never timed is a wrong name where others were. */
    private void requireKnown(String of, Connection connection) throws ApiRefusedException, InterruptedException {
        if (name == null) {
            return;
        }
        List<String> known = connection
                .send(api -> api.get("/api/v1/gates/" + of + "/trend?branch=" + encoded(branch), GateTrend.class))
                .series()
                .stream()
                .map(series -> PlainText.line(series.caseName()))
                .distinct()
                .sorted()
                .toList();
        if (!known.isEmpty()) {
            throw CommandFailedException.usage("--case: "
                    + Suggestion.to("unknown case '" + name + "' of gate " + of + " on branch " + branch + "; known: "
                            + String.join(", ", known)));
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private void tell(GateTrend.Series series) {
        String last = series.points().isEmpty()
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", last %+.2f %% [%+.2f, %+.2f]",
                        series.points().getLast().percent(),
                        series.points().getLast().low(),
                        series.points().getLast().high());
        out.println(PlainText.line(series.caseName()) + " on " + PlainText.line(series.gpu()) + ": "
                + Count.of(series.points().size(), "run") + last
                + (series.changes().isEmpty() ? ", no change" : ""));
        series.changes()
                .forEach(change -> out.println(String.format(
                        Locale.ROOT,
                        "  from run %s%s on: %+.2f %% -> %+.2f %% (p %.1e)",
                        change.run(),
                        change.commit() == null
                                ? ""
                                : " of "
                                        + PlainText.line(change.commit()
                                                .substring(
                                                        0,
                                                        Math.min(
                                                                SHOWN_DIGITS,
                                                                change.commit().length()))),
                        change.before(),
                        change.after(),
                        change.p())));
    }
}
