package dev.tilewright.worker.agent.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.worker.gpu.AssemblerMain;
import dev.tilewright.worker.link.assembler.AssemblerLibrary;
import dev.tilewright.worker.link.process.ChildCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The compiler inside JCuda's natives, in a real child process; needs no CUDA on the machine. */
class NvPtxCompilerAssemblerTest extends AssemblerContract {

    @Override
    Assembler start() throws IOException {
        return ChildAssembler.start(
                "nvptxcompiler",
                directory -> Assemblers.command(AssemblerMain.class, AssemblerLibrary.NVPTXCOMPILER, "", directory));
    }

    @Override
    Assembler startStalled() throws IOException {
        return ChildAssembler.start("stalled", directory -> fake(directory, "stall"));
    }

    private static ChildCommand fake(Path directory, String behaviour) {
        return ChildCommand.jvm("fake", 64, directory, Map.of(), FakeAssemblerChild.class, behaviour);
    }

    @Test
    void survivesATextThatKillsItsChild() throws IOException {
        try (Assembler assembler = ChildAssembler.start("crashing", directory -> fake(directory, "crash"))) {
            assertThat(assembler.assemble("crash", "sm_90a", Duration.ofSeconds(20)))
                    .isInstanceOfSatisfying(
                            AssemblyResult.Refused.class,
                            refused -> assertThat(refused.log()).contains("exit code 77", "a last word"));
            assertThat(assembler.assemble("fine", "sm_90a", Duration.ofSeconds(20)))
                    .isInstanceOf(AssemblyResult.Assembled.class);
        }
    }

    @Test
    void givesATextAnotherChanceWhenSomebodyKilledTheChild() throws IOException {
        try (Assembler assembler = ChildAssembler.start("killed", directory -> fake(directory, "fine"))) {
            ProcessHandle.current()
                    .children()
                    .filter(child -> child.info().commandLine().orElse("").contains("FakeAssembler"))
                    .forEach(child -> {
                        child.destroyForcibly();
                        child.onExit().join();
                    });

            assertThat(assembler.assemble("fine", "sm_90a", Duration.ofSeconds(20)))
                    .isInstanceOf(AssemblyResult.Assembled.class);
        }
    }
}
