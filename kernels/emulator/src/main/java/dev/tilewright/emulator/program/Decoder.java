package dev.tilewright.emulator.program;

import dev.tilewright.emulator.execute.AccessOperations;
import dev.tilewright.emulator.execute.ArithmeticOperations;
import dev.tilewright.emulator.execute.AsyncCopyOperations;
import dev.tilewright.emulator.execute.BarrierOperations;
import dev.tilewright.emulator.execute.BitFieldOperations;
import dev.tilewright.emulator.execute.BulkCopyOperations;
import dev.tilewright.emulator.execute.BulkTransferOperations;
import dev.tilewright.emulator.execute.CachePolicyOperations;
import dev.tilewright.emulator.execute.CallOperations;
import dev.tilewright.emulator.execute.CarryOperations;
import dev.tilewright.emulator.execute.CompareOperations;
import dev.tilewright.emulator.execute.ConversionOperations;
import dev.tilewright.emulator.execute.ConvertOperations;
import dev.tilewright.emulator.execute.FloatMathOperations;
import dev.tilewright.emulator.execute.LaunchControlOperations;
import dev.tilewright.emulator.execute.MatrixMultiplyOperations;
import dev.tilewright.emulator.execute.MatrixOperations;
import dev.tilewright.emulator.execute.MbarrierOperations;
import dev.tilewright.emulator.execute.MemoryOperations;
import dev.tilewright.emulator.execute.MoveOperations;
import dev.tilewright.emulator.execute.PackedOperations;
import dev.tilewright.emulator.execute.SetCompareOperations;
import dev.tilewright.emulator.execute.StateBarrierOperations;
import dev.tilewright.emulator.execute.SynchronisationOperations;
import dev.tilewright.emulator.execute.Tcgen05Operations;
import dev.tilewright.emulator.execute.TensorMapOperations;
import dev.tilewright.emulator.execute.WarpExchangeOperations;
import dev.tilewright.emulator.execute.WarpMatrixOperations;
import dev.tilewright.emulator.execute.WgmmaOperations;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.program.Operation.Outcome;
import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.AsyncCopy;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.BitField;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.BulkTransfer;
import dev.tilewright.ptx.instruction.CachePolicy;
import dev.tilewright.ptx.instruction.CarryArithmetic;
import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.instruction.Conversion;
import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.instruction.FloatMath;
import dev.tilewright.ptx.instruction.FunctionCall;
import dev.tilewright.ptx.instruction.IndirectCall;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.MatrixMultiply;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.MemoryAccess;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.Packed;
import dev.tilewright.ptx.instruction.SetCompare;
import dev.tilewright.ptx.instruction.StateBarrier;
import dev.tilewright.ptx.instruction.Synchronisation;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.TensorMapUpdate;
import dev.tilewright.ptx.instruction.Tooling;
import dev.tilewright.ptx.instruction.WarpExchange;
import dev.tilewright.ptx.instruction.WarpMatrix;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import java.util.List;

/** Turns operands into numbers, and instructions into operations by asking the class of their family. */
public final class Decoder {
    private final Program program;
    private final Frame frame;
    private final SharedPlacement shared;

    /** Decodes the lines of one frame. */
    Decoder(Program program, Frame frame) {
        this.program = program;
        this.frame = frame;
        shared = frame.function == null ? program.shared() : program.shared().within(frame.name());
    }

    /**
     * The operation of an instruction.
     *
     * @param unfolded whether it is a call whose function is unfolded behind it
     * @throws NotEmulatedException if the machine does not know it
     */
    Operation operation(Instruction instruction, boolean unfolded) {
        return switch (instruction) {
            case FunctionCall.Call _ when unfolded -> (strand, mask) -> Outcome.NEXT;
            case Arithmetic i -> ArithmeticOperations.decode(i, this);
            case Compare i -> CompareOperations.decode(i, this);
            case Convert i -> ConvertOperations.decode(i, this);
            case Move i -> MoveOperations.decode(i, this);
            case Memory i -> MemoryOperations.decode(i, this);
            case Control i -> control(i, frame.function != null);
            case Barrier i -> BarrierOperations.decode(i, this);
            case Mbarrier i -> MbarrierOperations.decode(i, this);
            case BulkCopy i -> BulkCopyOperations.decode(i, this);
            case Wgmma i -> WgmmaOperations.decode(i, this);
            case Matrix i -> MatrixOperations.decode(i, this);
            case AsyncCopy i -> AsyncCopyOperations.decode(i, this);
            case BulkTransfer i -> BulkTransferOperations.decode(i, this);
            case StateBarrier i -> StateBarrierOperations.decode(i, this);
            case MatrixMultiply i -> MatrixMultiplyOperations.decode(i, this);
            case BitField i -> BitFieldOperations.decode(i, this);
            case CarryArithmetic i -> CarryOperations.decode(i, this);
            case Conversion i -> ConversionOperations.decode(i, this);
            case FloatMath i -> FloatMathOperations.decode(i, this);
            case FunctionCall i -> CallOperations.decode(i, this);
            case MemoryAccess i -> AccessOperations.decode(i, this);
            case SetCompare i -> SetCompareOperations.decode(i, this);
            case WarpExchange i -> WarpExchangeOperations.decode(i, this);
            case Synchronisation.RestrictedFence i -> LaunchControlOperations.decode(i);
            case Synchronisation i -> SynchronisationOperations.decode(i, this);
            case TensorMapUpdate i -> TensorMapOperations.decode(i, this);
            case CachePolicy i -> CachePolicyOperations.decode(i, this);
            case WarpMatrix i -> WarpMatrixOperations.decode(i, this);
            case Packed i -> PackedOperations.decode(i, this);
            case IndirectCall _ -> throw new NotEmulatedException("a function's address");
            case Tooling i -> tooling(i);
            case Tcgen05 i -> Tcgen05Operations.decode(i, this);
            case ClusterLaunchControl i -> LaunchControlOperations.decode(i, this);
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

    // ---- operands -----------------------------------------------------------------------------------------------

    public Value value(Operand<?> operand) {
        return switch (operand) {
            case Immediate<?> constant -> Value.constant(constant.bits());
            case Reg<?> register -> register(register);
        };
    }

    private Value register(Reg<?> register) {
        int index = frame.registers.index(register);
        return frame.registers.isWord(register) ? Value.word(index) : Value.wide(index);
    }

    public Target target(Reg<?> register) {
        return new Target(
                frame.registers.isWord(register),
                frame.registers.index(register),
                register.type().bits());
    }

    /** Number of a predicate. */
    public int predicate(Reg<?> register) {
        return frame.registers.index(register);
    }

    /** Numbers of word registers. */
    public int[] words(List<? extends Reg<?>> list) {
        return list.stream().mapToInt(frame.registers::index).toArray();
    }

    public SharedPlacement shared() {
        return shared;
    }

    /** Variables in global and constant memory. */
    public VariablePlacement variables() {
        return program.variables();
    }

    /** Whether a name is of a variable of the thread, or of a place of a call, and not of a parameter of the entry. */
    public boolean hasLocal(String name) {
        return frame.hasLocal(name);
    }

    /** Offset of such a variable or place in the thread's local memory. */
    public int local(String name) {
        return frame.local(name);
    }

    public ParameterPlacement parameters() {
        return program.parameters();
    }
}
