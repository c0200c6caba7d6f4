package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.Barrier.RestrictedFence;
import dev.tilewright.ptx.instruction.ClusterLaunchControl.Dimension;
import dev.tilewright.ptx.instruction.ClusterLaunchControl.FirstCta;
import dev.tilewright.ptx.instruction.ClusterLaunchControl.IsCanceled;
import dev.tilewright.ptx.instruction.ClusterLaunchControl.TryCancel;
import dev.tilewright.ptx.instruction.Memory.Load;
import dev.tilewright.ptx.type.CacheOperator;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B128;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.List;

/** Cluster launch control: taking over clusters of the grid that were not launched yet. */
public interface ClusterLaunchCode extends Emitter {
    /** One thread: asks for a cluster; the answer goes to every CTA of this cluster. */
    default void tryCancel(SharedAddress answer, SharedAddress barrier) {
        with(new TryCancel(true, answer, barrier));
    }

    /** One thread: asks for a cluster; the answer goes to this CTA. */
    default void tryCancelAlone(SharedAddress answer, SharedAddress barrier) {
        with(new TryCancel(false, answer, barrier));
    }

    /** The answer, after its barrier was waited for. */
    default Reg<B128> loadAnswer(SharedAddress answer) {
        return into(
                b128(), d -> with(new Load(Ordering.DEFAULT, CacheOperator.NONE, ScalarType.B128, List.of(d), answer)));
    }

    /** {@code d} = whether a cluster was cancelled, so that its work is ours. */
    default void isCanceled(Reg<Pred> d, Reg<B128> answer) {
        with(new IsCanceled(d, answer));
    }

    /** {@code d} = ctaid.x of the first CTA of the cancelled cluster; undefined if none was. */
    default void firstCtaX(Reg<B32> d, Reg<B128> answer) {
        with(new FirstCta(Dimension.X, d, answer));
    }

    /** A reader of an answer, before it says that it has read. */
    default void fenceAnswerRead() {
        with(new RestrictedFence(Sem.RELEASE, true));
    }

    /** Before the next request into the same bytes, once all readers have arrived. */
    default void fenceAnswerReuse() {
        with(new RestrictedFence(Sem.ACQUIRE, true));
    }
}
