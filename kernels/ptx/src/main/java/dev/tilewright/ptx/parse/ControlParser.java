package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.instruction.Instruction;

/** {@link Control}. */
final class ControlParser {
    private ControlParser() {}

    static Instruction branch(Line in) {
        boolean uniform = in.has("uni");
        return new Control.Branch(uniform, in.label());
    }

    static Instruction end(Line in) {
        in.has("uni");
        in.requireNoModifier();
        return switch (in.opcode()) {
            case "ret" -> new Control.Return();
            case "exit" -> new Control.Exit();
            default -> new Control.Trap();
        };
    }
}
