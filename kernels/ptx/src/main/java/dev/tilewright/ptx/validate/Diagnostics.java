package dev.tilewright.ptx.validate;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.validate.Diagnostic.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Collects what the rules find in one entry. */
final class Diagnostics {
    private final Entry entry;
    private final List<Diagnostic> diagnostics = new ArrayList<>();

    Diagnostics(Entry entry) {
        this.entry = entry;
    }

    void add(Rule rule, String message) {
        diagnostics.add(new Diagnostic(rule, entry.name(), OptionalInt.empty(), message));
    }

    void add(Rule rule, int statement, String message) {
        diagnostics.add(new Diagnostic(rule, entry.name(), OptionalInt.of(statement), message));
    }

    List<Diagnostic> all() {
        return List.copyOf(diagnostics);
    }

    /** The instruction of a statement, guarded or not. */
    static Optional<Instruction> instruction(Statement statement) {
        return switch (statement) {
            case Instruction i -> Optional.of(i);
            case Statement.Guarded g -> Optional.of(g.instruction());
            case Statement.LabelTarget _, Statement.Comment _ -> Optional.empty();
        };
    }
}
