package dev.tilewright.simulator;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.simulator.TiledProblem.Section;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.space.raster.Raster;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * One launch at one SM clock, event by event. An event is a slot (the SMs of one resident cluster) whose tensor cores
 * become free: the cluster in it takes its next tile, or exits and makes room for a kernel of higher priority or the
 * next cluster of the grid. Slots that become free at one instant choose their tiles first, and only then share L2 and
 * DRAM.
 */
final class GridRun {

    private final GpuConstants gpu;
    private final KernelCost kernel;
    private final TiledProblem tiled;
    private final TileModel model;
    private final L2Cache cache;
    private final PendingClusters pending;
    private final TileScheduler scheduler;
    private final Newcomer newcomer;
    private final GpuConstants.Variation variation;
    private final long seed;

    private final PriorityQueue<Event> events = new PriorityQueue<>(
            Comparator.comparingDouble(Event::timeNs).thenComparingInt(event -> event.slot().firstSm));
    private final List<ClusterTile> done = new ArrayList<>();
    private int failedQueries;
    private int running;
    /** DRAM bytes of the running tiles, by their K. */
    private final Map<Integer, Double> runningDramBytes = new TreeMap<>();

    private double endNs;
    private double l2Bytes;
    private double dramBytes;

    private record Event(double timeNs, Slot slot) {}

    /** A cluster tile as it ran. */
    record ClusterTile(int tile, int cluster, int firstSm, double startNs, double endNs) {}

    /**
     * The result of the launch.
     *
     * @param endNs exit of the last cluster, counted from the start of the first
     * @param tiles in the order in which they started
     * @param failedQueries draws or queries that found no tile
     * @param yieldedNs for each SM that a kernel of higher priority got, when
     */
    record Outcome(
            double endNs,
            double l2Bytes,
            double dramBytes,
            List<ClusterTile> tiles,
            int failedQueries,
            List<Double> yieldedNs) {}

    /** A tile that the cluster will compute, and from when on it knows so. */
    private record Claim(int tile, double knownNs) {}

    /** The SMs of one resident cluster, and the cluster that is in them. */
    private static final class Slot {
        private static final int EMPTY = -1;

        private final int firstSm;
        /** By how much all its tiles are longer than on the fastest SM. */
        private final double lengthening;
        /** For each team of warpgroups or accumulator, when its last epilogue ends. */
        private final double[] teamFreeNs;
        /** Tiles that come after the one at work. */
        private final ArrayDeque<Claim> claims = new ArrayDeque<>();

        private int cluster = EMPTY;
        private int team;
        private boolean firstTile;
        private boolean multiplying;
        /** Whether an answer said that there is no further tile. */
        private boolean refused;

        private int tile;
        private double tileKnownNs;
        /** When it asks next, or has asked last. */
        private double askNs;

        private int lastClaimed;
        private int depth;
        private double dramBytes;
        /** Part of the tile's panels that comes from DRAM. */
        private double missShare;

        private Slot(int firstSm, int teams, double lengthening) {
            this.firstSm = firstSm;
            this.lengthening = lengthening;
            this.teamFreeNs = new double[teams];
        }

        private double lastEndNs() {
            return Arrays.stream(teamFreeNs).max().orElseThrow();
        }
    }

    GridRun(
            GpuConstants gpu,
            KernelCost kernel,
            Problem problem,
            TiledProblem tiled,
            Placement placement,
            Conditions conditions,
            double clockMhz,
            long seed) {
        this.gpu = gpu;
        this.kernel = kernel;
        this.tiled = tiled;
        this.model = new TileModel(gpu, kernel, problem, clockMhz);
        this.cache = new L2Cache(gpu.memory(), problem, tiled, kernel.load().l2Hint());
        this.pending = new PendingClusters(placement.clusters());
        this.scheduler = TileScheduler.start(kernel.schedule().scheduler(), pending, tiled.clusterTiles());
        this.newcomer = new Newcomer(conditions.arrival());
        this.variation =
                conditions.variation() ? gpu.variation() : gpu.variation().withoutJitter();
        this.seed = seed;
        placement.firstSms().forEach(sm -> events.add(new Event(0, slot(sm))));
        if (Double.isFinite(conditions.busyUntilNs())) {
            placement.busyFirstSms().forEach(sm -> events.add(new Event(conditions.busyUntilNs(), slot(sm))));
        }
    }

