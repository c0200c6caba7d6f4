package dev.tilewright.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.run.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The forms in which compilers and people wait for an mbarrier. Each is a wait, and no work. */
class WaitFormsTest {
    /** A wait for the barrier at {@code bar} until its phase of parity {@code par} has ended; a copy for each label. */
    private enum Form {
        BRANCH_BACK("""
                W@: mbarrier.try_wait.parity.shared::cta.b64 q, [bar], par;
                @!q bra W@;
                """),
        BRANCH_OUT("""
                W@: mbarrier.try_wait.parity.shared::cta.b64 q, [bar], par;
                @q bra D@;
                bra W@;
                D@:
                """),
        BRANCH_OUT_UNIFORM("""
                W@: mbarrier.try_wait.parity.shared::cta.b64 q, [bar], par;
                @q bra.uni D@;
                bra.uni W@;
                D@:
                """),
        FIRST_ONCE("""
                mbarrier.test_wait.parity.shared::cta.b64 q, [bar], par;
                @q bra D@;
                W@: mbarrier.try_wait.parity.shared::cta.b64 q, [bar], par;
                @q bra D@;
                bra W@;
                D@:
                """),
        SELECTED("""
                W@: mbarrier.try_wait.parity.shared::cta.b64 q, [bar], par;
                selp.b32 u, 1, 0, q;
                setp.eq.s32 q, u, 0;
                @q bra W@;
                """),
        SLEEPING("""
                mov.u32 v, 8;
                W@: mbarrier.test_wait.parity.shared::cta.b64 q, [bar], par;
                @q bra D@;
                nanosleep.u32 v;
                shl.b32 v, v, 1;
                min.u32 v, v, 256;
                bra W@;
                D@:
                """),
        BACKING_OFF("""
                mov.u64 b0, %globaltimer;
                mov.u32 v, 0;
                bra.uni W@;
                N@: add.s32 v, v, 1;
                W@: mbarrier.try_wait.parity.shared::cta.b64 q, [bar], par;
                selp.b32 u, 1, 0, q;
                setp.ne.s32 q, u, 0;
                @q bra D@;
                setp.lt.s32 q, v, 16;
                @q bra N@;
                mov.u64 b1, %globaltimer;
                sub.s64 b1, b1, b0;
                setp.lt.s64 q, b1, 40000;
                @q bra W@;
                nanosleep.u32 1000;
                bra.uni W@;
                D@:
                """);

        private final String text;

        Form(String text) {
            this.text = text;
        }

        private String at(String label, String barrier, String parity) {
            return text.replace("@:", label + ":")
                    .replaceAll("([WDN])@;", "$1" + label + ";")
                    .replace("bar]", barrier + "]")
                    .replace("par;", parity + ";");
        }
    }

    private static final int TURNS = 6;

