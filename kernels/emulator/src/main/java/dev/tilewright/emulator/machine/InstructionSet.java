package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.program.Operands;
import dev.tilewright.ptx.instruction.Instruction;

/** Decodes each instruction of a program into its operation. */
public interface InstructionSet {

    /**
     * The operation of an instruction.
     *
     * @param operands of the frame that it stands in
     * @param unfolded whether it is a call whose function is unfolded behind it
     * @throws NotEmulatedException if the machine does not know it
     */
    Operation operation(Instruction instruction, Operands operands, boolean unfolded);
}
