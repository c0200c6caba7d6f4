package dev.tilewright.gemm.mainloop;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SpecialRegister;

/**
 * Ticks of the GPU's timer. All SMs see one timer, so that threads that await its ticks go on together, whatever
 * brought them here.
 *
 * @param logNs logarithm to the base 2 of the nanoseconds between two ticks
 */
public record TimerTick(int logNs) {

    /** Ticks of a power of two of nanoseconds. */
    public static TimerTick every(int ns) {
        if (Integer.bitCount(ns) != 1) {
            throw new IllegalArgumentException("a tick is a power of two of nanoseconds, got " + ns);
        }
        return new TimerTick(Integer.numberOfTrailingZeros(ns));
    }

    /** Spins until the next one. To sleep would be to wake up at some time after it, each thread at its own. */
    void await(CodeBuilder b) {
        b.comment("wait for the next tick of the timer");
        Reg<B32> before = ticks(b);
        b.doWhile("tick", w -> w.eq(ticks(w), before));
    }

    private Reg<B32> ticks(CodeBuilder b) {
        return b.shr(b.special(SpecialRegister.GLOBALTIMER_LO), logNs);
    }
}
