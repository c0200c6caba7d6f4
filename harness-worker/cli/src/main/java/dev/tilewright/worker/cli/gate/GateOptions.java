package dev.tilewright.worker.cli.gate;

import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.worker.cli.gate.file.GateFile;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Options that the verbs of a gate share, and their messages for refusals of the service. */
final class GateOptions {

    private static final Pattern CASE = Pattern.compile("^(?:/request)?/cases/(\\d{1,4})(/[^:]*)?");

    private GateOptions() {}

    static FailOn failOn(String text) {
        return Arrays.stream(FailOn.values())
                .filter(each -> each.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> CommandFailedException.usage("--fail-on: must be one of "
                        + Arrays.stream(FailOn.values()).map(FailOn::toString).collect(Collectors.joining(", "))
                        + ", got '" + text + "'"));
    }

    static UUID run(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException none) {
            throw CommandFailedException.usage(
                    "RUN: must be the id of a run, such as the gate printed, got '" + text + "'");
        }
    }

    /** The service points into a request that its user has never seen: its cases have names in the file. */
    static CommandFailedException refused(ApiRefusedException refused, GateFile file) {
        List<String> lines = refused.lines().stream()
                .map(line -> {
                    Matcher matcher = CASE.matcher(line);
                    return matcher.find()
                                    && Integer.parseInt(matcher.group(1))
                                            < file.cases().size()
                            ? "case "
                                    + file.cases()
                                            .get(Integer.parseInt(matcher.group(1)))
                                            .name()
                                    + (matcher.group(2) == null
                                            ? ""
                                            : ", " + matcher.group(2).substring(1))
                                    + line.substring(matcher.end())
                            : line;
                })
                .toList();
        return new CommandFailedException(ExitCode.USAGE, lines.getFirst(), lines.subList(1, lines.size()), refused);
    }
}
