package dev.tilewright.gemm.pipeline;

import dev.tilewright.gemm.division.Divisor;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;

/**
 * Where one role stands in a ring: registers of that role alone.
 *
 * @param slots of the ring
 * @param slot the current one
 * @param parity of the phase it waits for next, flipped at each wrap
 */
public record PipelineState(int slots, Reg<B32> slot, Reg<B32> parity) {

    static PipelineState start(CodeBuilder b, String name, int slots, int parity) {
        Reg<B32> slot = b.b32(name + "Slot");
        Reg<B32> phase = b.b32(name + "Parity");
        b.mov(slot, 0);
        b.mov(phase, parity);
        return new PipelineState(slots, slot, phase);
    }

    /** Goes to the next slot. */
    public void advance(CodeBuilder b) {
        b.add(slot, slot, 1);
        Reg<Pred> wrapped = b.eq(slot, slots);
        b.select(slot, wrapped, 0, slot);
        b.guarded(wrapped, g -> g.xor(parity, parity, Immediate.b32(1)));
    }

    /**
     * Says that the threads of a warp stand at one slot, which they do anyway. The assembler cannot tell inside a loop
     * over tiles, and computes in every thread, and moves to uniform registers one by one, whatever an instruction
     * wants of a whole warp. It forgets at a loop, so this is to be said inside it. For whole warps.
     */
    public void alike(CodeBuilder b) {
        b.mov(slot, b.shflIdx(slot, 0));
    }

    /** Goes on by any number of slots, those that another consumer takes. */
    public void skip(CodeBuilder b, Reg<B32> count) {
        Reg<B32> position = b.add(slot, count);
        Reg<B32> wraps = new Divisor(slots).divide(b, position);
        b.sub(slot, position, b.mulLo(wraps, slots));
        b.xor(parity, parity, b.and(wraps, 1));
    }
}
