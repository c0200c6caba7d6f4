package dev.tilewright.worker.gpu.measure;

/** The host was so slow to queue a run that the gate did not hold it back, however often it was tried. */
public final class GateGaveUpException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    GateGaveUpException(int attempts) {
        super("the host was too slow to queue a run: the gate gave up " + attempts + " times");
    }
}
