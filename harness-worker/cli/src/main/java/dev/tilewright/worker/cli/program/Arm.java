package dev.tilewright.worker.cli.program;

import java.io.IOException;
import java.util.OptionalInt;

/** A program that runs some steps when it is told to, and waits in between. */
interface Arm {

    /**
     * A share of the GPU's time.
     *
     * @param steps at least 1
     * @param slowedNs nanoseconds that are waited behind each step, of the time that is returned
     * @param core on which the thread that takes the steps stays meanwhile: any number from 0 on, of which the rest by
     *     the number of the program's cores counts; none where that thread may move
     */
    record Turn(int steps, double slowedNs, OptionalInt core) {

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
