package dev.tilewright.emulator.program;

import dev.tilewright.emulator.execute.ArithmeticOperations;
import dev.tilewright.emulator.execute.BarrierOperations;
import dev.tilewright.emulator.execute.BulkCopyOperations;
import dev.tilewright.emulator.execute.CompareOperations;
import dev.tilewright.emulator.execute.ConvertOperations;
import dev.tilewright.emulator.execute.MatrixOperations;
import dev.tilewright.emulator.execute.MbarrierOperations;
import dev.tilewright.emulator.execute.MemoryOperations;
import dev.tilewright.emulator.execute.MoveOperations;
import dev.tilewright.emulator.execute.WgmmaOperations;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.program.Operation.Outcome;
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
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import java.util.List;

/** Turns operands into numbers, and instructions into operations by asking the class of their family. */
public final class Decoder {
    private final Program program;

    Decoder(Program program) {
        this.program = program;
    }

    /**
     * The operation of an instruction.
     *
     * @throws NotEmulatedException if the machine does not know it
     */
    Operation operation(Instruction instruction) {
        return switch (instruction) {
            case Arithmetic i -> ArithmeticOperations.decode(i, this);
            case Compare i -> CompareOperations.decode(i, this);
            case Convert i -> ConvertOperations.decode(i, this);
            case Move i -> MoveOperations.decode(i, this);
            case Memory i -> MemoryOperations.decode(i, this);
            case Control i -> control(i);
            case Barrier i -> BarrierOperations.decode(i, this);
            case Mbarrier i -> MbarrierOperations.decode(i, this);
            case BulkCopy i -> BulkCopyOperations.decode(i, this);
            case Wgmma i -> WgmmaOperations.decode(i, this);
            case Matrix i -> MatrixOperations.decode(i, this);
            case Tcgen05 _ -> throw new NotEmulatedException("tcgen05");
            case ClusterLaunchControl _ -> throw new NotEmulatedException("clusterlaunchcontrol");
            case Ordinary _ ->
                throw new NotEmulatedException(
                        "of the ordinary subset: " + instruction.getClass().getSimpleName());
        };
    }

    private static Operation control(Control instruction) {
        return switch (instruction) {
            // Branches are followed by the machine itself.
            case Control.Branch _ -> (strand, mask) -> Outcome.NEXT;
            case Control.Return _, Control.Exit _ -> (strand, mask) -> Outcome.EXIT;
            case Control.Trap _ ->
                (strand, mask) -> {
                    throw new HazardFound(new Hazard.Trapped());
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
        int index = program.registers().index(register);
        return program.registers().isWord(register) ? Value.word(index) : Value.wide(index);
    }

    public Target target(Reg<?> register) {
        return new Target(
                program.registers().isWord(register),
                program.registers().index(register),
                register.type().bits());
    }

    /** Number of a predicate. */
    public int predicate(Reg<?> register) {
        return program.registers().index(register);
    }

    /** Numbers of word registers. */
    public int[] words(List<? extends Reg<?>> list) {
        return list.stream().mapToInt(program.registers()::index).toArray();
    }

    public SharedPlacement shared() {
        return program.shared();
    }

    public ParameterPlacement parameters() {
        return program.parameters();
    }
}
