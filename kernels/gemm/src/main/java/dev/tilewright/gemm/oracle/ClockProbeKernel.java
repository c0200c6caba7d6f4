package dev.tilewright.gemm.oracle;

import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.Target;
import java.util.List;

/**
 * One thread writes the device's nanosecond clock and its SM's cycle counter: two probes on one SM give the clock rate
 * between them.
 *
 * <p>Parameters: out (u64, device address of 24 bytes: globaltimer u64, clock64 u64, smid u32, 4 bytes unused).
 */
public final class ClockProbeKernel {
    public static final String ENTRY = "clock_probe";
    public static final int BYTES = 24;

    private ClockProbeKernel() {}

    public static PtxModule build() {
        return PtxModule.build(
                Target.SM_90A,
                m -> m.entry(ENTRY, e -> {
                    Param out = e.u64("out");
                    e.launchBounds(1, 0);
                    e.code(b -> {
                        GlobalAddress record = GlobalAddress.of(b.toGlobal(b.param64(out)));
                        b.st64(record, b.special64(SpecialRegister.GLOBALTIMER));
                        b.st64(record.plus(8), b.special64(SpecialRegister.CLOCK64));
                        b.st32(record.plus(16), b.special(SpecialRegister.SMID));
                        b.ret();
                    });
                }));
    }

    public static OracleLaunch launch(long out) {
        return new OracleLaunch(ENTRY, 1, 1, List.of(out));
    }
}
