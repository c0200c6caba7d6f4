package dev.tilewright.worker.link.process;

import dev.tilewright.model.text.FileFault;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program of the user that runs in the place of this one: with its folder, input and output. Where this process is
 * ended first, the program is told to end too, and waited for.
 *
 * @param environment what the program gets beside the environment of this process
 */
public record UserProgram(List<String> command, Map<String, String> environment) {

    /** A program at a terminal gets an interrupt too, and may end by itself. */
    private static final long ENDS_ITSELF_S = 1;

    public UserProgram {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /**
     * Runs it to its end, which has no limit.
     *
     * @param started called when it runs; not if it cannot be started
     * @return the exit code, 128 and the signal where one ended it
     * @throws CommandFailedException if it cannot be started
     */
    public int run(Runnable started) throws InterruptedException {
        Process process = start();
        started.run();
        Thread lastWord = new Thread(() -> end(process), "end " + command.getFirst());
        Runtime.getRuntime().addShutdownHook(lastWord);
        int exit = process.waitFor();
        try {
            Runtime.getRuntime().removeShutdownHook(lastWord);
        } catch (IllegalStateException ending) {
            // This process is being ended: the thread has told the program.
        }
        return exit;
    }

    private Process start() {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().putAll(environment);
        try {
            return builder.start();
        } catch (IOException unusable) {
            throw CommandFailedException.usage(command.getFirst() + ": cannot be run: " + FileFault.reason(unusable));
        }
    }

    private static void end(Process process) {
        try {
            if (!process.waitFor(ENDS_ITSELF_S, TimeUnit.SECONDS)) {
                process.destroy();
            }
            process.waitFor();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
