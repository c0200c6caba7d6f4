package dev.tilewright.worker.cli.program;

import java.io.IOException;

/** A program that runs some steps when it is told to, and waits in between. */
interface Arm {

    /**
     * Runs steps.
     *
     * @param steps at least 1
     * @param slowedNs nanoseconds that are waited behind each step, of the time that is returned
     * @return nanoseconds of all steps
     * @throws IOException if the program has ended, with how
     */
    double run(int steps, double slowedNs) throws IOException, InterruptedException;
}
