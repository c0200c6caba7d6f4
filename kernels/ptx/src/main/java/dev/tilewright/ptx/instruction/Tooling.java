package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.IsaVersion;
import dev.tilewright.ptx.type.Requirement;

/** Statements that compute nothing: they are for the assembler, a debugger or a profiler. PTX 9.7.19, 11.4.7. */
public sealed interface Tooling extends Instruction {
    /**
     * Not an instruction but advice to the assembler, {@code .pragma "text"}: how to treat the loop or the load that
     * follows. Changes no value.
     */
    record Pragma(String text) implements Tooling, Irregular {
        public Pragma {
            Check.that(
                    text.chars().noneMatch(c -> c == '"' || c == '\\' || c < ' ' || c > '~'),
                    "pragma: needs plain text",
                    "'" + text + "'");
        }

        @Override
        public Requirement requires() {
            boolean mask = text.startsWith("used_bytes_mask");
            return mask ? new Requirement(new IsaVersion(8, 3), 50, Requirement.Kind.FROM_HERE) : Requirement.BASE;
        }
    }

    /** {@code brkpt}: stops for a debugger; without one the grid ends with an error. Compilers make it of asserts. */
    record Breakpoint() implements Tooling {}

    /** {@code pmevent}: counts an event, 0..15, of the profiler. */
    record PerformanceEvent(int event) implements Tooling {
        public PerformanceEvent {
            Check.range("pmevent: event", event, 0, 15);
        }
    }
}
