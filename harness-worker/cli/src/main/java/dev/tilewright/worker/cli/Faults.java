package dev.tilewright.worker.cli;

import dev.tilewright.model.problem.Suggestion;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.client.ProblemDetail;
import dev.tilewright.worker.link.client.ProblemDetail.Fault;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.text.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Faults of a request in the words of the command line: the service points into a body that its user has never seen.
 *
 * @param options for what a pointer names, the option that says it
 * @param problems for each problem of the request the option or the line of a file that named it
 */
public record Faults(Map<String, String> options, List<String> problems) {

    private static final int UNAUTHENTICATED = 401;
    private static final Pattern OF_A_PROBLEM = Pattern.compile("/problems/(\\d{1,9})(/.*)?");
    private static final Pattern OF_A_PARAMETER = Pattern.compile("/parameters/([^/]+)(/\\d+)?");

    private static final Map<String, String> OF_A_JOB = Map.ofEntries(
            Map.entry("/problems", "--shape"),
            Map.entry("/family", "--family"),
            Map.entry("/schedulers", "--scheduler"),
            Map.entry("/parameters", "--set"),
            Map.entry("/config", "--config"),
            Map.entry("/space", "--space"),
            Map.entry("/strategy", "--strategy"),
            Map.entry("/budget/trials", "--trials"),
            Map.entry("/budget/seconds", "--seconds"),
            Map.entry("/budget/finalists", "--finalists"),
            Map.entry("/device", "--device"),
            Map.entry("/name", "--name"),
            Map.entry("/peers", "--peer"));

    /** Faults of a job. */
    static Faults ofJob(List<String> problems) {
        return new Faults(OF_A_JOB, problems);
    }

    /** The failure of the verb. */
    CommandFailedException failure(ApiRefusedException refused) {
        return failure(refused, lines(refused.problem()));
    }

    /** The failure of a verb whose options are what the service was asked, in its own words. */
    public static CommandFailedException asSaid(ApiRefusedException refused) {
        return failure(refused, refused.lines());
    }

    private static CommandFailedException failure(ApiRefusedException refused, List<String> lines) {
        if (refused.status() == UNAUTHENTICATED) {
            // The service words it for whoever writes HTTP by hand.
            return new CommandFailedException(
                    ExitCode.USAGE,
                    "the service asks for a token: name its file with --token @FILE, or set TILEWRIGHT_TOKEN",
                    List.of(lines.getFirst().replaceFirst(".*token of the role ", "it needs the role ")),
                    refused);
        }
        return new CommandFailedException(ExitCode.USAGE, lines.getFirst(), lines.subList(1, lines.size()), refused);
    }

    private List<String> lines(ProblemDetail problem) {
        List<Fault> faults = problem.errors() == null ? List.of() : problem.errors();
        List<String> lines = new ArrayList<>();
        if (faults.size() == 1 && isSaidBy(problem, faults.getFirst())) {
            lines.add(inOptions(faults.getFirst()));
            return lines;
        }
        lines.add(problem.lines().getFirst());
        faults.stream().map(this::inOptions).forEach(lines::add);
        return lines;
    }

    /** Whether the head of the document is nothing but the one fault with its pointer. */
    private static boolean isSaidBy(ProblemDetail problem, Fault fault) {
        return problem.detail() == null || problem.detail().equals(fault.toString());
    }

    private String inOptions(Fault fault) {
        String detail = Suggestion.to(String.valueOf(fault.detail()));
        String option = fault.pointer() == null ? "" : option(fault.pointer());
        return PlainText.line(option.isEmpty() ? detail : option + ": " + detail);
    }

    private String option(String pointer) {
        Matcher problem = OF_A_PROBLEM.matcher(pointer);
        if (problem.matches()) {
            int index = Integer.parseInt(problem.group(1));
            String busy = pointer.endsWith("/scenario/busySms") ? " --busy-sms" : "";
            return index < problems.size() ? problems.get(index) + busy : pointer;
        }
        Matcher parameter = OF_A_PARAMETER.matcher(pointer);
        if (parameter.matches()) {
            return "--set " + parameter.group(1);
        }
        String withoutIndex = pointer.replaceAll("/\\d+$", "");
        return options.getOrDefault(withoutIndex, pointer);
    }
}
