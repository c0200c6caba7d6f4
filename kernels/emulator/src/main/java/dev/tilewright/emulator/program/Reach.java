package dev.tilewright.emulator.program;

import dev.tilewright.ptx.instruction.AsyncCopy;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.CachePolicy;
import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.Computation;
import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.instruction.FunctionCall;
import dev.tilewright.ptx.instruction.IndirectCall;
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

/** How far an instruction acts: by this a wait that asks again and again is told from one that does something. */
public enum Reach {
    /** The instruction computes, branches or tests a barrier: other threads are not affected. */
    OWN,
    /** The instruction reads memory or other lanes, and may find new values. */
    LOOKS,
    /** Other threads may see that the instruction was executed. */
    CHANGES;

    static Reach of(Instruction instruction) {
        return switch (instruction) {
            case Computation _, Control _, Tooling _ -> OWN;
            case Memory memory ->
                switch (memory) {
                    // An atomic may leave what it found; if it does not, it says so itself.
                    case Memory.Load _,
                            Memory.Prefetch _,
                            Memory.PrefetchTensorMap _,
                            Memory.Atomic _,
                            Memory.Reduce _ -> LOOKS;
                    case Memory.Store _, Memory.StoreAsync _, Memory.ReduceAsync _ -> CHANGES;
                };
            case Mbarrier barrier ->
                switch (barrier) {
                    case Mbarrier.Wait _, Mbarrier.PendingCount _, Mbarrier.MapToRank _, Mbarrier.RankOf _ -> OWN;
                    case Mbarrier.Init _,
                            Mbarrier.Invalidate _,
                            Mbarrier.Arrive _,
                            Mbarrier.ArriveExpectTx _,
                            Mbarrier.ExpectTx _,
                            Mbarrier.CompleteTx _,
                            Mbarrier.FenceInit _ -> CHANGES;
                };
            case Barrier barrier ->
                switch (barrier) {
                    case Barrier.Nanosleep _ -> OWN;
                    case Barrier.WarpBarrier _,
                            Barrier.ThreadFence _,
                            Barrier.ProxyFence _,
                            Barrier.Elect _,
                            Barrier.Shuffle _,
                            Barrier.Vote _,
                            Barrier.Ballot _ -> LOOKS;
                    case Barrier.CtaBarrier _,
                            Barrier.RestrictedFence _,
                            Barrier.ClusterBarrier _,
                            Barrier.SetMaxRegisters _,
                            Barrier.GridDependency _ -> CHANGES;
                };
            case WarpExchange exchange ->
                switch (exchange) {
                    case WarpExchange.MatchAny _,
                            WarpExchange.MatchAll _,
                            WarpExchange.Reduce _,
                            WarpExchange.ActiveMask _,
                            WarpExchange.AliasFence _ -> LOOKS;
                    case WarpExchange.BarrierCount _, WarpExchange.BarrierVote _ -> CHANGES;
                };
            case AsyncCopy _,
                    BulkCopy _,
                    CachePolicy _,
                    ClusterLaunchControl _,
                    FunctionCall _,
                    IndirectCall _,
                    Matrix _,
                    Tcgen05 _,
                    TensorMapUpdate _,
                    WarpMatrix _,
                    Wgmma _ -> CHANGES;
        };
    }
}
