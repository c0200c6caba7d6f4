package dev.tilewright.worker.cli.gate;

import dev.tilewright.worker.cli.Printer;
import dev.tilewright.worker.cli.RootCommand;
import dev.tilewright.worker.link.probe.DeviceProbe;
import dev.tilewright.worker.link.process.ProgramRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** The verbs of a gate in a folder of a user, and what they print. */
final class GateVerbs {

    final Path folder;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    GateVerbs(Path folder) {
        this.folder = folder;
    }

    /** Runs {@code tilewright gate}. */
    int gate(String... arguments) {
        PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
        Map<String, String> environment =
                Map.of("TILEWRIGHT_HOME", folder.resolve("home").toString());
        CommandLine line = RootCommand.commandLine(
                environment,
                new CommandLine(new GateCommand(environment, DeviceProbe.NoDriver::new, stream, stream))
                        .addSubcommand(new GateInitCommand(environment, stream, stream))
                        .addSubcommand(new GateAnnounceCommand(InstantSource.system(), new Printer(stream)))
                        .addSubcommand(new GateRedecideCommand(environment, stream, stream))
                        .addSubcommand(new GateWaiveCommand(environment, stream, stream))
                        .addSubcommand(new GateScheduleCommand(environment, stream, stream))
                        .addSubcommand(new GateTrendCommand(environment, stream, stream)));
        line.setErr(new PrintWriter(stream, true, StandardCharsets.UTF_8));
        List<String> all = new ArrayList<>(List.of("gate"));
        all.addAll(Arrays.asList(arguments));
        return line.execute(all.toArray(String[]::new));
    }

    /** All that was printed. */
    String said() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    /** Runs git there, which must go well. */
    String git(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "git", "-c", "user.name=ann", "-c", "user.email=ann@example.org", "-c", "init.defaultBranch=main"));
        command.addAll(Arrays.asList(arguments));
        ProgramRun.Ended ended = new ProgramRun(command, folder, Duration.ofSeconds(30), 1 << 20).run();
        if (ended.exit() != 0) {
            throw new AssertionError(command + ": " + ended.err());
        }
        return ended.out().strip();
    }

    /** Commits everything. */
    String commit(String message) throws Exception {
        git("add", "-A");
        git("commit", "-qm", message);
        return git("rev-parse", "HEAD");
    }
}
