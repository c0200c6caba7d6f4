package dev.tilewright.worker.gpu.runner;

import dev.tilewright.worker.gpu.cuda.CudaException;
import java.util.ArrayList;
import java.util.List;

/** Resources that must be given back, the last first. */
final class Releases implements AutoCloseable {

    private final List<Runnable> releases = new ArrayList<>();

    void add(Runnable release) {
        releases.add(release);
    }

    /**
     * Gives everything back. After a fault the context took it all along: then there is nothing to give back and
     * nothing to report.
     */
    @Override
    public void close() {
        List<Runnable> all = List.copyOf(releases).reversed();
        releases.clear();
        for (Runnable release : all) {
            try {
                release.run();
            } catch (CudaException failure) {
                if (!failure.isSticky()) {
                    throw failure;
                }
            }
        }
    }
}