    /** The SMs of a cluster work in step: the slowest sets the pace. */
    private Slot slot(int firstSm) {
        double slowest = IntStream.range(firstSm, firstSm + kernel.cluster().size())
                .mapToDouble(sm -> new SplittableRandom(seed * 0xD1342543DE82EF95L + sm).nextDouble())
                .max()
                .orElseThrow();
        int teams = kernel.multiply().tilesInFlight() * kernel.ctasOfGridPerSm();
        return new Slot(firstSm, teams, variation.sm() * slowest);
    }

    Outcome run() {
        List<Slot> starting = new ArrayList<>();
        while (!events.isEmpty()) {
            double now = events.element().timeNs();
            while (!events.isEmpty() && events.element().timeNs() == now) {
                Slot slot = events.remove().slot();
                if (takeTile(slot, now)) {
                    readPanels(slot, now);
                    starting.add(slot);
                }
            }
            starting.forEach(slot -> startTile(slot, now));
            if (!kernel.schedule().asksAfterMainloop()) {
                claimTiles(starting);
            }
            starting.clear();
        }
        return new Outcome(endNs, l2Bytes, dramBytes, done, failedQueries, newcomer.granted());
    }

    /**
     * Whether the slot has a tile to start now; a cluster without a further tile exits, and the next one of the grid
     * follows later.
     */
    private boolean takeTile(Slot slot, double now) {
        if (slot.multiplying) {
            slot.multiplying = false;
            running--;
            runningDramBytes.merge(slot.depth, -slot.dramBytes, Double::sum);
        }
        if (slot.cluster == Slot.EMPTY) {
            return launch(slot, now);
        }
        slot.firstTile = false;
        if (kernel.schedule().asksAfterMainloop()) {
            slot.askNs = now;
            claimTiles(List.of(slot));
        }
        Claim claim = slot.claims.poll();
        if (claim != null) {
            slot.tile = claim.tile();
            slot.tileKnownNs = claim.knownNs();
            return true;
        }
        slot.cluster = Slot.EMPTY;
        double exitNs = slot.lastEndNs() + gpu.overheads().storeDrainNs();
        endNs = Math.max(endNs, exitNs);
        double freeNs = newcomer.offer(kernel.cluster().size(), exitNs);
        if (pending.isEmpty()) {
            if (freeNs == exitNs) {
                newcomer.leave(kernel.cluster().size(), exitNs);
            }
        } else if (Double.isFinite(freeNs)) {
            events.add(new Event(freeNs + gpu.overheads().ctaLaunchNs() + model.clusterTurnNs(), slot));
        }
        return false;
    }

    /** Whether the next cluster of the grid, if there is one, starts in an empty slot. */
    private boolean launch(Slot slot, double now) {
        if (pending.isEmpty()) {
            newcomer.leave(kernel.cluster().size(), now);
            return false;
        }
        slot.cluster = pending.take();
        slot.tile = scheduler.first(slot.cluster);
        slot.lastClaimed = slot.tile;
        slot.firstTile = true;
        slot.refused = false;
        return true;
    }

    private void readPanels(Slot slot, double now) {
        TiledProblem.Work work = tiled.work(slot.tile);
        Section section = work.section();
        Raster.Place coordinates = work.coordinates();
        TileModel.Traffic traffic = model.traffic(work);
        double tileNs = model.tensorMainloopNs(work);
        slot.depth = work.depth();
        double read = cache.readA(section.firstRow() + coordinates.m(), traffic.panelA(), now, tileNs)
                + cache.readB(section.firstColumn() + coordinates.n(), traffic.panelB(), now, tileNs);
        slot.missShare = read / (traffic.panelA() + traffic.panelB());
        slot.dramBytes = read + cache.write(traffic.output());
        slot.multiplying = true;
        running++;
        runningDramBytes.merge(slot.depth, slot.dramBytes, Double::sum);
        l2Bytes += model.readsOfL2(traffic);
        dramBytes += slot.dramBytes;
    }

