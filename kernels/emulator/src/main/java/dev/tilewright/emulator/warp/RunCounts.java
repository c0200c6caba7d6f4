package dev.tilewright.emulator.warp;

/** What a run has done so far. */
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

    /** What others may see: instructions, and asynchronous work that went on. */
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
