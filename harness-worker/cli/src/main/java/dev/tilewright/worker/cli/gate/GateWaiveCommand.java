package dev.tilewright.worker.cli.gate;

import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.WaiverRequest;
import dev.tilewright.worker.cli.Connection;
import dev.tilewright.worker.cli.ServiceVerb;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import java.io.PrintStream;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gate waive}: accepts that a kernel is slower than it may be. */
@Command(
        name = "waive",
        description =
                "Accept that the kernel of a case is slower than it may be, until a day. Another kernel of the case"
                        + " is not covered, and a wrong one cannot be.")
public final class GateWaiveCommand extends ServiceVerb {

    @Parameters(index = "0", paramLabel = "RUN", description = "Id of the run that failed.")
    private String run = "";

    @Parameters(index = "1", paramLabel = "CASE", description = "Name of its case.")
    private String name = "";

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why, for those who come later.")
    private String reason = "";

    @Option(
            names = "--expires",
            paramLabel = "YYYY-MM-DD",
            required = true,
            description = "The last day on which it holds, in UTC.")
    private String expires = "";

    /** @param out the waiver */
    public GateWaiveCommand(Map<String, String> environment, PrintStream out, PrintStream err) {
        super(environment, out, err);
    }

    @Override
    public Integer call() throws ApiRefusedException, InterruptedException {
        UUID id = GateOptions.run(run);
        if (reason.isBlank()) {
            throw CommandFailedException.usage("--reason: must say something, got '" + reason + "'");
        }
        Instant end = end();
        try (Connection connection = connect()) {
            GateRun failed = connection.send(api -> api.get(GateFollow.RUNS + id, GateRun.class));
            WaiverRequest request = new WaiverRequest(name, module(failed), reason, end);
            CaseResult.Waiver waiver = connection.send(
                    api -> api.post("/api/v1/gates/" + failed.gate() + "/waivers", request, CaseResult.Waiver.class));
            out.println("waiver " + waiver.id() + ": " + waiver.caseName() + " of gate " + waiver.gate()
                    + " with module " + waiver.cubinHash().substring(0, 12) + ", until " + waiver.expiresAt() + ", by "
                    + waiver.author());
            return ExitCode.OK.code();
        }
    }

    private Instant end() {
        try {
            return LocalDate.parse(expires).plusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC);
        } catch (DateTimeParseException none) {
            throw CommandFailedException.usage("--expires: must be a day such as 2026-12-24, got '" + expires + "'");
        }
    }

    private String module(GateRun failed) {
        CaseResult one = failed.cases().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        CommandFailedException.usage("CASE: run " + failed.id() + " has no case '" + name + "'; known: "
                                + failed.cases().stream().map(CaseResult::name).collect(Collectors.joining(", "))));
        if (one.verdict() == GateVerdict.INVALID) {
            throw CommandFailedException.usage(
                    "CASE: " + name + " is invalid, and a wrong kernel cannot be waived: " + one.reason());
        }
        String hash = one.candidate().cubinHash();
        if (hash == null) {
            throw CommandFailedException.usage(
                    "CASE: " + name + " has no module that a waiver could be for: " + one.reason());
        }
        return hash;
    }
}
