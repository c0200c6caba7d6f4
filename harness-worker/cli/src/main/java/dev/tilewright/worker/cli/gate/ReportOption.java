package dev.tilewright.worker.cli.gate;

import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.worker.cli.gate.report.ReportFormat;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** {@code --report FORMAT=FILE}. */
record ReportOption(ReportFormat format, Path file) {

    /** All of them, before anything is done: each can be written. */
    static List<ReportOption> parse(List<String> texts) {
        return texts.stream().map(ReportOption::parse).toList();
    }

    private static ReportOption parse(String text) {
        int sign = text.indexOf('=');
        if (sign < 1 || sign == text.length() - 1) {
            throw new CommandFailedException(
                    ExitCode.USAGE, "--report: must be FORMAT=FILE, such as markdown=gate.md, got '" + text + "'");
        }
        String name = text.substring(0, sign);
        ReportFormat format = ReportFormat.named(name)
                .orElseThrow(() -> new CommandFailedException(
                        ExitCode.USAGE,
                        "--report: unknown format '" + name + "'; known: "
                                + Arrays.stream(ReportFormat.values())
                                        .map(ReportFormat::toString)
                                        .collect(Collectors.joining(", "))));
        Path file = Path.of(text.substring(sign + 1));
        Syntax.requireWritable("--report " + name, file);
        return new ReportOption(format, file);
    }

    /** Writes a run there. */
    void write(GateRun run, FailOn failOn) throws IOException {
        Json.writeAtomically(file, format.write(run, failOn).getBytes(StandardCharsets.UTF_8));
    }
}
