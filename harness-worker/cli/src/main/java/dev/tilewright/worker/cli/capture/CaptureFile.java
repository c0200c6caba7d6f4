package dev.tilewright.worker.cli.capture;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A recording of a program, as {@code docs/capture.schema.json} describes it.
 *
 * @param program the command with its arguments
 * @param end {@code finished}, {@code SIGTERM}, {@code running}, or {@code exception: NAME}
 * @param seconds from the import of PyTorch to the end
 * @param observedSeconds in which calls were counted
 * @param versions by name, such as {@code torch}
 * @param device name of the GPU; empty if there was none
 * @param gpu empty if nothing was profiled
 */
public record CaptureFile(
        List<String> program,
        String end,
        double seconds,
        double observedSeconds,
        Map<String, String> versions,
        Optional<String> device,
        Optional<Gpu> gpu,
        List<CapturedProblem> problems) {

    /** The name of the file in the folder of a recording; other ranks and processes have others. */
    public static final String NAME = "capture.json";

    /** Within one version properties are added, never removed or given another meaning. */
    static final int SCHEMA_VERSION = 1;

    /**
     * GPU time of a trace.
     *
     * @param busySeconds of all kernels
     * @param gemmShare of the time of all kernels, from 0 to 1
     * @param unattributedShare time of GEMMs whose problem is not known
     */
    public record Gpu(double profiledSeconds, double busySeconds, double gemmShare, double unattributedShare) {}

    public CaptureFile {
        program = List.copyOf(program);
        versions = Map.copyOf(versions);
        problems = List.copyOf(problems);
    }

    /** Calls of all problems, replays of graphs included. */
    long calls() {
        return problems.stream()
                .flatMap(problem -> problem.rows().stream())
                .mapToLong(CapturedProblem.Row::launches)
                .sum();
    }
}
