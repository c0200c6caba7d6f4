package dev.tilewright.worker.gpu.measure;

/** A kernel to be timed, with operands in several places so that they do not stay in L2 from launch to launch. */
public interface Arm {

    /** Unique among the arms that are timed together. */
    String name();

    /** How many sets of operands there are, at least 1. */
    int sets();

    /** Puts one launch on a set of operands into the stream, and before it whatever each launch needs. */
    void enqueue(int set);

    /** How many entries of the stream's queue one launch takes. */
    int entriesPerLaunch();
}
