package dev.tilewright.api.platform.backup;

import dev.tilewright.api.platform.database.backup.Manifest;
import dev.tilewright.api.platform.database.backup.RefusedBackupException;
import dev.tilewright.api.platform.process.ServeEnvironment;
import dev.tilewright.model.text.Count;
import dev.tilewright.model.text.FileFault;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The part that both backup verbs share: the service's environment, one line for a failure, exit code 4. */
abstract class BackupVerb implements Callable<Integer> {

    private static final int FAILED = 4;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    private final ServeEnvironment asked;

    BackupVerb(ServeEnvironment asked) {
        this.asked = asked;
    }

    ServeEnvironment asked() {
        return asked;
    }

    /** Does it; returns a line that says what was done. */
    abstract String done() throws IOException, RefusedBackupException, InterruptedException;

    @Override
    public Integer call() throws InterruptedException {
        CommandLine command = Objects.requireNonNull(spec).commandLine();
        try {
            command.getOut().println(done());
            command.getOut().flush();
            return 0;
        } catch (RefusedBackupException | IOException | IllegalArgumentException failed) {
            command.getErr().println(command.getCommandName() + ": " + reason(failed));
            command.getErr().flush();
            return FAILED;
        }
    }

    /** The failure of an argument that cannot be right, with exit code 2. */
    CommandLine.ParameterException wrongUsage(String why) {
        return new CommandLine.ParameterException(Objects.requireNonNull(spec).commandLine(), why);
    }

    private static String reason(Exception failed) {
        return switch (failed) {
            case FileSystemException file -> file.getFile() + ": " + FileFault.reason(file);
            case IOException other -> FileFault.reason(other);
            default -> String.valueOf(failed.getMessage());
        };
    }

    /** The content of a backup in words. */
    static String summary(Manifest manifest) {
        return Count.of(manifest.rows("job"), "job") + ", " + Count.of(manifest.rows("study"), "study", "studies")
                + ", "
                + Count.of(manifest.rows("trial"), "trial") + ", "
                + Count.of(manifest.rows("kernel_file"), "kernel file") + ", schema " + manifest.schema();
    }
}
