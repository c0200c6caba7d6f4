package dev.tilewright.worker.cli.gate;

import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.worker.cli.gate.report.AnnouncedCheck;
import dev.tilewright.worker.cli.gate.report.ReportFormat;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * {@code --report FORMAT=FILE}.
 *
 * @param announced the check run that stood in the file before; empty if there was none
 */
record ReportOption(ReportFormat format, Path file, Optional<AnnouncedCheck> announced) {

    /**
     * All of them, before anything is done: each can be written. Where one is wrong, what was announced ends with it.
     */
    static List<ReportOption> parse(List<String> texts) throws IOException {
        List<ReportOption> read = new ArrayList<>();
        List<CommandFailedException> wrong = new ArrayList<>();
        for (String text : texts) {
            try {
                read.add(parse(text));
            } catch (CommandFailedException refused) {
                wrong.add(refused);
            }
        }
        if (!wrong.isEmpty()) {
            noRun(read, wrong.getFirst());
            throw wrong.getFirst();
        }
        return read;
    }

    private static ReportOption parse(String text) {
        int sign = text.indexOf('=');
        if (sign < 1 || sign == text.length() - 1) {
            throw CommandFailedException.usage(
                    "--report: must be FORMAT=FILE, such as markdown=gate.md, got '" + text + "'");
        }
        String name = text.substring(0, sign);
        ReportFormat format = ReportFormat.named(name)
                .orElseThrow(() -> CommandFailedException.usage("--report: unknown format '" + name + "'; known: "
                        + Arrays.stream(ReportFormat.values())
                                .map(ReportFormat::toString)
                                .collect(Collectors.joining(", "))));
        Path file = Path.of(text.substring(sign + 1));
        Syntax.requireWritable("--report " + name, file);
        return new ReportOption(
                format, file, format == ReportFormat.GITHUB ? AnnouncedCheck.in(file) : Optional.empty());
    }

    /** Writes a run there. */
    void write(GateRun run, FailOn failOn) throws IOException {
        String text = format.write(run, failOn);
        write(announced.map(check -> check.completed(text)).orElse(text));
    }

    /** Completes what was announced and has come to no run. */
    static void noRun(List<ReportOption> reports, CommandFailedException why) throws IOException {
        for (ReportOption report : reports) {
            if (report.announced.isPresent()) {
                report.write(report.announced.get().failed(String.valueOf(why.getMessage()), Instant.now()));
            }
        }
    }

    private void write(String text) throws IOException {
        Json.writeAtomically(file, text.getBytes(StandardCharsets.UTF_8));
    }
}
