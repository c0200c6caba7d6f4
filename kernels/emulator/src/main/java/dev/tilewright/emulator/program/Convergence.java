package dev.tilewright.emulator.program;

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

/** Finds the instructions that need the lanes of a warp together. Between them lanes may run apart. */
final class Convergence {
    private Convergence() {}

    static boolean needed(Instruction instruction) {
        return switch (instruction) {
            case Computation _, Flow _, Memory _, Mbarrier _, BulkCopy _ -> false;
            case Wgmma _, Matrix _ -> true;
            case AsyncCopy _ -> false;
            case WarpExchange exchange ->
                switch (exchange) {
                    case WarpExchange.MatchAny _,
                            WarpExchange.MatchAll _,
                            WarpExchange.Reduce _,
                            WarpExchange.ActiveMask _,
                            WarpExchange.BarrierCount _,
                            WarpExchange.BarrierVote _ -> true;
                    case WarpExchange.AliasFence _ -> false;
                };
            case WarpMatrix _ -> true;
            case TensorMapUpdate update -> update instanceof TensorMapUpdate.CopyRelease;
            case CachePolicy _, Tooling _ -> false;
            case ClusterLaunchControl _ -> false;
            case Tcgen05 tensor ->
                switch (tensor) {
                    case Tcgen05.Allocate _,
                            Tcgen05.Deallocate _,
                            Tcgen05.RelinquishPermit _,
                            Tcgen05.Load _,
                            Tcgen05.Store _,
                            Tcgen05.WaitLoad _,
                            Tcgen05.WaitStore _ -> true;
                    case Tcgen05.Multiply _, Tcgen05.Commit _, Tcgen05.Copy _, Tcgen05.Fence _ -> false;
                };
            case Barrier barrier ->
                switch (barrier) {
                    case Barrier.CtaBarrier _,
                            Barrier.WarpBarrier _,
                            Barrier.ClusterBarrier _,
                            Barrier.Elect _,
                            Barrier.Shuffle _,
                            Barrier.Vote _,
                            Barrier.Ballot _,
                            Barrier.SetMaxRegisters _ -> true;
                    case Barrier.RestrictedFence _,
                            Barrier.ThreadFence _,
                            Barrier.ProxyFence _,
                            Barrier.GridDependency _,
                            Barrier.Nanosleep _ -> false;
                };
        };
    }
}
