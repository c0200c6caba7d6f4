package dev.tilewright.simulator;

import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.raster.Raster.Place;
import dev.tilewright.simulator.TiledProblem.Section;

/**
 * Times and bytes of one cluster tile at one SM clock. A K block takes the longest of
 *
 * <pre>
 *   tensor   2*tileM*tileN*tileK / (flop rate * min(1, shared bandwidth / operand bytes a clock))
 *   port     bytes into the SM / what an SM can take in
 *   L2       bytes read from L2 by the cluster * running clusters / what L2 delivers
 *   latency  (load latency + port + blocks in use * tensor) / stages, the life of a slot of the ring
 * </pre>
 */
final class TileModel {

    private final GpuConstants gpu;
    private final KernelPlan plan;
    private final OperandTypes types;
    private final double clkNs;
    private final double tensorNs;

    TileModel(GpuConstants gpu, KernelPlan plan, OperandTypes types, double clockMhz) {
        this.gpu = gpu;
        this.plan = plan;
        this.types = types;
        this.clkNs = 1e3 / clockMhz;
        this.tensorNs = tensorClk() * clkNs;
    }

    /**
     * Bytes of a cluster tile.
     *
     * @param panelA of the rows of A that the cluster reads, over all of K
     * @param panelB of the rows of B likewise
     * @param l2 read from L2 by all its CTAs
     * @param smFill into each SM
     * @param output of D that it writes
     */
    record Traffic(double panelA, double panelB, double l2, double smFill, double output) {}

    private double tensorClk() {
        return switch (plan.mainloop()) {
            case Mainloop.Wgmma wgmma -> wgmmaClk(wgmma);
            case Mainloop.Tcgen05 tcgen05 -> tcgen05Clk(tcgen05);
        };
    }

    private double wgmmaClk(Mainloop.Wgmma wgmma) {
        GpuConstants.TensorCores cores = gpu.tensorCores();
        double flopPerClk = cores.flopPerClk() * 2 / types.a().bytes();
        double operandReads = 64 + 4096.0 / plan.wgmmaN(wgmma);
        double rate = flopPerClk * Math.min(1, cores.sharedReadBytesPerClk() / operandReads) * cores.issueEfficiency();
        double alone = wgmma.epilogueWarpgroups() == 1 && wgmma.waitDepth() == 0 ? cores.drainClk() : 0;
        return 2.0 * plan.tileM() * plan.tileN() * plan.tileK() / rate + alone;
    }

    /** Each SM reads its rows of A and, of a CTA pair, its half of B; 64 rows leave half of the tensor cores idle. */
    private double tcgen05Clk(Mainloop.Tcgen05 tcgen05) {
        GpuConstants.TensorCores cores = gpu.tensorCores();
        double flopPerClk = cores.flopPerClk() * 2 / types.a().bytes() * Math.min(1, plan.tileM() / 128.0);
        double fullClk = 2.0 * plan.tileM() * plan.tileN() * plan.tileK() / flopPerClk;
        double operands = (double) plan.tileK()
                * (plan.tileM() * types.a().bytes()
                        + (double) plan.tileN() / tcgen05.ctaGroup() * types.b().bytes());
        return Math.max(fullClk, operands / cores.sharedReadBytesPerClk()) / cores.issueEfficiency();
    }

    Traffic traffic(Section section, Place place) {
        double rows = covered(section.shape().m(), place.m(), plan.clusterM() * plan.tileM());
        double columns = covered(section.shape().n(), place.n(), plan.clusterN() * plan.tileN());
        double panelA = rows * section.shape().k() * types.a().bytes();
        double panelB = columns * section.shape().k() * types.b().bytes();
        return new Traffic(
                panelA,
                panelB,
                l2Bytes(section, panelA, panelB),
                panelA / plan.clusterM()
                        + panelB / plan.clusterN() / plan.mainloop().ctaGroup(),
                rows * columns * types.d().bytes());
    }

