package dev.tilewright.worker.gpu.cuda;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A driver that lists what a test tells it. This process is listed, if the test does not take it out. */
public final class ScriptedProcesses implements GpuState, GpuProcesses {

    /** Processes with a context; {@code null}-free. */
    public final List<Resident> residents =
            new ArrayList<>(List.of(new Resident(ProcessHandle.current().pid(), "java", 682L << 20)));

    /** The use of each process since the last question and before. */
    public final List<Use> used =
            new ArrayList<>(List.of(new Use(ProcessHandle.current().pid(), 97)));

    /** Whether processes are listed at all. */
    public boolean lists = true;

    /** Whether it is said what they compute. */
    public boolean samples = true;

    /** How often it was asked what they compute. */
    public int questions;

    @Override
    public GpuProcesses processes() {
        return this;
    }

    @Override
    public Optional<List<Resident>> residents() {
        return lists ? Optional.of(List.copyOf(residents)) : Optional.empty();
    }

    @Override
    public Optional<List<Use>> usedSince(long micros) {
        questions++;
        return samples ? Optional.of(List.copyOf(used)) : Optional.empty();
    }
}
