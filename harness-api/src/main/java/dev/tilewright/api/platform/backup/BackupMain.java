package dev.tilewright.api.platform.backup;

import dev.tilewright.api.platform.process.ServeEnvironment;
import dev.tilewright.api.platform.process.WrongUsage;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.Arrays;
import java.util.Map;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import picocli.CommandLine;

/** Runs {@code backup} or {@code restore}. Exit codes: 2 bad usage, 4 refused or failed. */
public final class BackupMain {

    private static final int USAGE = 2;

    private BackupMain() {}

    public static void main(String... arguments) {
        leaveOutSteps();
        System.exit(run(
                System.getenv(),
                Clock.systemUTC(),
                new PrintWriter(System.out, true),
                new PrintWriter(System.err, true),
                arguments));
    }

    /** The libraries log each step of a database; of a verb its result is wanted. */
    static void leaveOutSteps() {
        LoggingSystem.get(BackupMain.class.getClassLoader()).setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.WARN);
    }

    static int run(
            Map<String, String> environment, Clock clock, PrintWriter out, PrintWriter err, String... arguments) {
        ServeEnvironment asked;
        try {
            asked = ServeEnvironment.of(environment);
        } catch (IllegalArgumentException unusable) {
            err.println("tilewright: " + unusable.getMessage());
            return USAGE;
        }
        String verb = arguments.length == 0 ? "" : arguments[0];
        BackupVerb command;
        switch (verb) {
            case "backup" -> command = new BackupCommand(asked, clock);
            case "restore" -> command = new RestoreCommand(asked);
            default -> {
                err.println("tilewright: no verb '" + verb + "'; known here: backup, restore");
                return USAGE;
            }
        }
        return WrongUsage.inOneLine(new CommandLine(command))
                .setOut(out)
                .setErr(err)
                .execute(Arrays.copyOfRange(arguments, 1, arguments.length));
    }
}
