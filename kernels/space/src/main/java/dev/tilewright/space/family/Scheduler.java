package dev.tilewright.space.family;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.Parameter;
import java.util.List;

/** How tiles are handed out to clusters. */
public enum Scheduler {
    /** One tile for each cluster of the grid. */
    SINGLE("single", false, false, "each cluster computes one tile"),
    /** Persistent; cluster c takes tiles c, c + clusters, and so on. */
    STATIC("static", true, false, "tiles are dealt out to the clusters in turn, before they begin"),
    /** Persistent: a global counter gives the next tile to the cluster that asks first. */
    ATOMIC("atomic", true, true, "clusters draw their next tile from a global counter"),
    /** A running cluster takes over the tile of one that was not launched yet. */
    CLC("clc", false, true, "a cluster takes over the tile of one that has not been launched yet");

    /** The schedulers of {@code sm90-gemm}, in the order of its search space. */
    static final List<Scheduler> HOPPER = List.of(STATIC, SINGLE, ATOMIC);

    /** The schedulers of {@code sm100-gemm}, in the order of its search space. */
    static final List<Scheduler> BLACKWELL = List.of(STATIC, CLC, ATOMIC, SINGLE);

    private final String value;
    private final boolean residentGrid;
    private final boolean dynamic;
    private final String meaning;

    Scheduler(String value, boolean residentGrid, boolean dynamic, String meaning) {
        this.value = value;
        this.residentGrid = residentGrid;
        this.dynamic = dynamic;
        this.meaning = meaning;
    }

    /**
     * The scheduler of a config.
     *
     * @throws IllegalArgumentException if it names none, or one that is not known
     */
    public static Scheduler of(Config config) {
        return NamedValue.of(values(), FamilySpace.SCHEDULER, config);
    }

    static Parameter parameter(List<Scheduler> tried) {
        return Parameter.text(
                FamilySpace.SCHEDULER, tried.stream().map(Scheduler::toString).toArray(String[]::new));
    }

    /** The explanation for the reader of a table. */
    public String meaning() {
        return meaning;
    }

    /** Whether the grid has as many clusters as fit at a time; otherwise it has one for each cluster tile. */
    public boolean residentGrid() {
        return residentGrid;
    }

    /** Whether a running kernel decides who gets which tile, so that the roles must be told. */
    public boolean dynamic() {
        return dynamic;
    }

    /** Whether the tiles of each resident cluster are known before the launch. */
    public boolean fixed() {
        return residentGrid && !dynamic;
    }

    @Override
    public String toString() {
        return value;
    }
}
