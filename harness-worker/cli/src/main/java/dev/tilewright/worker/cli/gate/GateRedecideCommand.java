package dev.tilewright.worker.cli.gate;

import dev.tilewright.gate.decision.GateExit;
import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.gate.document.DecisionRequest;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.Margins;
import dev.tilewright.worker.cli.Connection;
import dev.tilewright.worker.cli.ServiceVerb;
import dev.tilewright.worker.cli.gate.report.GateTable;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.Syntax;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gate redecide}: what other rules say of the stored blocks of a run. */
@Command(
        name = "redecide",
        description =
                "Decide a run again from its stored blocks, with other margins or another rule. Nothing is stored.")
public final class GateRedecideCommand extends ServiceVerb {

    @Parameters(paramLabel = "RUN", description = "Id of the run.")
    private String run = "";

    @Option(
            names = "--margin",
            paramLabel = "WARN,FAIL",
            description = "Margins of all cases in percent, such as 0.5,1 (default: those of the run).")
    private @Nullable String margin;

    @Option(names = "--error", paramLabel = "SHARE", description = "Error of a whole run, such as 0.01.")
    private @Nullable Double error;

    @Option(
            names = "--looks",
            split = ",",
            paramLabel = "N,N...",
            description = "Numbers of blocks at which it may stop, such as 10,20,40.")
    private List<Integer> looks = new ArrayList<>();

    @Option(
            names = "--fail-on",
            paramLabel = "VERDICT",
            description = "regression, warn or inconclusive (default: ${DEFAULT-VALUE}).")
    private String failOn = FailOn.REGRESSION.toString();

    @Option(names = "--report", paramLabel = "FORMAT=FILE", description = "Write the run to this file; repeatable.")
    private List<String> reports = new ArrayList<>();

    /** @param out the other decision */
    public GateRedecideCommand(Map<String, String> environment, PrintStream out, PrintStream err) {
        super(environment, out, err);
    }

    @Override
    public Integer call() throws ApiRefusedException, InterruptedException, IOException {
        UUID id = GateOptions.run(run);
        FailOn mildest = GateOptions.failOn(failOn);
        DecisionRequest request = new DecisionRequest(margins(), error, looks.isEmpty() ? null : looks);
        List<ReportOption> wanted = ReportOption.parse(reports);
        try (Connection connection = connect()) {
            GateRun decided =
                    connection.send(api -> api.post(GateFollow.RUNS + id + "/decisions", request, GateRun.class));
            for (ReportOption report : wanted) {
                report.write(decided, mildest);
            }
            out.show(new GateTable(decided, mildest));
            return GateExit.of(decided, mildest).code();
        }
    }

    private @Nullable Margins margins() {
        return margin == null ? null : Syntax.read("--margin", margin, GateRedecideCommand::margins);
    }

    private static Margins margins(String text) {
        String[] both = text.split(",");
        if (both.length != 2) {
            throw new IllegalArgumentException(
                    "must be two numbers, what warns and what fails, such as 0.5,1, got '" + text + "'");
        }
        try {
            return new Margins(Double.parseDouble(both[0].strip()), Double.parseDouble(both[1].strip()));
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException(
                    "must be two numbers in percent, such as 0.5,1, got '" + text + "'", none);
        }
    }
}
