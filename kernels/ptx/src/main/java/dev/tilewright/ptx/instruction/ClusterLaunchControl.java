package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.IsaVersion;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B128;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.Spelled;

/**
 * A running cluster takes over the work of one that was not launched yet: it asks for the cancellation, and the answer
 * of 16 bytes says whose. sm_100. PTX 9.7.13.17, 9.7.13.18.
 */
public sealed interface ClusterLaunchControl extends Instruction {
    /** Bytes of an answer. */
    int ANSWER_BYTES = 16;
    /** sm_100 and later. */
    Requirement BLACKWELL = new Requirement(new IsaVersion(8, 6), 100, Requirement.Kind.FROM_HERE);

    @Override
    default Requirement requires() {
        return BLACKWELL;
    }

    /**
     * One thread: asks to cancel a cluster of this grid. The answer is written by the asynchronous proxy to
     * {@code answer}, 16 bytes aligned to 16, and completes 16 bytes on {@code barrier}; with {@code multicast} in
     * every CTA of the cluster, at the same offsets, and then no CTA may have exited. Undefined after a failed answer
     * was seen.
     */
    record TryCancel(boolean multicast, SharedAddress answer, SharedAddress barrier)
            implements ClusterLaunchControl, MbarrierUse {
        @Override
        public Requirement requires() {
            return multicast ? Tcgen05.BLACKWELL : BLACKWELL;
        }
    }

    /** {@code d} = whether the answer says that a cluster was cancelled. */
    record IsCanceled(Reg<Pred> d, Reg<B128> answer) implements ClusterLaunchControl {}

    /** The coordinates of a CTA in the grid. */
    enum Dimension implements Spelled {
        X,
        Y,
        Z
    }

    /** {@code d} = a coordinate of the first CTA of the cancelled cluster. Undefined if none was cancelled. */
    record FirstCta(Dimension dimension, Reg<B32> d, Reg<B128> answer) implements ClusterLaunchControl {}

    /** The same for all three coordinates at once. */
    record FirstCtaVector(Reg<B32> x, Reg<B32> y, Reg<B32> z, Reg<B128> answer)
            implements ClusterLaunchControl, Irregular {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(x, ScalarType.B32);
            visitor.write(y, ScalarType.B32);
            visitor.write(z, ScalarType.B32);
            visitor.read(answer, ScalarType.B128);
        }
    }
}
