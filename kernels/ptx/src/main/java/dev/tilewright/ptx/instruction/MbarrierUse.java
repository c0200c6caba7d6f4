package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Address;

/** An instruction with an mbarrier operand: it initialises it, arrives at it, completes bytes on it or waits for it. */
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
                Memory.ReduceAsync,
                ClusterLaunchControl.TryCancel,
                Tcgen05.Commit {
    Address barrier();
}