    /**
     * The bytes that DRAM moves while a tile of some depth runs: all bytes of tiles that are no deeper, and of deeper
     * ones the part that falls into its time.
     */
    private double dramBytesBeside(int depth) {
        double bytes = 0;
        for (Map.Entry<Integer, Double> tiles : runningDramBytes.entrySet()) {
            bytes += tiles.getValue() * Math.min(1, (double) depth / tiles.getKey());
        }
        return bytes;
    }

    /**
     * Starts the mainloop as soon as a team of warpgroups is free, and ends it when tensor cores, L2 and DRAM have done
     * their part.
     */
    private void startTile(Slot slot, double now) {
        TiledProblem.Work work = tiled.work(slot.tile);
        double startNs = Math.max(now, slot.teamFreeNs[slot.team]);
        if (slot.firstTile) {
            startNs = now + model.prologueNs();
        } else if (kernel.schedule().scheduler().dynamic()) {
            startNs = Math.max(startNs, slot.tileKnownNs + model.firstLoadNs()) + model.handoffNs();
        }
        TileModel.Traffic traffic = model.traffic(work);
        double dramNs = dramBytesBeside(slot.depth) / gpu.memory().dramBytesPerNs();
        int together = kernel.ctasOfGridPerSm();
        TileModel.Load load = new TileModel.Load(
                traffic.l2() * running * together,
                dramNs * together,
                slot.missShare,
                together,
                slot.firstTile ? 0 : startNs - now);
        double modelledNs = model.mainloopNs(model.blocks(work.depth()), traffic.smFill(), load) / together;
        double mainloopNs = Math.max(modelledNs * lengthening(slot), dramNs);
        double multipliedNs = startNs + mainloopNs;
        boolean oneByOne = kernel.multiply().sharedEpilogue() && together == 1;
        double epilogueStartNs = oneByOne ? Math.max(multipliedNs, slot.lastEndNs()) : multipliedNs;
        double endNs = epilogueStartNs + model.epilogueNs(work);
        slot.teamFreeNs[slot.team] = endNs;
        slot.team = (slot.team + 1) % slot.teamFreeNs.length;
        slot.askNs = startNs;
        done.add(new ClusterTile(slot.tile, slot.cluster, slot.firstSm, startNs, endNs));
        events.add(new Event(multipliedNs, slot));
    }

    /**
     * Asks for as many further tiles as may be in flight. Of slots that ask at one instant, each gets one answer before
     * any gets a second. Queries that are issued together fail together, and after a failure none is issued.
     */
    private void claimTiles(List<Slot> asking) {
        List<Slot> round = new ArrayList<>(asking);
        while (!round.isEmpty()) {
            round.removeIf(slot ->
                    slot.refused || slot.claims.size() >= kernel.schedule().queriesInFlight());
            round.forEach(this::claimTile);
        }
    }

    private void claimTile(Slot slot) {
        boolean yields = kernel.schedule().scheduler() == Scheduler.CLC && newcomer.waits(slot.askNs);
        int next = yields ? TileScheduler.NONE : scheduler.next(slot.lastClaimed);
        if (next == TileScheduler.NONE) {
            slot.refused = true;
            failedQueries += kernel.schedule().scheduler().dynamic()
                    ? kernel.schedule().queriesInFlight() - slot.claims.size()
                    : 0;
            return;
        }
        slot.lastClaimed = next;
        slot.claims.add(new Claim(next, slot.askNs + model.askNs()));
    }

    /**
     * A factor of at least 1: a part that belongs to the tile and the seed, whoever computes it, and one of the SMs.
     */
    private double lengthening(Slot slot) {
        SplittableRandom random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + slot.tile);
        return 1 + variation.tile() * random.nextDouble() + slot.lengthening;
    }
}
