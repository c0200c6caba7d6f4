package dev.tilewright.space.gemm;

import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.raster.RasterOrder;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Rules that hold for every family of tiled kernels. */
public final class GemmRules {

    /** Tile numbers are 32-bit in the kernel; this leaves room for padding. */
    private static final long MAX_TILES = 1L << 28;
    /** A table of tiles is made on the host and carried to the device. */
    private static final long MAX_TABLE_ROWS = 1L << 22;
    /** Tensor coordinates are signed 32-bit; this leaves room for the last tile. */
    private static final int MAX_EXTENT = 1 << 30;

    private static final int ROW_ALIGNMENT = 16;

    private GemmRules() {}

    public static Constraint rule(String id, Function<Config, Optional<String>> check, String... parameters) {
        return rule(id, check, List.of(parameters));
    }

    public static Constraint rule(String id, Function<Config, Optional<String>> check, List<String> parameters) {
        return new Constraint(id, parameters, check);
    }

    /** @param reason is asked for where the rule is broken: trees and typed configs ask each rule often */
    public static Optional<String> when(boolean broken, Supplier<String> reason) {
        return broken ? Optional.of(reason.get()) : Optional.empty();
    }

    /** Why it cannot take the layouts. */
    public static Optional<String> refuseMajors(String family, Problem problem) {
        OperandMajors major = problem.major();
        return when(
                !major.equals(OperandMajors.DEFAULT),
                () -> "major a = " + major.a() + ", b = " + major.b() + ", d = " + major.d() + ": " + family
                        + " takes a = k, b = k and d = n");
    }

    /** Why launches of it cannot overlap, if they are to. */
    public static Optional<String> refuseLaunchOverlap(String family, Problem problem) {
        return when(
                problem.scenario().launchOverlap(),
                () -> "launchOverlap = true: a launch of " + family + " starts when the one ahead of it has ended");
    }

    /**
     * Why its extents cannot be computed.
     *
     * @param smallestM fewest rows of a CTA tile that the family tries
     * @param smallestN fewest columns
     */
    public static Optional<String> refuseExtents(Problem problem, int smallestM, int smallestN) {
        if (problem.isSingle()) {
            return refuseExtents(problem.shape(), problem, smallestM, smallestN);
        }
        for (int group = 0; group < problem.groups().size(); group++) {
            ProblemShape shape = problem.groups().get(group);
            Optional<String> reason = refuseExtents(shape, problem, smallestM, smallestN);
            if (reason.isPresent()) {
                return Optional.of("group " + group + ": " + reason.get());
            }
        }
        long tiles = problem.groups().stream()
                .mapToLong(shape -> problem.batch() * tiles(shape, smallestM, smallestN))
                .sum();
        return when(
                tiles > MAX_TABLE_ROWS,
                () -> "groups = " + problem.groups().size() + " and batch = " + problem.batch() + " have " + tiles
                        + " tiles of " + smallestM + "x" + smallestN + ", more than the " + MAX_TABLE_ROWS
                        + " rows of a table of tiles");
    }

    /** Tiles of an output. */
    public static long tiles(ProblemShape shape, int tileM, int tileN) {
        return (long) Math.ceilDiv(shape.m(), tileM) * Math.ceilDiv(shape.n(), tileN);
    }

    /** The same of whole clusters of a config, padding tiles among them. */
    public static long clusterTiles(ProblemShape shape, Config config) {
        return tiles(
                shape,
                config.whole("tileM") * config.whole("clusterM"),
                config.whole("tileN") * config.whole("clusterN"));
    }

    private static Optional<String> refuseExtents(ProblemShape shape, Problem problem, int smallestM, int smallestN) {
        Optional<String> rows = misaligned(shape, problem.types(), problem.major());
        if (rows.isPresent()) {
            return rows;
        }
        int largest = Math.max(shape.m(), Math.max(shape.n(), shape.k()));
        if (largest > MAX_EXTENT) {
            return Optional.of("extent " + largest + " of " + shape + " is more than " + MAX_EXTENT
                    + ": tensor coordinates are signed 32-bit numbers");
        }
        long tiles = tiles(shape, smallestM, smallestN);
        return when(
                tiles > MAX_TILES,
                () -> shape + " has " + tiles + " tiles of " + smallestM + "x" + smallestN + ", more than " + MAX_TILES
                        + ": tile numbers are 32-bit");
    }

