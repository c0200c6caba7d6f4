package dev.tilewright.api.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.Main;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.opentest4j.AssertionFailedError;
import tools.jackson.databind.json.JsonMapper;

/** {@code serve} in a JVM of its own, with the class path of the tests. */
public record ServeProcess(Process process, Path log) {

    public static ServeProcess start(Path home, Map<String, String> environment, String... arguments)
            throws IOException {
        return start(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"), home, environment, arguments);
    }

    /** @param options of the JVM */
    public static ServeProcess start(
            List<String> options, Path home, Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath(), Main.class.getName()));
        command.addAll(List.of(arguments));
        Files.createDirectories(home);
        if (!environment.containsKey("DATABASE_URL")) {
            PreparedHome.make(home);
        }
        Path log = home.resolve("serve.log");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("TILEWRIGHT_HOME", home.toString());
        builder.environment().putAll(environment);
        return new ServeProcess(builder.start(), log);
    }

    /** Some launchers of tests load from a list of their own instead of the JVM's. */
    private static String classPath() {
        if (ServeProcess.class.getClassLoader() instanceof URLClassLoader own) {
            return Arrays.stream(own.getURLs()).map(ServeProcess::path).collect(Collectors.joining(":"));
        }
        return System.getProperty("java.class.path");
    }

    private static String path(URL url) {
        try {
            return Path.of(url.toURI()).toString();
        } catch (URISyntaxException e) {
            throw new AssertionFailedError("class path entry " + url, e);
        }
    }

    /** Where it listens, when it is ready. */
    public String url() {
        Path file = log.resolveSibling("service.json");
        Awaiting.until(() -> Files.exists(file) || !process.isAlive());
        try {
            assertThat(process.isAlive()).as(output()).isTrue();
            return JsonMapper.shared()
                    .readTree(Files.readString(file))
                    .get("url")
                    .asString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String output() throws IOException {
        return Files.readString(log);
    }
}
