package dev.tilewright.worker.cli;

import dev.tilewright.model.problem.Suggestion;
import dev.tilewright.model.text.FileFault;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code tilewright} itself: knows the verbs, and how errors are shown. */
@Command(
        name = "tilewright",
        description = "Builds persistent GEMM kernels as PTX, proves them, times them honestly, remembers every trial.",
        sortOptions = false,
        usageHelpAutoWidth = true)
public final class RootCommand implements Runnable {

    /** As picocli begins its sentences. */
    private static final Pattern INVALID_VALUE = Pattern.compile("^Invalid value for option '([^']+)'[^:]*: ");

    private static final String NO_VERB = "Missing required subcommand";

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            scope = ScopeType.INHERIT,
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Show stack traces (also TILEWRIGHT_DEBUG=1).")
    private boolean debug;

    @SuppressWarnings("NullAway.Init")
    private RootCommand() {}

    /**
     * The command line with its verbs.
     *
     * @param verbs each an instance of a class with {@link Command}
     */
    public static CommandLine commandLine(Map<String, String> environment, Object... verbs) {
        RootCommand root = new RootCommand();
        // @FILE is not a file of further arguments but the file of a token.
        CommandLine commandLine = new CommandLine(root);
        for (Object verb : verbs) {
            commandLine.addSubcommand(verb);
        }
        converters(commandLine);
        SettingsHelp.addTo(commandLine);
        return commandLine
                .setExpandAtFiles(false)
                .setParameterExceptionHandler((wrong, arguments) -> root.wrongUsage(wrong))
                .setExecutionExceptionHandler(
                        (failure, line, result) -> root.failed(failure, line, environment.get("TILEWRIGHT_DEBUG")));
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    private int wrongUsage(ParameterException wrong) {
        CommandLine line = wrong.getCommandLine();
        String reason = wrong instanceof UnmatchedArgumentException unmatched
                ? unknown(unmatched, line.getCommandSpec())
                : plainly(String.valueOf(wrong.getMessage()), line.getCommandSpec());
        line.getErr().println(name(line) + ": " + reason + " (see " + name(line) + " --help)");
        return ExitCode.USAGE.code();
    }

    private static String unknown(UnmatchedArgumentException unmatched, CommandSpec spec) {
        boolean option = unmatched.isUnknownOption();
        // What stands behind an unknown option is unknown because of it.
        String reason = option
                ? "unknown option '" + unmatched.getUnmatched().getFirst() + "'"
                : "unknown argument '" + String.join(" ", unmatched.getUnmatched()) + "'";
        Collection<String> known =
                option ? spec.optionsMap().keySet() : spec.subcommands().keySet();
        return reason
                + Suggestion.near(unmatched.getUnmatched().getFirst(), known)
                        .map(name -> "; did you mean " + name + "?")
                        .orElse("");
    }

    private static String plainly(String message, CommandSpec spec) {
        return message.equals(NO_VERB)
                ? NO_VERB + "; known: " + String.join(", ", spec.subcommands().keySet())
                : INVALID_VALUE.matcher(message).replaceFirst("$1: ");
    }

    /** Their texts end a line that begins with the option. */
    private static void converters(CommandLine line) {
        line.registerConverter(int.class, text -> read(text, Integer::valueOf, "a whole number"));
        line.registerConverter(Integer.class, text -> read(text, Integer::valueOf, "a whole number"));
        line.registerConverter(long.class, text -> read(text, Long::valueOf, "a whole number"));
        line.registerConverter(Long.class, text -> read(text, Long::valueOf, "a whole number"));
        line.registerConverter(Double.class, text -> read(text, Double::valueOf, "a number"));
        line.registerConverter(
                UUID.class, text -> read(text, UUID::fromString, "an id such as 0a52fb09-8df0-4a77-a1a7-2e12f3a4b5c6"));
    }

    private static <T> T read(String text, Function<String, T> reader, String what) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException none) {
            throw new TypeConversionException("must be " + what + ", got '" + text + "'");
        }
    }

    private int failed(Exception thrown, CommandLine line, String debugVariable) {
        Exception failure = thrown instanceof ApiRefusedException refused ? Faults.asSaid(refused) : thrown;
        PrintWriter err = line.getErr();
        boolean traces = debug || "1".equals(debugVariable);
        ExitCode exit = ExitCode.INFRASTRUCTURE;
        if (failure instanceof CommandFailedException known) {
            err.println(name(line) + ": " + known.getMessage());
            known.details().forEach(detail -> err.println("  " + detail));
            exit = known.exit();
        } else if (failure instanceof IOException broken) {
            String file = broken instanceof FileSystemException one ? one.getFile() + ": " : "";
            err.println(name(line) + ": " + file + FileFault.reason(broken));
        } else {
            err.println(name(line) + ": unexpected failure: " + failure + (traces ? "" : " (--debug shows where)"));
        }
        if (traces) {
            failure.printStackTrace(err);
        }
        err.flush();
        return exit.code();
    }

    private static String name(CommandLine line) {
        return line.getCommandSpec().qualifiedName();
    }
}
