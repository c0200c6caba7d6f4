package dev.tilewright.emulator.program;

import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import java.util.List;

/** What operands and names mean in one frame: numbers of registers, values of constants, places of variables. */
public final class Operands {
    private final Program program;
    private final Frame frame;
    private final SharedPlacement shared;

    Operands(Program program, Frame frame) {
        this.program = program;
        this.frame = frame;
        shared = frame.function == null ? program.shared() : program.shared().within(frame.name());
    }

    /** Whether the frame is that of a function, and not the entry's own. */
    public boolean areInFunction() {
        return frame.function != null;
    }

    public SourceOperand value(Operand<?> operand) {
        return switch (operand) {
            case Immediate<?> constant -> SourceOperand.constant(constant.bits());
            case Reg<?> register -> register(register);
        };
    }

    private SourceOperand register(Reg<?> register) {
        int index = frame.registers.index(register);
        return frame.registers.isWord(register) ? SourceOperand.word(index) : SourceOperand.wide(index);
    }

    public DestinationOperand target(Reg<?> register) {
        return new DestinationOperand(
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
