package dev.tilewright.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.emulator.run.Buffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A register that nobody wrote: computing with it harms nobody, what is made of it may not be used. */
class UndefinedRegisterTest {
    private static final String COMPUTED = """
            .reg .b32 t, never, made, at; .reg .b64 out, wide; .reg .pred q, p;
            ld.param.u64 out, [p0];
            mov.u32 t, %tid.x;
            mov.u32 at, smem;
            setp.ge.u32 p, t, 32;
            @p mov.u32 never, 5;
            add.s32 made, never, t;
            mul.lo.u32 made, made, 4;
            mul.wide.u32 wide, made, 4;
            add.u64 wide, wide, out;
            setp.lt.u32 q, made, 7;
            """;

    private static PtxText text(String use) {
        return PtxText.of(COMPUTED + use, 32, Buffer.of("out", new byte[256]));
    }

    @Test
    void isComputedWith() {
        text("mov.u32 made, 3; st.shared.u32 [at], made;").completed(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "st.shared.u32 [at], made;",
                "st.global.u32 [wide], t;",
                "ld.global.u32 t, [wide];",
                "@q bra END; END:",
                "@q st.shared.u32 [at], t;",
                "shfl.sync.idx.b32 t, made, 0, 31, -1;"
            })
    void isNotUsed(String use) {
        Finding finding = text(use).finding();
        assertThat(finding.rule()).isEqualTo(Rule.UNINITIALISED_READ);
        assertThat(finding.message()).containsPattern("register (made|wide|q) of lane 0");
    }
}
