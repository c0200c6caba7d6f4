package dev.tilewright.emulator.program;

import dev.tilewright.emulator.order.Manner;
import dev.tilewright.ptx.instruction.Instruction;

/** A decoded instruction. */
public final class Instr {
    /** No guard, no target, no place. */
    public static final int NONE = -1;

    /** Index in the program. */
    public final int pc;
    /** Index in the entry's body. */
    public final int statement;

    public final Instruction source;
    public final Operation operation;
    /** Predicate whose lanes execute it, or {@link #NONE}. */
    public final int guard;

    public final boolean negated;
    /** Where a branch goes, or {@link #NONE}. */
    public final int target;
    /** Where lanes that part here meet again, or {@link #NONE} for nowhere. */
    public final int join;
    /** Where lanes that run ahead from here must have met again, or {@link #NONE} if they may not part. */
    public final int split;
    /** Ids of registers that are read. */
    public final int[] reads;
    /** Ids of registers that are written. */
    public final int[] writes;
    /** Ids of registers of wgmmas that this instruction, not one itself, touches. */
    public final int[] touches;
    /** How it accesses memory. */
    public final Manner manner;

    Instr(
            int pc,
            int statement,
            Instruction source,
            Operation operation,
            int guard,
            boolean negated,
            int target,
            int join,
            int split,
            int[] reads,
            int[] writes,
            int[] touches) {
        manner = Manners.of(source);
        this.pc = pc;
        this.statement = statement;
        this.source = source;
        this.operation = operation;
        this.guard = guard;
        this.negated = negated;
        this.target = target;
        this.join = join;
        this.split = split;
        this.reads = reads;
        this.writes = writes;
        this.touches = touches;
    }
}
