package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.program.Instr;
import dev.tilewright.emulator.program.NotEmulatedException;
import dev.tilewright.emulator.program.Program;
import dev.tilewright.emulator.run.UnsupportedKernelException;
import java.util.ArrayList;
import java.util.List;

/** A program with what each of its instructions does; immutable, shared by all warps and runs. */
public final class Executable {
    private final Program program;
    private final Operation[] operations;

    /**
     * Decodes a program.
     *
     * @throws UnsupportedKernelException naming all instructions that the machine does not know
     */
    public Executable(Program program, InstructionSet instructions) {
        this.program = program;
        Instr[] code = program.code();
        List<String> unsupported = new ArrayList<>(program.refused());
        operations = new Operation[code.length];
        for (Instr instr : code) {
            try {
                operations[instr.pc] = instructions.operation(instr.source, instr.operands, instr.unfolded);
            } catch (NotEmulatedException e) {
                unsupported.add(program.quote(instr.pc) + " (" + e.getMessage() + ")");
            }
        }
        if (!unsupported.isEmpty()) {
            throw new UnsupportedKernelException(program.entry().name(), unsupported);
        }
    }

    /** The program. */
    public Program program() {
        return program;
    }

    /** The operations of the instructions, by index. */
    Operation[] operations() {
        return operations;
    }
}
