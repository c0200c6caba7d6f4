package dev.tilewright.worker.link.command;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A verb cannot go on; what the user reads of it. */
public final class CommandFailedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final ExitCode exit;
    private final transient List<String> details;

    /**
     * @param line what is wrong, on one line
     * @param details further lines; often none
     */
    public CommandFailedException(ExitCode exit, String line, List<String> details, @Nullable Throwable cause) {
        super(line, cause);
        this.exit = exit;
        this.details = List.copyOf(details);
    }

    public CommandFailedException(ExitCode exit, String line) {
        this(exit, line, List.of(), null);
    }

    /** The exception for a wrong request of the user. */
    public static CommandFailedException usage(String line) {
        return new CommandFailedException(ExitCode.USAGE, line);
    }

    /** The same, as somebody else has found. */
    public static CommandFailedException usage(String line, Throwable cause) {
        return new CommandFailedException(ExitCode.USAGE, line, List.of(), cause);
    }

    /** Something that the verb needs is not there, or fails. */
    public static CommandFailedException infrastructure(String line) {
        return new CommandFailedException(ExitCode.INFRASTRUCTURE, line);
    }

    /** The same, as somebody else has found. */
    public static CommandFailedException infrastructure(String line, Throwable cause) {
        return new CommandFailedException(ExitCode.INFRASTRUCTURE, line, List.of(), cause);
    }

    /** A file says something wrong; whoever read it may have named it already. */
    public static CommandFailedException of(Path file, IllegalArgumentException wrong) {
        String reason = String.valueOf(wrong.getMessage());
        return usage(reason.startsWith(file + ":") ? reason : file + ": " + reason);
    }

    public ExitCode exit() {
        return exit;
    }

    public List<String> details() {
        return details;
    }
}