    /** Neighbours in memory are rows of K-major inputs and of a row-major output, columns of the others. */
    private static Optional<String> misaligned(ProblemShape shape, OperandTypes types, OperandMajors major) {
        boolean rowsOfA = major.a() == Major.K;
        boolean rowsOfB = major.b() == Major.K;
        Optional<String> inputs =
                rowsOfA && rowsOfB && types.a().bytes() == types.b().bytes()
                        ? misaligned("k", shape.k(), types.a().bytes(), "rows of A and B")
                        : (rowsOfA
                                        ? misaligned("k", shape.k(), types.a().bytes(), "rows of A")
                                        : misaligned("m", shape.m(), types.a().bytes(), "columns of A"))
                                .or(() -> rowsOfB
                                        ? misaligned("k", shape.k(), types.b().bytes(), "rows of B")
                                        : misaligned("n", shape.n(), types.b().bytes(), "columns of B"));
        return inputs.or(() -> misaligned("n", shape.n(), types.d().bytes(), "rows of D"));
    }

    private static Optional<String> misaligned(String extent, int elements, int elementBytes, String operands) {
        long bytes = (long) elements * elementBytes;
        return when(
                bytes % ROW_ALIGNMENT != 0,
                () -> extent + " = " + elements + " times " + elementBytes + " bytes is " + bytes + ": " + operands
                        + " must be a multiple of " + ROW_ALIGNMENT + " bytes for the tensor map");
    }

    /** @param tileM rows of one CTA's tile */
    public static Optional<String> clusterPadding(ProblemShape shape, int tileM, Config config) {
        int tilesM = Math.ceilDiv(shape.m(), tileM);
        int tilesN = Math.ceilDiv(shape.n(), config.whole("tileN"));
        return when(
                config.whole("clusterM") > tilesM || config.whole("clusterN") > tilesN,
                () -> "a cluster of " + config.whole("clusterM") + "x" + config.whole("clusterN")
                        + " tiles is larger than the " + tilesM + "x" + tilesN + " tiles of the output");
    }

    /** Whether the cluster is larger than each of the outputs. */
    public static Optional<String> clusterPadding(List<ProblemShape> groups, int tileM, Config config) {
        List<Optional<String>> reasons = groups.stream()
                .map(shape -> clusterPadding(shape, tileM, config))
                .toList();
        return reasons.stream().allMatch(Optional::isPresent) ? reasons.getLast() : Optional.empty();
    }

    public static Optional<String> fits(DeviceLimits limits, int sharedBytes) {
        return fits(limits, 1, sharedBytes);
    }

    public static Optional<String> fits(DeviceLimits limits, int ctasPerSm, int sharedBytes) {
        int most = limits.sharedBytesPerCta(ctasPerSm);
        return when(sharedBytes > most, () -> sharedBytes + " bytes of shared memory are more than " + most);
    }

    /** @param unused the raster group that stands for all where the order knows none */
    public static Optional<String> rasterGroupUnused(Config config, int unused) {
        String order = config.name("rasterOrder");
        int group = config.whole("rasterGroup");
        return when(
                !RasterOrder.parse(order).grouped() && group != unused,
                () -> order + " knows no group, so rasterGroup must be " + unused + ", which stands for all, got "
                        + group);
    }

    public static Optional<String> waveClusters(DeviceLimits limits, Config config) {
        int cluster = config.whole("clusterM") * config.whole("clusterN");
        return when(
                limits.smCount() < cluster,
                () -> "a device with " + limits.smCount() + " SMs holds no cluster of " + cluster + " CTAs");
    }

    /** The rules of a quiet GPU, and where SMs are held one more: the others must have room for a cluster. */
    public static List<Constraint> beside(Scenario scenario, DeviceLimits limits, List<Constraint> quiet) {
        if (scenario.busySms() == 0) {
            return quiet;
        }
        Constraint room = rule("freeSms", config -> freeSms(scenario, limits, config), "clusterM", "clusterN");
        return Stream.concat(quiet.stream(), Stream.of(room)).toList();
    }

    private static Optional<String> freeSms(Scenario scenario, DeviceLimits limits, Config config) {
        int cluster = config.whole("clusterM") * config.whole("clusterN");
        return when(
                limits.smCount() - scenario.busySms() < cluster,
                () -> "busySms = " + scenario.busySms() + " of " + limits.smCount()
                        + " SMs leaves no room for a cluster of " + cluster + " CTAs");
    }
}
