package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.InstructionSet;
import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.program.NotEmulatedException;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.AsyncCopy;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.BitField;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.CachePolicy;
import dev.tilewright.ptx.instruction.CarryArithmetic;
import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.instruction.FloatMath;
import dev.tilewright.ptx.instruction.FunctionCall;
import dev.tilewright.ptx.instruction.IndirectCall;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.TensorMapUpdate;
import dev.tilewright.ptx.instruction.Tooling;
import dev.tilewright.ptx.instruction.WarpExchange;
import dev.tilewright.ptx.instruction.WarpMatrix;
import dev.tilewright.ptx.instruction.Wgmma;

/** All instructions that are emulated, each by the class of its family. */
public final class Instructions implements InstructionSet {

    @Override
    public Operation operation(Instruction instruction, Operands operands, boolean unfolded) {
        return switch (instruction) {
            case FunctionCall.Call _ when unfolded -> (strand, mask) -> Outcome.NEXT;
            case Arithmetic i -> ArithmeticOperations.decode(i, operands);
            case Compare i -> CompareOperations.decode(i, operands);
            case Convert i -> ConvertOperations.decode(i, operands);
            case Move i -> MoveOperations.decode(i, operands);
            case Memory i -> MemoryOperations.decode(i, operands);
            case Control i -> control(i, operands.areInFunction());
            case Barrier i -> BarrierOperations.decode(i, operands);
            case Mbarrier i -> MbarrierOperations.decode(i, operands);
            case BulkCopy i -> BulkCopyOperations.decode(i, operands);
            case Wgmma i -> WgmmaOperations.decode(i, operands);
            case Matrix i -> MatrixOperations.decode(i, operands);
            case AsyncCopy i -> AsyncCopyOperations.decode(i, operands);
            case BitField i -> BitFieldOperations.decode(i, operands);
            case CarryArithmetic i -> CarryOperations.decode(i, operands);
            case FloatMath i -> FloatMathOperations.decode(i, operands);
            case FunctionCall i -> CallOperations.decode(i, operands);
            case WarpExchange i -> WarpExchangeOperations.decode(i, operands);
            case TensorMapUpdate i -> TensorMapOperations.decode(i, operands);
            case CachePolicy i -> CachePolicyOperations.decode(i, operands);
            case WarpMatrix i -> WarpMatrixOperations.decode(i, operands);
            case IndirectCall _ -> throw new NotEmulatedException("a function's address");
            case Tooling i -> tooling(i);
            case Tcgen05 i -> Tcgen05Operations.decode(i, operands);
            case ClusterLaunchControl i -> LaunchControlOperations.decode(i, operands);
        };
    }

    private static Operation tooling(Tooling instruction) {
        return switch (instruction) {
            case Tooling.Pragma _, Tooling.PerformanceEvent _ -> (strand, mask) -> Outcome.NEXT;
            // Without a debugger a breakpoint ends the grid.
            case Tooling.Breakpoint _ ->
                (strand, mask) -> {
                    throw new HazardFound(new Hazard.Trapped("brkpt"));
                };
        };
    }

    private static Operation control(Control instruction, boolean inFunction) {
        return switch (instruction) {
            // Branches are followed by the machine itself.
            case Control.Branch _ -> (strand, mask) -> Outcome.NEXT;
            case Control.Return _ when inFunction -> (strand, mask) -> Outcome.NEXT;
            case Control.Return _, Control.Exit _ -> (strand, mask) -> Outcome.EXIT;
            case Control.Trap _ ->
                (strand, mask) -> {
                    throw new HazardFound(new Hazard.Trapped("trap executed"));
                };
        };
    }
}
