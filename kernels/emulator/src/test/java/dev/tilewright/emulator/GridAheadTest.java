package dev.tilewright.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.ptx.parse.PtxParser;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A launch that starts while the grid ahead of it is at work. PTX 9.7.13.13. */
class GridAheadTest {
    private static final int SEEDS = 20;

    /** Two warps of one CTA; the first thread of each does something with the buffer. */
    private static String kernel(String both, String first, String second) {
        return """
                .version 8.0
                .target sm_90a
                .address_size 64
                .visible .entry k(.param .u64 p)
                .maxntid 64,1,1
                {
                .reg .u64 a; .reg .u32 t, v; .reg .pred one, two;
                ld.param.u64 a, [p];
                mov.u32 t, %%tid.x;
                mov.u32 v, 7;
                setp.ne.u32 one, t, 0;
                setp.ne.u32 two, t, 32;
                %s
                @one bra SECOND;
                %s
                SECOND:
                @two bra END;
                %s
                END:
                ret;
                }
                """.formatted(both, first, second);
    }

    private static Optional<Finding> finding(String text, boolean overlaps, long seed) {
        Launch launch = new Launch(
                "k",
                Dim3.of(1),
                Dim3.of(64),
                Dim3.of(1),
                0,
                List.of(new Argument.Pointer("DATA", 0)),
                List.of(Buffer.of("DATA", new byte[64])));
        RunEnd verdict = new PtxEmulator(PtxParser.parse(text), "k")
                .run(overlaps ? launch.overlapping() : launch, Options.seed(seed));
        return verdict instanceof RunEnd.Faulted faulted ? Optional.of(faulted.finding()) : Optional.empty();
    }

    private static void requireClean(String text) {
        for (long seed = 0; seed < SEEDS; seed++) {
            assertThat(finding(text, true, seed).map(Finding::message))
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    @Test
    void whoHasWaitedMayReadAndWrite() {
        requireClean(kernel(
                "griddepcontrol.launch_dependents;",
                "griddepcontrol.wait; ld.global.u32 v, [a]; st.global.u32 [a], v;",
                "griddepcontrol.wait; ld.global.u32 v, [a+16];"));
    }

    @Test
    void theWaitOfAnotherThreadIsEnoughBehindABarrier() {
        requireClean(kernel("@!one griddepcontrol.wait; barrier.cta.sync 0;", "", "st.global.u32 [a+32], v;"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ld.global.u32 v, [a];",
                "st.global.u32 [a], v;",
                "atom.global.add.u32 v, [a], v;",
                "red.global.add.u32 [a], v;",
            })
    void anAccessBeforeTheWaitIsNamed(String access) {
        String text = kernel("", access + " griddepcontrol.wait;", "");
        for (long seed = 0; seed < SEEDS; seed++) {
            Finding found = finding(text, true, seed).orElseThrow();
            assertThat(found.hazard()).isInstanceOf(Hazard.GridAheadNotAwaited.class);
            assertThat(found.hazard().message())
                    .contains("at byte 0 of buffer DATA")
                    .contains("griddepcontrol.wait");
            assertThat(found.site().instruction()).isEqualTo(access);
        }
    }

    @Test
    void theWaitOfAnotherThreadAloneIsNotEnough() {
        String text = kernel("", "griddepcontrol.wait;", "st.global.u32 [a], v;");
        assertThat(finding(text, true, 3).orElseThrow().hazard()).isInstanceOf(Hazard.GridAheadNotAwaited.class);
    }

    @Test
    void nobodyIsAheadOfAnOrdinaryLaunch() {
        assertThat(finding(kernel("", "st.global.u32 [a], v; griddepcontrol.wait;", ""), false, 3))
                .isEmpty();
    }
}
