package dev.tilewright.worker.agent.runner;

import dev.tilewright.launch.Extents;
import dev.tilewright.launch.LaunchDescription;
import java.util.List;
import java.util.Optional;

/** Launches that nobody makes. */
public final class Launches {

    private Launches() {}

    /** Of a kernel with 1024 bytes of dynamic shared memory and no parameter. */
    public static LaunchDescription of(int ctas, int threads, int clusterSize) {
        return new LaunchDescription(
                Optional.of("gemm"),
                Extents.of(ctas),
                Extents.of(threads),
                Optional.of(Extents.of(clusterSize)),
                1024,
                false,
                List.of(),
                List.of(),
                List.of());
    }
}
