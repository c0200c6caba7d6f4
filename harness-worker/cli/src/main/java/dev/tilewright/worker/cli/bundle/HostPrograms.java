package dev.tilewright.worker.cli.bundle;

import dev.tilewright.launch.bundle.BundleException;
import dev.tilewright.launch.bundle.HelperProgram;
import dev.tilewright.model.text.FileFault;
import dev.tilewright.worker.link.process.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * Runs the host program of a bundle, if the user has named it.
 *
 * @param folder of the bundle
 * @param allowed path of the program that may run
 * @param limit on the time of one run
 */
record HostPrograms(Path folder, Optional<String> allowed, Duration limit) implements HelperProgram.Runner {
    static final Duration USUAL_LIMIT = Duration.ofSeconds(20);

    private static final int MOST_PRINTED = 1 << 20;

    @Override
    public String run(HelperProgram program) {
        String path = program.path();
        if (!allowed.equals(Optional.of(path))) {
            throw new BundleException("the launch comes from the program " + path + " of the bundle; --helper " + path
                    + " runs it on this machine");
        }
        Path file = folder.resolve(path).toAbsolutePath().normalize();
        if (!file.startsWith(folder.toAbsolutePath().normalize()) || !Files.isExecutable(file)) {
            throw new BundleException(
                    path + ": must be a program in the folder " + folder + "; compile it there and make it executable");
        }
        String call = path + " " + String.join(" ", program.arguments());
        List<String> command = new ArrayList<>(List.of(file.toString()));
        command.addAll(program.arguments());
        try {
            ProgramRun.Ended ended = new ProgramRun(command, folder, limit, MOST_PRINTED).run();
            if (ended.exit() != 0) {
                String said = ended.err().strip().lines().findFirst().orElse("nothing on stderr");
                throw new BundleException(call + ": ended with " + ended.exit() + ": " + said);
            }
            return ended.out();
        } catch (TimeoutException late) {
            throw new BundleException(call + ": did not end within " + limit.toMillis() + " ms");
        } catch (IOException unusable) {
            throw new BundleException(call + ": cannot be run: " + FileFault.reason(unusable));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new BundleException(call + ": was interrupted");
        }
    }
}
