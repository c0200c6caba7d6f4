package dev.tilewright.emulator.program;

import dev.tilewright.emulator.order.Manner;
import dev.tilewright.ptx.instruction.Computation;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.WarpMatrix;
import org.jspecify.annotations.Nullable;

/** A decoded instruction. */
public final class Instr {
    /** No guard, no target, no index. */
    public static final int NONE = -1;

    /** Index in the program. */
    public final int pc;
    /** Function in which it stands, or "" for the entry itself. */
    public final String function;
    /** Index in the body of the function or entry. */
    public final int statement;
    /** Index in the entry's body: of the call, if it stands in a function. */
    public final int entryStatement;

    public final Instruction source;
    /** Resolves its operands. */
    public final Operands operands;
    /** Whether it is a call whose function is unfolded behind it. */
    public final boolean unfolded;
    /** Predicate whose lanes execute it, or {@link #NONE}. */
    public final int guard;

    public final boolean negated;
    /** Index of the target of a branch, or {@link #NONE}. */
    public final int target;
    /** The table of a jump through a table, or null. */
    public final @Nullable Jump jump;
    /** Index at which lanes that diverge here meet again, or {@link #NONE} for nowhere. */
    public final int join;
    /** Index at which lanes that run apart from here must have met again, or {@link #NONE} if they may not diverge. */
    public final int split;
    /** Ids of registers that are read. */
    public final int[] reads;
    /** Ids of registers that are written. */
    public final int[] writes;
    /** Ids of registers of wgmmas that this instruction, not one itself, touches. */
    public final int[] touches;
    /** How it accesses memory. */
    public final Manner manner;

    public final Reach effect;
    /** Whether it only computes registers from registers, so that what it makes of undefined ones is undefined. */
    public final boolean computes;
    /** Whether it brings registers from memory, so that what it makes of bytes that nobody wrote is undefined. */
    public final boolean loads;
    /** Whether it multiplies matrices in registers, where an undefined row makes that row of the product undefined. */
    public final boolean multiplies;

    /**
     * A jump through a table.
     *
     * @param index what each lane looks up
     */
    public record Jump(SourceOperand index, int[] targets) {}

    Instr(
            int pc,
            Unfolding.Line line,
            Operands operands,
            int guard,
            boolean negated,
            int target,
            @Nullable Jump jump,
            int join,
            int split,
            int[] reads,
            int[] writes,
            int[] touches,
            boolean polls) {
        this.pc = pc;
        function = line.frame().name();
        statement = line.statement();
        entryStatement = line.entryStatement();
        source = line.instruction();
        manner = polls ? Manners.of(source).polling() : Manners.of(source);
        effect = Reach.of(source);
        computes = source instanceof Computation;
        loads = source instanceof Memory.Load
                || source instanceof Matrix.Load
                || source instanceof Matrix.LoadBytes
                || source instanceof WarpMatrix.Load;
        multiplies = source instanceof WarpMatrix.Multiply || source instanceof WarpMatrix.MultiplyFragments;
        this.operands = operands;
        unfolded = line.called() != null;
        this.guard = guard;
        this.negated = negated;
        this.target = target;
        this.jump = jump;
        this.join = join;
        this.split = split;
        this.reads = reads;
        this.writes = writes;
        this.touches = touches;
    }
}
