package dev.tilewright.space.parameter;

import dev.tilewright.space.text.Spelling;
import dev.tilewright.space.text.Word;
import java.util.List;
import java.util.stream.Stream;

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
    public static final List<Scheduler> HOPPER = List.of(STATIC, SINGLE, ATOMIC);

    /** The schedulers of {@code sm100-gemm}, in the order of its search space. */
    public static final List<Scheduler> BLACKWELL = List.of(STATIC, CLC, ATOMIC, SINGLE);

    /**
     * The parameter of all families whose kernels we build. The kernels of users and of the vendor's library hand tiles
     * out in ways of their own.
     */
    public static final Key<Scheduler> KEY = Key.named("scheduler", Scheduler.class);

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

    /** The word of every family for its scheduler. */
    public static Word word() {
        return Word.leading(Stream.of(values())
                .map(each -> Spelling.named(each.value, KEY.name() + "=" + each.value, each.meaning))
                .toArray(Spelling[]::new));
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
