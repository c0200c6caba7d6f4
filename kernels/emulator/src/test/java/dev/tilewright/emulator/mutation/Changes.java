package dev.tilewright.emulator.mutation;

import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Takes the changes that rules propose for one body. */
final class Changes {
    /** Statements that replace others. */
    @FunctionalInterface
    interface Sink {
        /**
         * A proposal; {@code edits} is not called if nobody wants it, and may refuse with an
         * {@link IllegalArgumentException}.
         */
        void add(Rule rule, int index, String change, Supplier<Map<Integer, List<Statement>>> edits);
    }

    /** A dropped statement leaves a comment, so that roles keep their ranges. */
    private static final Statement DROPPED = new Statement.Comment("dropped");

    private final List<Statement> body;
    private final Sink sink;

    Changes(List<Statement> body, Sink sink) {
        this.body = body;
        this.sink = sink;
    }

    void drop(Rule rule, int index) {
        sink.add(rule, index, "drop", () -> Map.of(index, List.of(DROPPED)));
    }

    /** Drops another statement together with this one. */
    void dropWith(Rule rule, int index, int other) {
        sink.add(rule, index, "drop with its retry", () -> {
            Map<Integer, List<Statement>> edits = new TreeMap<>();
            edits.put(index, List.of(DROPPED));
            edits.put(other, List.of(DROPPED));
            return edits;
        });
    }

    void twice(Rule rule, int index) {
        Statement statement = body.get(index);
        sink.add(rule, index, "twice", () -> Map.of(index, List.of(statement, statement)));
    }

    /** Replaces an instruction by another, under the same guard. */
    void replace(Rule rule, int index, String change, Supplier<Instruction> with) {
        sink.add(
                rule,
                index,
                change,
                () -> Map.of(
                        index,
                        List.of(
                                body.get(index) instanceof Statement.Guarded guarded
                                        ? new Statement.Guarded(guarded.predicate(), guarded.negated(), with.get())
                                        : with.get())));
    }

    /** Replaces instructions by others; an empty list drops them. */
    void edit(Rule rule, int index, String change, Supplier<Map<Integer, List<Statement>>> edits) {
        sink.add(rule, index, change, () -> {
            Map<Integer, List<Statement>> all = new TreeMap<>(edits.get());
            all.replaceAll((_, statements) -> statements.isEmpty() ? List.of(DROPPED) : statements);
            return all;
        });
    }

    /** Replaces a statement by another. */
    void replaceStatement(Rule rule, int index, String change, Statement with) {
        sink.add(rule, index, change, () -> Map.of(index, List.of(with)));
    }
}
