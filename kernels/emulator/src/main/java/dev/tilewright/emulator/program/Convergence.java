package dev.tilewright.emulator.program;

import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.Ordinary;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.Wgmma;

/** Which instructions need the lanes of a warp together; between them lanes may run apart. */
final class Convergence {
    private Convergence() {}

    static boolean needed(Instruction instruction) {
        return switch (instruction) {
            case Arithmetic _, Compare _, Convert _, Move _, Memory _, Control _, Mbarrier _, BulkCopy _ -> false;
            // The ordinary subset is not decoded; to be safe it counts as needing all lanes.
            case Wgmma _, Matrix _, Ordinary _ -> true;
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
                    case Tcgen05.TensorLoad _, Tcgen05.Multiply _, Tcgen05.Commit _, Tcgen05.Copy _, Tcgen05.Fence _ ->
                        false;
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
                    case Barrier.ThreadFence _, Barrier.ProxyFence _, Barrier.GridDependency _, Barrier.Nanosleep _ ->
                        false;
                };
        };
    }
}
