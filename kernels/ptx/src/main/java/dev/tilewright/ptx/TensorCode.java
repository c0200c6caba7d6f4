package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.Tcgen05.Fence.Side;
import dev.tilewright.ptx.instruction.Tcgen05.Kind;
import dev.tilewright.ptx.instruction.Tcgen05.MatrixA;
import dev.tilewright.ptx.instruction.Tcgen05.Shape;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.TensorAddress;
import java.util.List;
import java.util.Optional;

/** Tensor memory and the matrix multiply of Blackwell. */
public interface TensorCode extends Emitter {
    /** One warp: columns of tensor memory, a power of two 32..512; their address is written to shared memory. */
    default void tensorAllocate(CtaGroup group, SharedAddress destination, int columns) {
        with(new Tcgen05.Allocate(group, destination, Immediate.b32(columns)));
    }

    /** One warp: frees columns of tensor memory, which must be unused. */
    default void tensorDeallocate(CtaGroup group, Reg<B32> address, int columns) {
        with(new Tcgen05.Deallocate(group, address, Immediate.b32(columns)));
    }

    /** One warp: the CTA allocates nothing more. */
    default void tensorRelinquish(CtaGroup group) {
        with(new Tcgen05.RelinquishPermit(group));
    }

    /** One thread: {@code D (+)= A * B}, A and B in shared memory; {@code accumulate} false replaces D. */
    default void tensorMultiply(
            CtaGroup group,
            Kind kind,
            TensorAddress d,
            Reg<B64> a,
            Reg<B64> b,
            Operand<B32> descriptor,
            Reg<Pred> accumulate) {
        with(new Tcgen05.Multiply(group, kind, d, new MatrixA.Descriptor(a), b, descriptor, accumulate));
    }

    /** One thread: a box of a tensor; its bytes may be counted in the other CTA of the pair. */
    default void tensorLoad(
            CtaGroup group,
            SharedAddress destination,
            GenericAddress map,
            List<? extends Operand<B32>> at,
            ClusterAddress barrier,
            Optional<? extends Operand<B16>> multicast) {
        with(new BulkCopy.TensorLoad(
                false,
                Optional.of(group),
                destination,
                map,
                List.copyOf(at),
                barrier,
                multicast.map(m -> m),
                Optional.empty()));
    }

    /** One thread: an arrival at the barrier when all multiplications so far are done. */
    default void tensorCommit(CtaGroup group, ClusterAddress barrier) {
        with(new Tcgen05.Commit(group, barrier, Optional.empty()));
    }

    /** As above, in each CTA of the mask of ranks. */
    default void tensorCommit(CtaGroup group, ClusterAddress barrier, Reg<B16> multicast) {
        with(new Tcgen05.Commit(group, barrier, Optional.of(multicast)));
    }

    /** Whole warp: one column for each register, this lane's own lane of tensor memory; to be waited for. */
    default void tensorRead(List<Reg<B32>> d, TensorAddress address) {
        with(new Tcgen05.Load(Shape.L32_B32, d, address));
    }

    /** Whole warp: the other way. */
    default void tensorWrite(TensorAddress address, List<Reg<B32>> values) {
        with(new Tcgen05.Store(Shape.L32_B32, address, values));
    }

    default void tensorWaitRead() {
        with(new Tcgen05.WaitLoad());
    }

    /** After a wait for another thread, before the tcgen05 work that relies on it. */
    default void tensorFenceAfterSync() {
        with(new Tcgen05.Fence(Side.AFTER_THREAD_SYNC));
    }

    /** After tcgen05 work, before telling another thread that it is done. */
    default void tensorFenceBeforeSync() {
        with(new Tcgen05.Fence(Side.BEFORE_THREAD_SYNC));
    }
}