    private static double covered(int extent, int index, int unit) {
        return Math.min((double) unit, extent - (double) index * unit);
    }

    /**
     * With multicast each byte leaves L2 once for the whole cluster. Without, two CTAs on one SM pair that read the
     * same rows at the same time have their requests merged before L2 (lab 3, cluster 2x1 against none), larger
     * distances do not. A CTA pair reads no byte twice.
     */
    private double l2Bytes(Section section, double panelA, double panelB) {
        if (plan.multicast()) {
            return panelA + panelB;
        }
        double readsA = panelA * plan.clusterN();
        double readsB = panelB * plan.clusterM() / plan.mainloop().ctaGroup();
        if (plan.mainloop().ctaGroup() > 1) {
            return readsA + readsB;
        }
        boolean pairSharesA = plan.clusterSize() == 1 ? section.raster().neighboursShareA() : plan.clusterM() == 1;
        return pairSharesA ? readsA / 2 + readsB : readsA + readsB / 2;
    }

    /** Mainloop of a tile if nothing but the tensor cores limits it, without jitter. */
    double tensorMainloopNs(Section section) {
        return blocks(section) * tensorNs;
    }

    /** Mainloop of a tile while so many clusters run, without jitter and DRAM. */
    double mainloopNs(Section section, Traffic traffic, int runningClusters) {
        double blocks = blocks(section);
        double portNs = traffic.smFill() / gpu.memory().smFillBytesPerClk() * clkNs;
        double l2Ns = traffic.l2() * runningClusters / gpu.memory().l2BytesPerClk() * clkNs;
        double slotNs =
                gpu.memory().loadLatencyNs() + portNs / blocks + plan.mainloop().blocksInUse() * tensorNs;
        return Math.max(blocks * Math.max(tensorNs, slotNs / plan.stages()), Math.max(portNs, l2Ns));
    }

    private double blocks(Section section) {
        return Math.ceilDiv(section.shape().k(), plan.tileK());
    }

    /** Time in which the warpgroups of a tile convert and stage it, and do not multiply. */
    double epilogueNs() {
        int panels = Math.ceilDiv(plan.tileN(), plan.epilogueN());
        double elements = (double) plan.tileM() * plan.tileN();
        double clk = elements
                        / (gpu.overheads().epilogueElementsPerClk()
                                * plan.mainloop().epilogueWarpgroups())
                + panels * gpu.overheads().panelSyncClk();
        return clk * clkNs;
    }

    /** From the start of a CTA to the first full stage. */
    double prologueNs() {
        double cluster = plan.clusterSize() > 1 ? gpu.overheads().clusterLaunchNs() : 0;
        return cluster + gpu.overheads().prologueClk() * clkNs + gpu.memory().loadLatencyNs();
    }

    /** What each tile that was drawn or claimed costs, although that was done ahead. */
    double handoffNs() {
        return gpu.overheads().drawHandoffClk() * clkNs;
    }

    /**
     * From knowing a tile to its first full stage, if nothing of it was loaded ahead. The model of the H200 does not
     * have it: its draws are known long before.
     */
    double firstLoadNs() {
        return switch (plan.mainloop()) {
            case Mainloop.Wgmma wgmma -> 0;
            case Mainloop.Tcgen05 tcgen05 -> gpu.memory().loadLatencyNs();
        };
    }

    /**
     * From asking for a tile to every CTA of the cluster knowing it; of that, if it asks when a tile is loaded, what is
     * left when it is multiplied.
     */
    double askNs() {
        double latencyNs = switch (plan.scheduler()) {
            case SINGLE, STATIC -> 0;
            case ATOMIC -> gpu.overheads().drawLatencyNs();
            case CLC -> gpu.overheads().queryLatencyNs();
        };
        return plan.asksWhenLoaded() ? Math.max(0, latencyNs - plan.stages() * tensorNs) : latencyNs;
    }
}
