package dev.tilewright.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/rest.md} tells people to type, typed into a shell. */
@ExtendWith(RunningService.class)
class RestGuideTest {

    private static final Path GUIDE = Path.of("../docs/rest.md");
    private static final Pattern SHELL = Pattern.compile("(?s)```sh\n(.*?)```");

    @TempDir
    private Path folder;

    @Test
    void eachCommandOfTheGuideWorks(Api api) throws IOException, InterruptedException {
        String script = SHELL.matcher(Files.readString(GUIDE))
                .results()
                .map((MatchResult block) -> block.group(1))
                .collect(Collectors.joining("\necho\n"))
                .replace("http://localhost:8080", api.uri("").toString());
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        Path said = folder.resolve("said.txt");

        Process shell = new ProcessBuilder("bash", "-eu", "-o", "pipefail", "-c", script)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        Awaiting.until(() -> {
            worker.workOff(100_000, 10);
            return !shell.isAlive();
        });

        String output = Files.readString(said, StandardCharsets.UTF_8);
        assertThat(shell.exitValue()).as(output).isZero();
        assertThat(output)
                .contains("\"state\":\"finished\"")
                .contains("\"items\":[]")
                .contains("k = 770 times 2 bytes is 1540");
        assertThat(Files.readString(folder.resolve("events.txt"))).contains("event:");
        assertThat(Files.readString(folder.resolve("result.json"))).contains("\"outcome\":\"completed\"");
    }
}
