package dev.tilewright.api.platform.process;

import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The message for wrong usage of a verb, in one line, as the verbs of the worker's programs word it. */
public final class WrongUsage {

    private static final int USAGE = 2;

    /** As picocli begins its sentences. */
    private static final Pattern INVALID_VALUE = Pattern.compile("^Invalid value for option '([^']+)'[^:]*: ");

    private WrongUsage() {}

    /** The same verb, which says so and no longer shows its whole help. */
    public static CommandLine inOneLine(CommandLine verb) {
        return verb.registerConverter(int.class, WrongUsage::wholeNumber).setParameterExceptionHandler((wrong, _) -> {
            String name = wrong.getCommandLine().getCommandName();
            wrong.getCommandLine().getErr().println(name + ": " + reason(wrong) + " (see " + name + " --help)");
            wrong.getCommandLine().getErr().flush();
            return USAGE;
        });
    }

    private static int wholeNumber(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException none) {
            throw new CommandLine.TypeConversionException("must be a whole number, got '" + text + "'");
        }
    }

    private static String reason(ParameterException wrong) {
        if (wrong instanceof UnmatchedArgumentException unmatched) {
            String first = unmatched.getUnmatched().getFirst();
            // What stands behind an unknown option is unknown because of it.
            return unmatched.isUnknownOption()
                    ? "unknown option '" + first + "'"
                    : "unknown argument '" + String.join(" ", unmatched.getUnmatched()) + "'";
        }
        return INVALID_VALUE.matcher(String.valueOf(wrong.getMessage())).replaceFirst("$1: ");
    }
}
