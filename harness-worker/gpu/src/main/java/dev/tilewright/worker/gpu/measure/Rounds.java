package dev.tilewright.worker.gpu.measure;

import java.util.List;

/** A way to time several arms beside each other, block by block; which arms are in may change from call to call. */
public interface Rounds {

    /**
     * Runs blocks until so many more count; whether they do. If not, too many had to be discarded, and what there is is
     * noise.
     */
    boolean run(List<? extends Arm> arms, int blocks);

    /** All blocks so far. */
    Timed timed();
}
