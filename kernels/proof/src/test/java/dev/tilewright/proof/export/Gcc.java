package dev.tilewright.proof.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tilewright.model.space.Sha256;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Programs of the machine in a folder: gcc, python3, and what gcc has made. */
record Gcc(Path folder) {

    /** What a program said, and how it ended. */
    record Ended(int code, String said) {}

    static boolean has(String program) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
    }

    static void assumePresent() {
        assumeTrue(has("gcc"), "gcc is not on the PATH");
    }

    /** Compiles as strictly as an exported file promises; what gcc says is a failure. */
    void compile(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("gcc", "-Wall", "-Werror", "-std=c11"));
        command.addAll(List.of(arguments));
        Ended ended = run(Map.of(), command.toArray(String[]::new));
        assertThat(ended).as(String.join(" ", command)).isEqualTo(new Ended(0, ""));
    }

    /** The driver of the tests, as {@code libcuda.so.1} in the folder. It is compiled once for all tests. */
    void makeStub() throws IOException, InterruptedException {
        String source;
        try (var text = Gcc.class.getResourceAsStream("stub_driver.c")) {
            source = new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
        Path compiled = Path.of("target", "stub-driver-" + Sha256.hex(source) + ".so");
        Path stub = folder.resolve("libcuda.so.1");
        if (Files.exists(compiled)) {
            Files.copy(compiled, stub);
            return;
        }
        Files.writeString(folder.resolve("stub_driver.c"), source);
        compile("-shared", "-fPIC", "stub_driver.c", "-o", stub.getFileName().toString());
        // Another JVM of tests may do the same now.
        Path part = Files.copy(
                stub,
                Files.createTempFile(compiled.toAbsolutePath().getParent(), "stub", ".so"),
                StandardCopyOption.REPLACE_EXISTING);
        Files.move(part, compiled, StandardCopyOption.ATOMIC_MOVE);
    }

    Ended run(Map<String, String> environment, String... command) throws IOException, InterruptedException {
        Path said = Files.createTempFile(folder, "said", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.environment().putAll(environment);
        int code = builder.start().waitFor();
        String text = Files.readString(said, StandardCharsets.UTF_8);
        Files.delete(said);
        return new Ended(code, text);
    }
}
