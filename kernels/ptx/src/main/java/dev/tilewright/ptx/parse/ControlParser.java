package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Tooling;

/** {@link Control}, and what is for tools. */
final class ControlParser {
    private ControlParser() {}

    static Instruction branch(Line in) {
        boolean uniform = in.has("uni");
        return new Control.Branch(uniform, in.label());
    }

    static Instruction breakpoint(Line in) {
        in.requireNoModifier();
        return new Tooling.Breakpoint();
    }

    static Instruction performanceEvent(Line in) {
        return new Tooling.PerformanceEvent(in.constant("the event", 0, 15));
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
