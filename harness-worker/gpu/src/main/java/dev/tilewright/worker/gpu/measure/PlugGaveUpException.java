package dev.tilewright.worker.gpu.measure;

/** The host was so slow to queue a run that the plug did not hold it back, however often it was tried. */
public final class PlugGaveUpException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    PlugGaveUpException(int attempts) {
        super("the host was too slow to queue a run: the plug gave up " + attempts + " times");
    }
}
