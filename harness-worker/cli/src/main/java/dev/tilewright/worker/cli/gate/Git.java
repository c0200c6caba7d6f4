package dev.tilewright.worker.cli.gate;

import dev.tilewright.model.text.FileFault;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.process.ProgramRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** A folder, as git sees it. */
record Git(Path folder) {

    /** A worktree of a large repository takes its time. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private static final int MOST_PRINTED = 16 << 20;

    /** Output of a git command without its last line end; empty if the command fails. */
    Optional<String> ask(String... arguments) throws InterruptedException {
        ProgramRun.Ended ended = run(arguments);
        return ended.exit() == 0 ? Optional.of(ended.out().stripTrailing()) : Optional.empty();
    }

    /**
     * Has it do something.
     *
     * @throws CommandFailedException with what it says if it cannot
     */
    void must(String... arguments) throws InterruptedException {
        ProgramRun.Ended ended = run(arguments);
        if (ended.exit() != 0) {
            throw new CommandFailedException(
                    ExitCode.INFRASTRUCTURE,
                    "git " + String.join(" ", arguments) + " ended with " + ended.exit(),
                    ended.err().strip().lines().toList(),
                    null);
        }
    }

    private ProgramRun.Ended run(String... arguments) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        try {
            return new ProgramRun(command, folder, LIMIT, MOST_PRINTED).run();
        } catch (TimeoutException late) {
            throw CommandFailedException.infrastructure(
                    "git " + String.join(" ", arguments) + " did not end within " + LIMIT.toMinutes() + " minutes");
        } catch (IOException absent) {
            throw CommandFailedException.usage("git cannot be run: " + FileFault.reason(absent), absent);
        }
    }
}
