package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.BulkCopy.EvictionPriority;
import dev.tilewright.ptx.instruction.BulkCopy.TensorLoad;
import dev.tilewright.ptx.instruction.BulkCopy.TensorStore;
import dev.tilewright.ptx.instruction.CachePolicy;
import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.instruction.Wgmma.MatrixA;
import dev.tilewright.ptx.instruction.Wgmma.MmaAsync;
import dev.tilewright.ptx.instruction.Wgmma.ScaleD;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.List;
import java.util.Optional;

/** TMA copies, wgmma and the matrix stores of the epilogue. */
public interface AsyncCode extends Emitter {
    /** One thread: a box of a tensor into shared memory, its bytes completed on {@code barrier}. */
    default void tmaLoad(
            SharedAddress destination, GenericAddress map, List<? extends Operand<B32>> at, SharedAddress barrier) {
        tmaLoad(destination, map, at, barrier, Optional.empty(), Optional.empty());
    }

    /** The general form: multicast mask of cluster ranks, L2 policy. */
    default void tmaLoad(
            SharedAddress destination,
            GenericAddress map,
            List<? extends Operand<B32>> at,
            SharedAddress barrier,
            Optional<? extends Operand<B16>> multicast,
            Optional<? extends Operand<B64>> policy) {
        with(new TensorLoad(destination, map, List.copyOf(at), barrier, multicast.map(m -> m), policy.map(p -> p)));
    }

    /** One thread: a box from shared memory into a tensor; joins the thread's open bulk group. */
    default void tmaStore(GenericAddress map, List<? extends Operand<B32>> at, SharedAddress source) {
        tmaStore(map, at, source, Optional.empty());
    }

    default void tmaStore(
            GenericAddress map,
            List<? extends Operand<B32>> at,
            SharedAddress source,
            Optional<? extends Operand<B64>> policy) {
        with(new TensorStore(false, map, List.copyOf(at), source, policy.map(p -> p)));
    }

    default void bulkCommitGroup() {
        with(new BulkCopy.CommitGroup());
    }

    /** At most {@code pending} bulk groups of this thread have not read their shared memory afterwards. */
    default void bulkWaitGroupRead(int pending) {
        with(new BulkCopy.WaitGroup(pending, true));
    }

    /** An L2 policy for all lines of the copies that carry it. */
    default Reg<B64> createPolicy(EvictionPriority priority) {
        return into(
                b64(),
                d -> with(new CachePolicy.Fractional(d, priority, Optional.empty(), Optional.of(Immediate.f32(1)))));
    }

    default void wgmmaFence() {
        with(new Wgmma.Fence());
    }

    /**
     * Warpgroup: {@code d (+)= A * B} by matrix descriptors, both K-major, N = 2 * size of d; {@code accumulate} false
     * replaces d.
     */
    default void wgmma(ScalarType input, List<Reg<F32>> d, Reg<B64> a, Reg<B64> b, Reg<Pred> accumulate) {
        wgmma(input, d, a, b, new ScaleD.When(accumulate));
    }

    default void wgmma(ScalarType input, List<Reg<F32>> d, Reg<B64> a, Reg<B64> b, boolean accumulate) {
        wgmma(input, d, a, b, new ScaleD.Fixed(accumulate));
    }

    private void wgmma(ScalarType input, List<Reg<F32>> d, Reg<B64> a, Reg<B64> b, ScaleD scale) {
        Element element = input == ScalarType.F16 ? Element.F16 : Element.BF16;
        if (input != ScalarType.F16 && input != ScalarType.BF16) {
            throw new IllegalArgumentException("wgmma: inputs must be bf16 or f16, got ." + input.ptx());
        }
        wgmma(new Wgmma.Inputs(element, element, false, false), d, a, b, scale);
    }

    /** Warpgroup: {@code d (+)= A * B} by matrix descriptors, of any inputs that have f32 sums; N = 2 * size of d. */
    default void wgmma(Wgmma.Inputs inputs, List<Reg<F32>> d, Reg<B64> a, Reg<B64> b, ScaleD scale) {
        with(new MmaAsync(
                2 * d.size(),
                Element.F32,
                inputs.a(),
                inputs.b(),
                false,
                List.copyOf(d),
                new MatrixA.Descriptor(a, inputs.transposeA()),
                b,
                scale,
                false,
                false,
                inputs.transposeB()));
    }

    default void wgmmaCommitGroup() {
        with(new Wgmma.CommitGroup());
    }

    default void wgmmaWaitGroup(int pending) {
        with(new Wgmma.WaitGroup(pending));
    }

    /** Whole warp: 1, 2 or 4 8x8 matrices of 16-bit elements into shared memory. */
    default void stmatrix(SharedAddress address, List<Reg<B32>> values) {
        with(new Matrix.Store(false, address, values));
    }

    default void stmatrixTransposed(SharedAddress address, List<Reg<B32>> values) {
        with(new Matrix.Store(true, address, values));
    }
}
