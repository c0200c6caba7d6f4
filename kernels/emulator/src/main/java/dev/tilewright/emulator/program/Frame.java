package dev.tilewright.emulator.program;

import dev.tilewright.emulator.warp.RegisterMap;
import dev.tilewright.ptx.Function;
import dev.tilewright.ptx.type.Label;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the names of one body: the body of the entry, or the body of a function at one of its calls. A function with
 * two calls has two frames, each with its own registers and variables.
 */
final class Frame {
    final @Nullable Function function;
    final @Nullable Frame caller;
    /** Statement of the entry at which this frame was entered, or -1 for the entry itself. */
    final int entryStatement;

    final RegisterMap.Scope registers;
    private final Map<Label, Integer> labels = new HashMap<>();
    /** Offsets of the variables of the thread, and of the parameter variables of calls, in its local memory. */
    private final Map<String, Integer> locals = new HashMap<>();
    /** The line behind the body, to which a return branches. */
    private int end = Instr.NONE;

    Frame(@Nullable Function function, @Nullable Frame caller, int entryStatement, RegisterMap.Scope registers) {
        this.function = function;
        this.caller = caller;
        this.entryStatement = entryStatement;
        this.registers = registers;
    }

    /** Name of the function, or none for the entry. */
    String name() {
        return function == null ? "" : function.name();
    }

    boolean isInside(Function other) {
        for (Frame frame = this; frame != null; frame = frame.caller) {
            if (frame.function != null && frame.function.name().equals(other.name())) {
                return true;
            }
        }
        return false;
    }

    void bind(Label label, int line) {
        labels.put(label, line);
    }

    int line(Label label) {
        Integer line = labels.get(label);
        if (line == null) {
            throw new IllegalArgumentException("no label named " + label.name());
        }
        return line;
    }

    void end(int line) {
        end = line;
    }

    int end() {
        return end;
    }

    void local(String name, int offset) {
        locals.put(name, offset);
    }

    boolean hasLocal(String name) {
        return locals.containsKey(name);
    }

    int local(String name) {
        Integer offset = locals.get(name);
        if (offset == null) {
            throw new IllegalArgumentException("no local variable and no parameter variable of a call named " + name);
        }
        return offset;
    }
}