    /** A producer warp and a consumer warp hand {@value #TURNS} values over, one at a time. */
    private static PtxText handOver(Form form, boolean producerArrives) {
        return PtxText.of(
                """
                .reg .b32 t, i, s, u, v, n, par; .reg .pred q, isProducer, more, last; .reg .b64 a, b0, b1;
                .reg .b32 full, empty;
                ld.param.u64 a, [p0];
                mov.u32 t, %%tid.x;
                mov.u32 full, smem;
                add.u32 empty, full, 8;
                setp.eq.u32 q, t, 0;
                @q mbarrier.init.shared::cta.b64 [full], 32;
                @q mbarrier.init.shared::cta.b64 [empty], 32;
                bar.sync 0;
                mov.u32 i, 0;
                mov.u32 n, 0;
                and.b32 s, t, 31;
                shl.b32 s, s, 2;
                add.u32 s, s, full;
                setp.lt.u32 isProducer, t, 32;
                @!isProducer bra CONSUME;
                PRODUCE:
                and.b32 par, i, 1;
                xor.b32 par, par, 1;
                %s
                add.u32 u, i, 1;
                st.shared.u32 [s+64], u;
                setp.eq.u32 last, i, 3;
                %s mbarrier.arrive.shared::cta.b64 _, [full];
                add.u32 i, i, 1;
                setp.lt.u32 more, i, %d;
                @more bra PRODUCE;
                bra END;
                CONSUME:
                and.b32 par, i, 1;
                %s
                ld.shared.u32 u, [s+64];
                add.u32 n, n, u;
                mbarrier.arrive.shared::cta.b64 _, [empty];
                add.u32 i, i, 1;
                setp.lt.u32 more, i, %d;
                @more bra CONSUME;
                mul.wide.u32 b0, t, 4;
                add.u64 a, a, b0;
                st.global.u32 [a-128], n;
                END:
                """.formatted(
                                form.at("1", "empty", "par"),
                                producerArrives ? "" : "@!last",
                                TURNS,
                                form.at("2", "full", "par"),
                                TURNS),
                64,
                Buffer.uninitialised("out", 128));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void everyFormHandsOverUnderEverySeed(Form form) {
        byte[] out = handOver(form, true).clean("out");
        assertThat(out[0]).isEqualTo((byte) (TURNS * (TURNS + 1) / 2));
        assertThat(out[4 * 31]).isEqualTo(out[0]);
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void aDeadlockNamesBothWaitersSoon(Form form) {
        PtxText text = handOver(form, false);
        for (long seed = 0; seed < 10; seed++) {
            RunEnd.Faulted faulted = (RunEnd.Faulted) text.run(seed);
            assertThat(faulted.finding().hazard()).as("seed " + seed).isInstanceOf(Hazard.Deadlock.class);
            List<String> waiters = ((Hazard.Deadlock) faulted.finding().hazard())
                    .waiters().stream().map(Object::toString).toList();
            assertThat(waiters).as("seed " + seed).hasSizeGreaterThanOrEqualTo(2);
            assertThat(waiters).anyMatch(waiter -> waiter.contains("phase 3 (parity 1) of smem+0"));
            assertThat(waiters).anyMatch(waiter -> waiter.contains("phase 3 (parity 1) of smem+8"));
            assertThat(faulted.statistics().steps()).as("seed " + seed).isLessThan(150_000);
        }
    }

    /**
     * Warp 0 looks at an mbarrier once, without waiting, and goes on to a named barrier. Warp 1 works for a while, ends
     * the mbarrier's phase, works again, and writes the data that the named barrier hands over.
     */
    @Test
    void aLookGivenUpDoesNotEndTheWaitBehindIt() {
        PtxText text = PtxText.of("""
                .reg .b32 t, v, bar, at; .reg .pred q, looks; .reg .b64 out, out0;
                ld.param.u64 out, [p0];
                mov.u32 t, %tid.x;
                mov.u32 bar, smem;
                and.b32 v, t, 31;
                mad.lo.u32 at, v, 4, bar;
                setp.eq.u32 q, t, 0;
                @q mbarrier.init.shared::cta.b64 [bar], 32;
                bar.sync 0;
                setp.lt.u32 looks, t, 32;
                @looks bra LOOK;
                mov.u32 v, 0;
                BEFORE:
                add.u32 v, v, 1;
                setp.lt.u32 q, v, 100;
                @q bra BEFORE;
                mbarrier.arrive.shared::cta.b64 _, [bar];
                BETWEEN:
                sub.u32 v, v, 1;
                setp.gt.u32 q, v, 0;
                @q bra BETWEEN;
                st.shared.u32 [at+64], t;
                bar.arrive 1, 64;
                bra END;
                LOOK:
                mbarrier.test_wait.parity.shared::cta.b64 q, [bar], 0;
                bar.sync 1, 64;
                ld.shared.u32 v, [at+64];
                mul.wide.u32 out0, t, 4;
                add.u64 out, out, out0;
                st.global.u32 [out], v;
                END:
                """, 64, Buffer.of("out", new byte[128]));
        for (int seed = 0; seed < 40; seed++) {
            byte[] out = text.completed(seed).buffer("out");
            for (int lane = 0; lane < 32; lane++) {
                assertThat(out[4 * lane]).as("lane " + lane + ", seed " + seed).isEqualTo((byte) (32 + lane));
            }
        }
    }
}
