package dev.tilewright.emulator.run;

import dev.tilewright.emulator.hazard.ShownName;
import java.util.List;

/** The kernel has instructions that the machine does not know; all of them are named. */
public final class UnsupportedKernelException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<String> instructions;

    public UnsupportedKernelException(String kernel, List<String> instructions) {
        super("kernel " + ShownName.of(kernel) + ": not emulated: " + String.join("; ", instructions));
        this.instructions = List.copyOf(instructions);
    }

    /** Each instruction that is not emulated, with its position. */
    public List<String> instructions() {
        return instructions;
    }
}
