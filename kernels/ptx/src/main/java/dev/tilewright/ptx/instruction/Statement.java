package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.Pred;

/** One line of a kernel's body. */
public sealed interface Statement permits Instruction, Statement.Guarded, Statement.LabelTarget, Statement.Comment {
    /**
     * {@code @p instruction} or {@code @!p instruction}: each thread executes it only if its predicate is true (false
     * if negated).
     */
    record Guarded(Reg<Pred> predicate, boolean negated, Instruction instruction) implements Statement {}

    /** {@code NAME:}, where branches go. */
    record LabelTarget(Label label) implements Statement {}

    /** A remark for people; one line. */
    record Comment(String text) implements Statement {
        public Comment {
            if (text.contains("\n") || text.contains("\r")) {
                throw new IllegalArgumentException("comment: must be one line, got '" + text + "'");
            }
        }
    }
}
