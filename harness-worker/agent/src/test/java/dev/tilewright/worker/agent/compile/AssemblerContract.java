package dev.tilewright.worker.agent.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What every assembler must do, whatever is behind it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AssemblerContract {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private Assembler assembler;

    /** Starts one; the tests are skipped by the implementation if the machine does not have it. */
    abstract Assembler start() throws IOException;

    /** An assembler that never answers, with everything else as in the real one. */
    abstract Assembler startStalled() throws IOException;

    @BeforeAll
    void open() throws IOException {
        assembler = start();
    }

    @AfterAll
    void close() {
        if (assembler != null) {
            assembler.close();
        }
    }

    @Test
    void saysWhichItIs() {
        assertThat(assembler.id().name()).isNotBlank();
        assertThat(assembler.id().version()).matches("\\d+\\..*");
    }

    @Test
    void assemblesAValidTextWithItsResources() {
        AssemblyResult result = assembler.assemble(Texts.VALID, "sm_90a", LIMIT);

        assertThat(result).isInstanceOfSatisfying(AssemblyResult.Assembled.class, assembled -> {
            Assembly assembly = assembled.assembly();
            assertThat(assembly.cubin().bytes()).startsWith(0x7f, 'E', 'L', 'F');
            assertThat(assembly.cubinHash())
                    .isEqualTo(PtxasLog.sha256(assembly.cubin().bytes()));
            assertThat(assembly.registers()).isBetween(2, 32);
            assertThat(assembly.spillBytes()).isZero();
            assertThat(assembly.staticSharedBytes()).isEqualTo(64);
            assertThat(assembly.alarms()).isEmpty();
        });
    }

    @Test
    void countsSpilledBytes() {
        AssemblyResult result = assembler.assemble(Texts.SPILLING, "sm_90a", LIMIT);

        assertThat(result).isInstanceOfSatisfying(AssemblyResult.Assembled.class, assembled -> {
            assertThat(assembled.assembly().spillBytes()).isPositive();
            assertThat(assembled.assembly().registers()).isLessThanOrEqualTo(24);
        });
    }

    @Test
    void givesTheSameCubinForTheSameText() {
        assertThat(hash(assembler.assemble(Texts.VALID, "sm_90a", LIMIT)))
                .isEqualTo(hash(assembler.assemble(Texts.VALID, "sm_90a", LIMIT)));
    }

    private static String hash(AssemblyResult result) {
        return ((AssemblyResult.Assembled) result).assembly().cubinHash();
    }

    @Test
    void refusesAWrongTextWithLineAndReason() {
        AssemblyResult result = assembler.assemble(Texts.WRONG_IN_LINE_7, "sm_90a", LIMIT);

        assertThat(result)
                .isInstanceOfSatisfying(
                        AssemblyResult.Refused.class,
                        refused -> assertThat(refused.log()).contains("line 7", "%nope"));
    }

    @Test
    void goesOnAfterARefusal() {
        assembler.assemble(Texts.WRONG_IN_LINE_7, "sm_90a", LIMIT);

        assertThat(assembler.assemble(Texts.VALID, "sm_90a", LIMIT)).isInstanceOf(AssemblyResult.Assembled.class);
    }

    @Test
    void doesNotBlameATextOfAFutureIsa() {
        AssemblyResult result =
                assembler.assemble(Texts.VALID.replace(".version 8.0", ".version 99.0"), "sm_90a", LIMIT);

        assertThat(result)
                .isInstanceOfSatisfying(
                        AssemblyResult.Unsupported.class,
                        unsupported -> assertThat(unsupported.reason()).contains("99.0"));
    }

    @Test
    void doesNotBlameATextForAnUnknownTarget() {
        AssemblyResult result = assembler.assemble(Texts.VALID, "sm_999", LIMIT);

        assertThat(result).isInstanceOf(AssemblyResult.Unsupported.class);
    }

    @Test
    void isKilledWhenItTakesTooLong() throws IOException {
        Duration limit = Duration.ofMillis(300);
        try (Assembler stalled = startStalled()) {
            long before = childrenOfThisProcess();

            assertThat(stalled.assemble(Texts.VALID, "sm_90a", limit)).isEqualTo(new AssemblyResult.Overdue(limit));

            assertThat(childrenOfThisProcess()).isLessThanOrEqualTo(before);
        }
    }

    private static long childrenOfThisProcess() {
        return ProcessHandle.current()
                .descendants()
                .filter(ProcessHandle::isAlive)
                .count();
    }
}
