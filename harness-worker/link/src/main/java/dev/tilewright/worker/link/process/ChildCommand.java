package dev.tilewright.worker.link.process;

import java.io.File;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a child is started.
 *
 * @param name for logs and threads
 * @param environment what differs from the environment of this process
 */
public record ChildCommand(String name, List<String> command, Map<String, String> environment) {

    /** A child that lives shortly, or waits for a GPU, has no use for more. */
    private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

    private static final Optional<Path> NICE = Stream.of("/usr/bin/nice", "/bin/nice")
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst();

    public ChildCommand {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /**
     * Another JVM with the Java and the class path of this one. The class path travels in the environment: a command
     * line of several KiB is cut where processes are listed, before it says what runs.
     *
     * @param heapMiB largest Java heap
     * @param tmpDir its own: JCuda unpacks its natives there under a fixed name
     * @param program its main class, which runs a {@link Child}
     * @param served what it serves
     */
    public static ChildCommand jvm(
            String name, int heapMiB, Path tmpDir, Map<String, String> environment, Class<?> program, String served) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMiB + "m",
                "-XX:+UseSerialGC",
                QUICK_COMPILER,
                "-Xshare:auto",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + tmpDir,
                program.getName()));
        command.addAll(Child.arguments(served));
        Map<String, String> told = new HashMap<>(environment);
        told.put("CLASSPATH", classPath());
        return new ChildCommand(name, command, told);
    }

    /** Where the classes of this process come from, also when a loader of their own has them. */
    private static String classPath() {
        if (ChildCommand.class.getClassLoader() instanceof URLClassLoader loader) {
            return Stream.of(loader.getURLs())
                    .map(url -> Path.of(URI.create(url.toString())).toString())
                    .collect(Collectors.joining(File.pathSeparator));
        }
        return System.getProperty("java.class.path");
    }

    /** The same JVM with its best compiler, for a child that computes for long. */
    public ChildCommand withFullCompiler() {
        return new ChildCommand(
                name,
                command.stream().filter(word -> !word.equals(QUICK_COMPILER)).toList(),
                environment);
    }

    /**
     * The same command under a limit of address space.
     *
     * @param kib limit in KiB, as {@code ulimit -v} counts; the shell replaces itself by the command
     */
    public ChildCommand withAddressSpace(long kib) {
        List<String> limited =
                new ArrayList<>(List.of("/bin/sh", "-c", "ulimit -v \"$0\" && exec \"$@\"", Long.toString(kib)));
        limited.addAll(command);
        return new ChildCommand(name, limited, environment);
    }

    /**
     * The same command with a low priority, where there is {@code nice}: what a GPU waits for at this moment comes
     * first. The program replaces itself by the command.
     */
    public ChildCommand givingWay() {
        return NICE.map(nice -> {
                    List<String> nicer = new ArrayList<>(List.of(nice.toString(), "-n", "10"));
                    nicer.addAll(command);
                    return new ChildCommand(name, nicer, environment);
                })
                .orElse(this);
    }

    /** A builder of the process, with all its streams as pipes. */
    public ProcessBuilder builder() {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return builder;
    }
}
