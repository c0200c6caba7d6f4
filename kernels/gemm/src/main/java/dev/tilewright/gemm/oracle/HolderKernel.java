package dev.tilewright.gemm.oracle;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.type.CacheOperator;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.Target;
import java.util.List;

/**
 * CTAs of one thread, each of which keeps an SM from all others by taking its whole shared memory, and sleeps. Nothing
 * fits beside it: every CTA needs some shared memory, if only what the hardware reserves for it.
 *
 * <p>The host keeps them by changing a word from time to time, its beat, and lets them go by setting it to 0. Without a
 * new beat a holder ends by itself, so that a host that died never leaves a GPU held.
 *
 * <p>Parameters: beat (u64, device address of a mapped u32), patience (u64, nanoseconds from the last beat that was
 * seen), report (u64, device address of two mapped u32 for each CTA: the SM that it holds plus 1, and how it ended: 1 =
 * released, 2 = out of patience; both 0 before the launch).
 */
public final class HolderKernel {
    public static final String ENTRY = "hold_sm";
    public static final int RELEASED = 1;
    public static final int EXPIRED = 2;

    /** Words of the report for each CTA. */
    public static final int REPORT_WORDS = 2;

    /** Index of the SM plus 1 among them. */
    public static final int PLACE = 0;

    /** Index of the end among them. */
    public static final int OUTCOME = 1;

    /** The longest sleep of the instruction. */
    private static final int SLEEP_NS = 1_000_000;

    /**
     * Sleeps between two looks at the host's word, which lies behind PCIe. All holders look at once, and delay a launch
     * that comes then: with one look every 131 us, kernels of an H200 that needed a little less than that each began
     * right behind a look, and all had the same time.
     */
    private static final int SLEEPS = 4;

    private HolderKernel() {}

    public static PtxModule build() {
        return PtxModule.build(
                Target.SM_90A,
                m -> m.entry(ENTRY, e -> {
                    Param beat = e.u64("beat");
                    Param patience = e.u64("patience");
                    Param report = e.u64("report");
                    e.launchBounds(1, 0);
                    e.code(b -> {
                        GlobalAddress signal = GlobalAddress.of(b.toGlobal(b.param64(beat)));
                        Reg<B64> allowed = b.param64(patience);
                        Reg<B64> reports = b.toGlobal(b.param64(report));
                        GlobalAddress own = GlobalAddress.of(b.madWide(
                                b.special(SpecialRegister.CTAID_X), (long) REPORT_WORDS * Integer.BYTES, reports));
                        Reg<B32> seen = b.ld32(Ordering.VOLATILE, signal);
                        Reg<B64> since = b.special64(SpecialRegister.GLOBALTIMER);
                        tell(b, own.plus(PLACE * Integer.BYTES), b.add(b.special(SpecialRegister.SMID), 1));
                        b.loop("hold", (l, loop) -> {
                            Reg<B32> now = l.ld32(Ordering.VOLATILE, signal);
                            l.ifThen(l.eq(now, 0), t -> {
                                tell(t, own.plus(OUTCOME * Integer.BYTES), Immediate.b32(RELEASED));
                                t.bra(loop.end());
                            });
                            Reg<B64> time = l.special64(SpecialRegister.GLOBALTIMER);
                            l.ifThen(l.ne(now, seen), t -> {
                                t.mov(seen, now);
                                t.mov(since, time);
                            });
                            l.ifThen(l.ge(l.sub(time, since), allowed), t -> {
                                tell(t, own.plus(OUTCOME * Integer.BYTES), Immediate.b32(EXPIRED));
                                t.bra(loop.end());
                            });
                            for (int sleep = 0; sleep < SLEEPS; sleep++) {
                                l.nanosleep(SLEEP_NS);
                            }
                        });
                        b.ret();
                    });
                }));
    }

    /** The host looks while the kernel runs. */
    private static void tell(CodeBuilder b, GlobalAddress address, Operand<B32> value) {
        b.st(Ordering.VOLATILE, CacheOperator.NONE, ScalarType.U32, address, List.of(value));
    }

    /**
     * Holds as many SMs as there are CTAs, provided that all are free.
     *
     * @param sms how many, at least 1
     * @param sharedBytes the most dynamic shared memory that a CTA may have on the device
     */
    public static OracleLaunch launch(int sms, int sharedBytes, long beat, long patienceNs, long report) {
        return new OracleLaunch(ENTRY, sms, 1, sharedBytes, List.of(beat, patienceNs, report));
    }
}
