package dev.tilewright.worker.cli.program;

import java.io.IOException;
import java.util.OptionalInt;

/** A program that runs some steps when it is told to, and waits in between. */
interface Arm {

    /**
     * Steps that a program runs before another one has the GPU.
     *
     * @param steps at least 1
     * @param slowedPercent each step waits at its end for so many percent of what it took
     * @param core index of the core, modulo the program's number of cores, on which the thread that takes the steps
     *     stays meanwhile; empty where that thread may move
     */
    record Turn(int steps, double slowedPercent, OptionalInt core) {

        static Turn anywhere(int steps) {
            return new Turn(steps, 0, OptionalInt.empty());
        }
    }

    /**
     * Runs steps.
     *
     * @return nanoseconds of all steps
     * @throws IOException if the program has ended, with how
     */
    double run(Turn turn) throws IOException, InterruptedException;
}
