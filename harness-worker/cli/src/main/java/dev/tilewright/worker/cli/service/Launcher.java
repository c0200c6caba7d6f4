package dev.tilewright.worker.cli.service;

import dev.tilewright.worker.link.home.Home;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The script that starts every process of Tilewright.
 *
 * @param script its path
 */
public record Launcher(Path script) {

    /** The system property by which the script tells its own path. */
    public static final String PROPERTY = "tilewright.launcher";

    private static final String ARCHIVES = "tilewright.archives";
    private static final String ARCHIVES_MISSING = "missing";

    /** The launcher that started this process, if one did. */
    public static Optional<Launcher> ofThisProcess() {
        return Optional.ofNullable(System.getProperty(PROPERTY)).map(path -> new Launcher(Path.of(path)));
    }

    /**
     * Starts the service.
     *
     * @param device what its worker offers
     * @param home under which it keeps its data
     * @param log gets all it prints, after what is there already
     */
    Process serve(String device, Home home, Path log) throws IOException {
        Files.createDirectories(log.getParent());
        List<String> command = new ArrayList<>();
        // In a session of its own, so that Ctrl-C at the terminal reaches this process alone, which then ends the
        // service in order.
        onPath("setsid").ifPresent(setsid -> command.add(setsid.toString()));
        command.addAll(List.of(script.toString(), "serve", "--port", "0", "--device", device, "--started-by", "tune"));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(Map.of("TILEWRIGHT_HOME", home.root().toString()));
        return builder.start();
    }

    /**
     * Where the script found no archives that make the next start faster: has it record them, in the background and
     * beyond the end of this process. Returns whether it does.
     */
    boolean recordArchives(Home home) throws IOException {
        Optional<Path> setsid = onPath("setsid");
        if (!ARCHIVES_MISSING.equals(System.getProperty(ARCHIVES)) || setsid.isEmpty()) {
            return false;
        }
        Path log = home.root().resolve("logs").resolve("record.log");
        ProcessBuilder builder = new ProcessBuilder(
                        setsid.get().toString(), "nice", "-n", "19", script.toString(), "record")
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("TILEWRIGHT_HOME", home.root().toString());
        builder.start();
        return true;
    }

    private static Optional<Path> onPath(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(directory -> !directory.isBlank())
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
