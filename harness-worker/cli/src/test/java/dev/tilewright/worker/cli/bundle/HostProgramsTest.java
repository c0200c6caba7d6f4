package dev.tilewright.worker.cli.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.launch.bundle.BundleException;
import dev.tilewright.launch.bundle.HelperProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostProgramsTest {
    private static final HelperProgram CALL = new HelperProgram("params", List.of("m=5", "tile=8"));

    @TempDir
    private Path folder;

    private HostPrograms programs(String script, Duration limit) throws IOException {
        Path file = folder.resolve("params");
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return new HostPrograms(folder, Optional.of("params"), limit);
    }

    @Test
    void givesWhatIsPrinted() throws IOException {
        assertThat(programs("echo \"$@\"; echo notes >&2", HostPrograms.USUAL_LIMIT)
                        .run(CALL))
                .isEqualTo("m=5 tile=8\n");
    }

    @Test
    void endsWithTheProgramItself() throws IOException {
        assertThat(programs("sleep 60 & echo here", HostPrograms.USUAL_LIMIT).run(CALL))
                .isEqualTo("here\n");
    }

    @ParameterizedTest
    @CsvSource({
        "sleep 60, params m=5 tile=8: did not end within 700 ms",
        "yes, may print at most 1048576 bytes",
        "exit 7, ended with 7: nothing on stderr",
        "kill -9 $$, ended with 137"
    })
    void saysHowItFailed(String script, String message) throws IOException {
        HostPrograms programs = programs(script, Duration.ofMillis(script.startsWith("sleep") ? 700 : 20_000));
        assertThatThrownBy(() -> programs.run(CALL))
                .isInstanceOf(BundleException.class)
                .hasMessageContaining(message);
    }

    @Test
    void runsNothingElse() throws IOException {
        HostPrograms programs = programs("touch ran", HostPrograms.USUAL_LIMIT);
        assertThatThrownBy(() -> programs.run(new HelperProgram("other", List.of())))
                .hasMessageContaining("--helper other runs it on this machine");
        HostPrograms none = new HostPrograms(folder, Optional.empty(), HostPrograms.USUAL_LIMIT);
        assertThatThrownBy(() -> none.run(CALL)).hasMessageContaining("--helper params runs it on this machine");
        HostPrograms outside = new HostPrograms(folder, Optional.of("../params"), HostPrograms.USUAL_LIMIT);
        assertThatThrownBy(() -> outside.run(new HelperProgram("../params", List.of())))
                .hasMessageContaining("must be a program in the folder");
        assertThat(folder.resolve("ran")).doesNotExist();
    }
}
