package dev.tilewright.worker.agent.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PtxasAssemblerTest extends AssemblerContract {

    @TempDir
    private Path directory;

    @Override
    Assembler start() throws IOException {
        Optional<Path> ptxas = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(entry -> Path.of(entry, "ptxas"))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(ptxas.isPresent(), "no ptxas on this machine");
        return PtxasAssembler.at(ptxas.get());
    }

    /** A program that has children of its own, as a compiler driver has. */
    @Override
    Assembler startStalled() throws IOException {
        return PtxasAssembler.at(program("""
                #!/bin/sh
                if [ "$1" = --version ]; then echo 'Cuda compilation tools, release 13.0, V13.0.88'; exit 0; fi
                sleep 1000 & sleep 1000
                """));
    }

    private Path program(String text) throws IOException {
        Path program = directory.resolve("ptxas");
        Files.writeString(program, text);
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void isNotTakenInByAnotherProgram() throws IOException {
        Path program = program("#!/bin/sh\necho something else\n");

        assertThatThrownBy(() -> PtxasAssembler.at(program))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("did not answer as ptxas does")
                .hasMessageContaining("something else");
    }

    @Test
    void reportsAProgramThatDiesAtTheText() throws IOException {
        Assembler assembler = PtxasAssembler.at(program("""
                #!/bin/sh
                if [ "$1" = --version ]; then echo 'Cuda compilation tools, release 13.0, V13.0.88'; exit 0; fi
                kill -SEGV $$
                """));

        assertThat(assembler.assemble(Texts.VALID, "sm_90a", Duration.ofSeconds(20)))
                .isInstanceOfSatisfying(
                        AssemblyResult.Refused.class,
                        refused -> assertThat(refused.log()).contains("signal 11 (SIGSEGV)"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILL", "STOP"})
    void triesATextAgainWhenSomebodyEndedOrStoppedTheProgram(String signal) throws IOException {
        Assembler assembler = PtxasAssembler.at(program("""
                #!/bin/sh
                if [ "$1" = --version ]; then echo 'Cuda compilation tools, release 13.0, V13.0.88'; exit 0; fi
                if [ ! -e %1$s/met ]; then touch %1$s/met; kill -%2$s $$; fi
                echo cubin > kernel.cubin
                echo 'ptxas info    : Used 40 registers, used 1 barriers'
                """.formatted(directory, signal)));

        assertThat(assembler.assemble(Texts.VALID, "sm_90a", Duration.ofSeconds(5)))
                .isInstanceOf(AssemblyResult.Assembled.class);
    }

    @Test
    void doesNotSeeAGpu() throws IOException {
        Assembler assembler = PtxasAssembler.at(program("""
                #!/bin/sh
                if [ "$1" = --version ]; then echo 'Cuda compilation tools, release 13.0, V13.0.88'; exit 0; fi
                echo "GPUs: <$CUDA_VISIBLE_DEVICES>"; exit 1
                """));

        assertThat(assembler.assemble(Texts.VALID, "sm_90a", Duration.ofSeconds(20)))
                .isInstanceOfSatisfying(
                        AssemblyResult.Refused.class,
                        refused -> assertThat(refused.log()).contains("GPUs: <>"));
    }
}
