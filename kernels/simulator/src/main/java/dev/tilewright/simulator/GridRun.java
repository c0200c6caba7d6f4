package dev.tilewright.simulator;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.raster.Raster;
import dev.tilewright.simulator.TiledProblem.Section;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * One launch at one SM clock, event by event. An event is a slot (the SMs of one resident cluster) whose tensor cores
 * become free: the cluster in it takes its next tile, or exits and makes room for the next cluster of the grid. Slots
 * that become free at one instant choose their tiles first, and only then share L2 and DRAM.
 */
final class GridRun {

    private final GpuConstants gpu;
    private final KernelPlan plan;
    private final TiledProblem tiled;
    private final TileModel model;
    private final L2Cache cache;
    private final TileScheduler scheduler;
    private final int clusters;
    private final long seed;
    private final double epilogueNs;

    private final PriorityQueue<Event> events = new PriorityQueue<>(
            Comparator.comparingDouble(Event::timeNs).thenComparingInt(event -> event.slot().firstSm));
    private final List<ClusterTile> done = new ArrayList<>();
    private int nextCluster;
    private int running;
    private double runningDramBytes;
    private double endNs;
    private double l2Bytes;
    private double dramBytes;

    private record Event(double timeNs, Slot slot) {}

    /** A cluster tile as it ran. */
    record ClusterTile(int tile, int cluster, int firstSm, double startNs, double endNs) {}

    /**
     * What came of the launch.
     *
     * @param endNs exit of the last cluster, counted from the start of the first
     * @param tiles in the order in which they started
     */
    record Outcome(double endNs, double l2Bytes, double dramBytes, List<ClusterTile> tiles) {}

    /** The SMs of one resident cluster, and the cluster that is in them. */
    private static final class Slot {
        private static final int EMPTY = -1;

        private final int firstSm;
        /** For each team of warpgroups, when its last epilogue ends. */
        private final double[] teamFreeNs;

        private int cluster = EMPTY;
        private int team;
        private boolean firstTile;
        private boolean multiplying;
        private int tile;
        private int nextTile;
        private double nextTileKnownNs;
        private double tileDramBytes;

        private Slot(int firstSm, int teams) {
            this.firstSm = firstSm;
            this.teamFreeNs = new double[teams];
        }

        private double lastEndNs() {
            return Arrays.stream(teamFreeNs).max().orElseThrow();
        }
    }

    GridRun(
            GpuConstants gpu,
            KernelPlan plan,
            Problem problem,
            TiledProblem tiled,
            Placement placement,
            double clockMhz,
            long seed) {
        this.gpu = gpu;
        this.plan = plan;
        this.tiled = tiled;
        this.model = new TileModel(gpu, plan, problem.types(), clockMhz);
        this.cache = new L2Cache(gpu.memory(), problem, tiled);
        this.clusters = placement.clusters();
        this.scheduler = plan.scheduler().start(clusters, tiled.clusterTiles());
        this.seed = seed;
        this.epilogueNs = model.epilogueNs();
        placement.firstSms().forEach(sm -> events.add(new Event(0, new Slot(sm, plan.teams()))));
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
            starting.clear();
        }
        return new Outcome(endNs, l2Bytes, dramBytes, done);
    }

    /**
     * Whether the slot has a tile to start now; a cluster without a further tile exits, and the next one of the grid
     * follows later.
     */
    private boolean takeTile(Slot slot, double now) {
        if (slot.multiplying) {
            slot.multiplying = false;
            running--;
            runningDramBytes -= slot.tileDramBytes;
        }
        if (slot.cluster == Slot.EMPTY) {
            if (nextCluster == clusters) {
                return false;
            }
            slot.cluster = nextCluster++;
            slot.tile = scheduler.first(slot.cluster);
            slot.firstTile = true;
            return true;
        }
        slot.tile = slot.nextTile;
        slot.firstTile = false;
        if (slot.tile != TileScheduler.NONE) {
            return true;
        }
        double exitNs = slot.lastEndNs() + gpu.overheads().storeDrainNs();
        endNs = Math.max(endNs, exitNs);
        slot.cluster = Slot.EMPTY;
        if (nextCluster < clusters) {
            events.add(new Event(exitNs + gpu.overheads().ctaLaunchNs(), slot));
        }
        return false;
    }

    private void readPanels(Slot slot, double now) {
        Section section = tiled.section(slot.tile);
        Raster.Place place = section.raster().place(slot.tile - section.firstTile());
        TileModel.Traffic traffic = model.traffic(section, place);
        double tileNs = model.tensorMainloopNs(section);
        slot.tileDramBytes = cache.readA(section.firstRow() + place.m(), traffic.panelA(), now, tileNs)
                + cache.readB(section.firstColumn() + place.n(), traffic.panelB(), now, tileNs)
                + cache.write(traffic.output());
        slot.multiplying = true;
        running++;
        runningDramBytes += slot.tileDramBytes;
        l2Bytes += traffic.l2();
        dramBytes += slot.tileDramBytes;
    }

    /**
     * Starts the mainloop as soon as a team of warpgroups is free, and ends it when tensor cores, L2 and DRAM have done
     * their part.
     */
    private void startTile(Slot slot, double now) {
        Section section = tiled.section(slot.tile);
        Raster.Place place = section.raster().place(slot.tile - section.firstTile());
        double startNs = Math.max(now, slot.teamFreeNs[slot.team]);
        if (slot.firstTile) {
            startNs = now + model.prologueNs();
        } else if (plan.scheduler() == TileScheduler.Kind.ATOMIC) {
            startNs = Math.max(startNs, slot.nextTileKnownNs) + model.handoffNs();
        }
        double chipNs = model.mainloopNs(section, model.traffic(section, place), running);
        double mainloopNs = Math.max(
                chipNs * lengthening(slot.tile), runningDramBytes / gpu.memory().dramBytesPerNs());
        double multipliedNs = startNs + mainloopNs;
        double endNs = multipliedNs + epilogueNs;
        slot.teamFreeNs[slot.team] = endNs;
        slot.team = (slot.team + 1) % slot.teamFreeNs.length;
        slot.nextTile = scheduler.next(slot.tile);
        slot.nextTileKnownNs = startNs + gpu.overheads().drawLatencyNs();
        done.add(new ClusterTile(slot.tile, slot.cluster, slot.firstSm, startNs, endNs));
        events.add(new Event(multipliedNs, slot));
    }

    /** A factor of at least 1 that belongs to the tile and the seed, whoever computes the tile and when. */
    private double lengthening(int tile) {
        SplittableRandom random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + tile);
        return 1 + gpu.overheads().jitter() * random.nextDouble();
    }
}
