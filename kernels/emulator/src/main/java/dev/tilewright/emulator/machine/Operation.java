package dev.tilewright.emulator.machine;

/** The operation of an instruction on the lanes of a strand. */
@FunctionalInterface
public interface Operation {
    /** The state of the strand after the operation. */
    enum Outcome {
        /** Go on with the next instruction. */
        NEXT,
        /** Sleep, then execute the same instruction again; whoever wakes it is told. */
        RETRY,
        /** Sleep, then go on with the next instruction; whoever wakes it is told. */
        SLEEP,
        /** Nothing was done: some lanes must execute it apart from the others, see {@link Strand#part}. */
        PART,
        /** The lanes of the mask have ended. */
        EXIT
    }

    /**
     * Executes the instruction.
     *
     * @param strand that goes on
     * @param mask the lanes whose guard is true; not 0
     */
    Outcome execute(Strand strand, int mask);
}
