package dev.tilewright.space.family;

import dev.tilewright.model.space.Config;

/** Who hands out tiles. */
public enum Scheduler {
    /** One tile for each cluster of the grid. */
    SINGLE("single", false, false),
    /** Persistent; cluster c takes tiles c, c + clusters, and so on. */
    STATIC("static", true, false),
    /** Persistent; a global counter gives the next tile to who asks first. */
    ATOMIC("atomic", true, true),
    /** A running cluster takes over the tile of one that was not launched yet. */
    CLC("clc", false, true);

    private final String value;
    private final boolean residentGrid;
    private final boolean dynamic;

    Scheduler(String value, boolean residentGrid, boolean dynamic) {
        this.value = value;
        this.residentGrid = residentGrid;
        this.dynamic = dynamic;
    }

    static Scheduler of(Config config) {
        return NamedValue.of(values(), "scheduler", config);
    }

    /** Whether the grid has as many clusters as fit at a time; otherwise it has one for each cluster tile. */
    public boolean residentGrid() {
        return residentGrid;
    }

    /** Whether a running kernel decides who gets which tile, so that the roles must be told. */
    public boolean dynamic() {
        return dynamic;
    }

    @Override
    public String toString() {
        return value;
    }
}
