package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Address;

/** What names an mbarrier: to set it up, to arrive at it, to complete bytes on it or to wait for it. */
public sealed interface MbarrierUse extends Instruction
        permits Mbarrier.Init,
                Mbarrier.Invalidate,
                Mbarrier.Arrive,
                Mbarrier.ArriveExpectTx,
                Mbarrier.ExpectTx,
                Mbarrier.CompleteTx,
                Mbarrier.Wait,
                AsyncCopy.ArriveWhenDone,
                BulkCopy.TensorLoad,
                BulkCopy.Load,
                BulkCopy.SharedToCluster,
                BulkCopy.ReduceToCluster,
                Memory.StoreAsync,
                Synchronisation.ReduceAsync,
                ClusterLaunchControl.TryCancel,
                Tcgen05.Commit {
    Address barrier();
}
