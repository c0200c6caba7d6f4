package dev.tilewright.emulator.program;

import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import java.util.List;

/** Resolves the operands and names of one frame: numbers of registers, values of constants, offsets of variables. */
public final class Operands {
    private final Program program;
    private final Frame frame;
    private final SharedVariableLayout shared;

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

    public SharedVariableLayout shared() {
        return shared;
    }

    /** Variables in global and constant memory. */
    public VariableLayout variables() {
        return program.variables();
    }

    /** Whether a name is a variable of the thread or a parameter variable of a call, and no parameter of the entry. */
    public boolean hasLocal(String name) {
        return frame.hasLocal(name);
    }

    /** Offset of a variable of the thread, or of a parameter variable of a call, in its local memory. */
    public int local(String name) {
        return frame.local(name);
    }

    public ParameterLayout parameters() {
        return program.parameters();
    }
}
