package dev.tilewright.gemm.oracle;

import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.Target;
import java.util.List;

/**
 * One thread that waits until the host raises a flag: behind it launches are queued, so that the launch rate never
 * shows in a measurement. A limit ends it when the host has died.
 *
 * <p>Parameters: flag (u64, device address of a mapped u32; nonzero = go), limit (u64, nanoseconds from its start),
 * outcome (u64, device address of a u32: 1 = released, 2 = the limit passed).
 */
public final class SpinKernel {
    public static final String ENTRY = "spin";
    public static final int RELEASED = 1;
    public static final int EXPIRED = 2;

    private SpinKernel() {}

    public static PtxModule build() {
        return PtxModule.build(
                Target.SM_90A,
                m -> m.entry(ENTRY, e -> {
                    Param flag = e.u64("flag");
                    Param limit = e.u64("limit");
                    Param outcome = e.u64("outcome");
                    e.launchBounds(1, 0);
                    e.code(b -> {
                        GlobalAddress signal = GlobalAddress.of(b.toGlobal(b.param64(flag)));
                        GlobalAddress result = GlobalAddress.of(b.toGlobal(b.param64(outcome)));
                        Reg<B64> allowed = b.param64(limit);
                        Reg<B64> start = b.special64(SpecialRegister.GLOBALTIMER);
                        b.loop("poll", (l, loop) -> {
                            l.ifThen(l.ne(l.ld32(Ordering.VOLATILE, signal), 0), t -> {
                                t.st32(result, Immediate.b32(RELEASED));
                                t.bra(loop.end());
                            });
                            Reg<B64> waited = l.sub(l.special64(SpecialRegister.GLOBALTIMER), start);
                            l.ifThen(l.ge(waited, allowed), t -> {
                                t.st32(result, Immediate.b32(EXPIRED));
                                t.bra(loop.end());
                            });
                            l.nanosleep(200);
                        });
                        b.ret();
                    });
                }));
    }

    public static OracleLaunch launch(long flag, long limitNs, long outcome) {
        return new OracleLaunch(ENTRY, 1, 1, List.of(flag, limitNs, outcome));
    }
}
