package dev.tilewright.emulator.program;

import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.warp.RegisterMap;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.Function;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.Variable;
import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.instruction.Flow;
import dev.tilewright.ptx.instruction.FunctionCall;
import dev.tilewright.ptx.instruction.FunctionCall.Declare;
import dev.tilewright.ptx.instruction.IndirectCall;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An entry with the functions it calls unfolded into it, as one list of lines. The parameter variables of a call are
 * storage of the thread; the parameters and the result of the function are other names for them.
 */
final class Unfolding {
    /**
     * An instruction in its frame.
     *
     * @param called the frame of the function unfolded behind it, if it is such a call
     */
    record Line(
            Frame frame,
            int statement,
            Instruction instruction,
            Statement.@Nullable Guarded guard,
            @Nullable Frame called) {
        private static final int[] NOWHERE = {};

        /** Its statement in the entry's body; that of the call for a line of a function. */
        int entryStatement() {
            return frame.entryStatement < 0 ? statement : frame.entryStatement;
        }

        /** Whether it ends threads. */
        boolean exits() {
            return instruction instanceof Control.Exit
                    || (instruction instanceof Control.Return && frame.function == null);
        }

        /** The lines to which it may branch, besides the next line. */
        int[] targets() {
            return instruction instanceof Flow flow ? targets(flow) : NOWHERE;
        }

        private int[] targets(Flow flow) {
            return switch (flow) {
                case Control.Branch branch -> new int[] {frame.line(branch.label())};
                case Control.Return _ -> frame.function == null ? NOWHERE : new int[] {frame.end()};
                case FunctionCall.BranchIndexed jump ->
                    jump.targets().stream().mapToInt(frame::line).toArray();
                // Lanes that do not call pass the function's lines by.
                case FunctionCall.Call _ -> called == null || guard == null ? NOWHERE : new int[] {called.end()};
                case Control.Exit _, Control.Trap _ -> NOWHERE;
                case FunctionCall.Declare _,
                        FunctionCall.StoreParam _,
                        FunctionCall.LoadParam _,
                        FunctionCall.BranchTable _,
                        IndirectCall _ -> NOWHERE;
            };
        }
    }

    private final PtxModule module;
    private final RegisterMap registers;
    private final List<Line> lines = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private final Frame root;
    private int localEnd = AddressSpace.LOCAL_START;

    Unfolding(PtxModule module, Entry entry, RegisterMap registers) {
        this.module = module;
        this.registers = registers;
        root = new Frame(null, null, -1, registers.new Scope("", entry.registers()));
        locals(root, entry.locals());
        body(root, entry.body());
        // Falling off the end of a kernel ends the thread.
        lines.add(new Line(root, entry.body().size() - 1, new Control.Exit(), null, null));
        endAtOnce();
    }

    /**
     * A branch to nothing but the end of the thread is an exit, as assemblers have it: whoever takes it waits for
     * nobody, and nobody for him.
     */
    private void endAtOnce() {
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            if (line.instruction() instanceof Control.Branch && onlyEnds(line.targets()[0])) {
                lines.set(i, new Line(line.frame(), line.statement(), new Control.Exit(), line.guard(), null));
            }
        }
    }

    private boolean onlyEnds(int at) {
        int line = at;
        for (int steps = 0; steps < lines.size(); steps++) {
            Line next = lines.get(line);
            if (next.guard() != null) {
                return false;
            }
            if (next.exits()) {
                return true;
            }
            if (!(next.instruction() instanceof Control.Branch)) {
                return false;
            }
            line = next.targets()[0];
        }
        return false;
    }

    List<Line> lines() {
        return lines;
    }

    /** Calls that cannot be unfolded, with the reason. */
    List<String> refused() {
        return refused;
    }

    /** End of the local memory that a thread needs. */
    int localEnd() {
        return localEnd;
    }

    private void locals(Frame frame, List<Variable> variables) {
        for (Variable variable : variables) {
            frame.local(variable.name(), allocate(variable.bytes(), variable.alignment()));
        }
    }

    private int allocate(int bytes, int alignment) {
        int offset = Math.ceilDiv(localEnd, alignment) * alignment;
        localEnd = Math.addExact(offset, bytes);
        return offset;
    }

    private void body(Frame frame, List<Statement> body) {
        for (int i = 0; i < body.size(); i++) {
            switch (body.get(i)) {
                case Statement.LabelTarget target -> frame.bind(target.label(), lines.size());
                case Statement.Comment _ -> {}
                case Statement.Guarded guarded -> line(frame, i, guarded.instruction(), guarded);
                case Instruction instruction -> line(frame, i, instruction, null);
            }
        }
    }

    private void line(Frame frame, int statement, Instruction instruction, Statement.@Nullable Guarded guard) {
        if (instruction instanceof Declare variable) {
            frame.local(
                    variable.name(),
                    allocate(
                            variable.bytes(),
                            Math.max(variable.alignment(), variable.type().bytes())));
        }
        if (!(instruction instanceof FunctionCall.Call call)) {
            lines.add(new Line(frame, statement, instruction, guard, null));
            return;
        }
        Optional<Function> function = module.functions().stream()
                .filter(f -> f.name().equals(call.function()))
                .filter(f -> !f.external())
                .findFirst();
        if (function.isEmpty()) {
            lines.add(new Line(frame, statement, instruction, guard, null));
        } else if (frame.isInside(function.get())) {
            refused.add("call of " + call.function() + ": a function that calls itself");
        } else {
            unfold(frame, statement, call, guard, function.get());
        }
    }

    private void unfold(
            Frame caller, int statement, FunctionCall.Call call, Statement.@Nullable Guarded guard, Function function) {
        int at = caller.entryStatement < 0 ? statement : caller.entryStatement;
        RegisterMap.Scope scope = registers.new Scope(function.name() + ":", function.registers());
        Frame frame = new Frame(function, caller, at, scope);
        bind(frame, caller, function.params(), call.arguments(), call);
        bind(frame, caller, function.results(), call.result().stream().toList(), call);
        locals(frame, function.locals());
        lines.add(new Line(caller, statement, call, guard, frame));
        body(frame, function.body());
        frame.end(lines.size());
    }

    private void bind(Frame frame, Frame caller, List<Declare> formal, List<String> actual, FunctionCall.Call call) {
        if (formal.size() != actual.size() && !actual.isEmpty()) {
            refused.add("call of " + call.function() + ": takes " + formal.size() + " parameter variables, got "
                    + actual.size());
            return;
        }
        for (int i = 0; i < formal.size(); i++) {
            Declare variable = formal.get(i);
            // A result that the call does not take has storage of its own.
            int offset = actual.isEmpty()
                    ? allocate(
                            variable.bytes(),
                            Math.max(variable.alignment(), variable.type().bytes()))
                    : caller.local(actual.get(i));
            frame.local(variable.name(), offset);
        }
    }
}
