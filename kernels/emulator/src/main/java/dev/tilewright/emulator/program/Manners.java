package dev.tilewright.emulator.program;

import dev.tilewright.emulator.order.Manner;
import dev.tilewright.ptx.instruction.AsyncCopy;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.CachePolicy;
import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.Computation;
import dev.tilewright.ptx.instruction.Flow;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.TensorMapUpdate;
import dev.tilewright.ptx.instruction.Tooling;
import dev.tilewright.ptx.instruction.WarpExchange;
import dev.tilewright.ptx.instruction.WarpMatrix;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.type.CacheOperator;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Scope;

/** How instructions access memory: ordering and scope, with the defaults filled in. PTX 8.4, 8.5. */
final class Manners {
    private Manners() {}

    static Manner of(Instruction instruction) {
        return switch (instruction) {
            case Memory i -> of(i);
            case Mbarrier i -> of(i);
            case Barrier.ClusterBarrier _ -> Manner.weak("arrival at the cluster barrier");
            case Matrix.Load _, Matrix.LoadBytes _ -> Manner.weak("load");
            case Matrix.Store _, Matrix.StoreBytes _ -> Manner.weak("store");
            case BulkCopy.Load _, BulkCopy.TensorLoad _, BulkCopy.SharedToCluster _ -> Manner.weak("copy");
            case BulkCopy.Store _, BulkCopy.TensorStore _ -> Manner.weak("bulk store");
            case BulkCopy.TensorReduce _, BulkCopy.Reduce _, BulkCopy.ReduceToCluster _ ->
                Manner.reduction("bulk reduction", Ordering.relaxed(Scope.GPU));
            case AsyncCopy.Copy _ -> Manner.weak("cp.async");
            case TensorMapUpdate.Replace _ -> Manner.weak("tensormap.replace");
            case TensorMapUpdate.CopyRelease _ -> Manner.weak("tensormap.cp_fenceproxy");
            case WarpMatrix.Load _ -> Manner.weak("wmma.load");
            case WarpMatrix.Store _ -> Manner.weak("wmma.store");
            case Wgmma _ -> Manner.weak("wgmma");
            case Tcgen05 i -> of(i);
            case ClusterLaunchControl.TryCancel _ -> Manner.weak("answer of try_cancel");
            case Computation _, Flow _, WarpExchange _, CachePolicy _, Tooling _ -> Manner.other();
            case Barrier.CtaBarrier _,
                    Barrier.WarpBarrier _,
                    Barrier.ThreadFence _,
                    Barrier.RestrictedFence _,
                    Barrier.ProxyFence _,
                    Barrier.Elect _,
                    Barrier.Shuffle _,
                    Barrier.Vote _,
                    Barrier.Ballot _,
                    Barrier.SetMaxRegisters _,
                    Barrier.GridDependency _,
                    Barrier.Nanosleep _ -> Manner.other();
            case BulkCopy.TensorPrefetch _, BulkCopy.CommitGroup _, BulkCopy.WaitGroup _, BulkCopy.Prefetch _ ->
                Manner.other();
            case AsyncCopy.CommitGroup _, AsyncCopy.WaitGroup _, AsyncCopy.WaitAll _, AsyncCopy.ArriveWhenDone _ ->
                Manner.other();
            case TensorMapUpdate.Release _, TensorMapUpdate.Acquire _ -> Manner.other();
            case WarpMatrix.Multiply _, WarpMatrix.MultiplyFragments _, WarpMatrix.Transpose _ -> Manner.other();
            case ClusterLaunchControl.IsCanceled _,
                    ClusterLaunchControl.FirstCta _,
                    ClusterLaunchControl.FirstCtaVector _ -> Manner.other();
        };
    }

    private static Manner of(Tcgen05 instruction) {
        return switch (instruction) {
            case Tcgen05.Allocate _ -> Manner.weak("store of tcgen05.alloc");
            case Tcgen05.Deallocate _ -> Manner.weak("tcgen05.dealloc");
            case Tcgen05.Multiply _ -> Manner.weak("tcgen05.mma");
            case Tcgen05.Copy _ -> Manner.weak("tcgen05.cp");
            case Tcgen05.Load _ -> Manner.weak("tcgen05.ld");
            case Tcgen05.Store _ -> Manner.weak("tcgen05.st");
            case Tcgen05.Commit _ -> Manner.weak("tcgen05.commit");
            case Tcgen05.RelinquishPermit _, Tcgen05.WaitLoad _, Tcgen05.WaitStore _, Tcgen05.Fence _ -> Manner.other();
        };
    }

    private static Manner of(Memory instruction) {
        return switch (instruction) {
            case Memory.Load i ->
                i.cache() == CacheOperator.NC ? Manner.nonCoherent("load") : Manner.access("load", i.ordering());
            case Memory.Store i -> Manner.access("store", i.ordering());
            case Memory.Atomic i -> Manner.atomic("atomic", i.ordering());
            case Memory.Reduce i -> Manner.reduction("reduction", i.ordering());
            case Memory.StoreAsync _ -> Manner.weak("asynchronous store");
            case Memory.ReduceAsync _ -> Manner.reduction("reduction", Ordering.relaxed(Scope.CLUSTER));
            case Memory.Prefetch _, Memory.PrefetchTensorMap _ -> Manner.other();
        };
    }

    private static Manner of(Mbarrier instruction) {
        return switch (instruction) {
            case Mbarrier.Arrive i -> Manner.arrival("arrival", i.ordering());
            case Mbarrier.ArriveExpectTx i -> Manner.arrival("arrival", i.ordering());
            case Mbarrier.Wait i -> Manner.wait("wait", i.ordering());
            case Mbarrier.Init _, Mbarrier.Invalidate _ -> Manner.weak("write of the barrier");
            case Mbarrier.ExpectTx _,
                    Mbarrier.CompleteTx _,
                    Mbarrier.PendingCount _,
                    Mbarrier.MapToRank _,
                    Mbarrier.RankOf _,
                    Mbarrier.FenceInit _ -> Manner.other();
        };
    }
}
