package dev.tilewright.emulator.warp;

/** Counts the work of a run. */
public final class RunCounts {
    private long steps;
    private long changes;
    private long multiplyAdds;

    public RunCounts() {}

    /** Warp instructions so far: the machine's clock. */
    public long steps() {
        return steps;
    }

    public void step() {
        steps++;
    }

    /** Changes that other threads may see: instructions, and steps of asynchronous work. */
    public long changes() {
        return changes;
    }

    /** Something changed that others may see. */
    public void change() {
        changes++;
    }

    public long multiplyAdds() {
        return multiplyAdds;
    }

    public void countMultiplyAdds(long count) {
        multiplyAdds += count;
    }
}
