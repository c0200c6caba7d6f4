package dev.tilewright.simulator;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.simulator.TiledProblem.Section;
import dev.tilewright.space.raster.Raster;
import dev.tilewright.space.tick.LoadTick;
import java.util.HashMap;
import java.util.Map;

/**
 * Times and bytes of one cluster tile at one SM clock. A mainloop takes these together, the longest of them first of
 * all (see {@link GpuConstants.Variation#overlap}):
 *
 * <pre>
 *   tensor   2*tileM*tileN*tileK / flop rate, or the reads and the fill of shared memory, and a wait, for each block
 *   port     bytes into the SM / what an SM can take in
 *   L2       bytes read from L2 by all running clusters / what L2 delivers, and a part of what DRAM takes
 *   latency  (load latency + transfer + part of the blocks in use * tensor) / stages for each block, the life of a
 *            slot of the ring; a part of a slot is lost where one becomes free only when the next block is there
 * </pre>
 *
 * <p>The last three may have begun while the warpgroups were still at the epilogue before.
 */
final class TileModel {

    /** The most bytes that a load brings in a clock: a row of the widest swizzle. Narrower rows take as long. */
    private static final double ROW_BYTES = 128;

    /**
     * The fewest bytes that L2 reads or writes. If a tile's width is no multiple, every other tile begins inside one.
     */
    private static final int SECTOR_BYTES = 32;

    /** Products with scales for each element: with that of its row, and with that of its column. */
    private static final int PRODUCTS_OF_SCALES = 2;

    /** f32 products of an SM in a clock: a lane each. */
    private static final int PRODUCTS_PER_CLK = 128;

    private final GpuConstants gpu;
    private final KernelCost kernel;
    private final Problem problem;
    private final OperandTypes types;
    private final double clkNs;
    private final double tensorNs;
    private final Map<Raster, GpcSharing> sharings = new HashMap<>();

    TileModel(GpuConstants gpu, KernelCost kernel, Problem problem, double clockMhz) {
        this.gpu = gpu;
        this.kernel = kernel;
        this.problem = problem;
        this.types = problem.types();
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
     * @param output of D that it writes; of a split tile the part of each piece
     * @param inGpc of what it reads from L2, what another cluster of its GPC reads too, at about the same time
     */
    record Traffic(double panelA, double panelB, double l2, double smFill, double output, double inGpc) {}

    private double tensorClk() {
        return switch (kernel.multiply()) {
            case MultiplyCost.Wgmma wgmma -> wgmmaClk(wgmma);
            case MultiplyCost.Tcgen05 tcgen05 -> tcgen05Clk(tcgen05);
        };
    }

    /** Shared memory is read for each instruction, 64 rows of A and N of B, and filled for each block. */
    private double wgmmaClk(MultiplyCost.Wgmma wgmma) {
        GpuConstants.TensorCores cores = gpu.tensorCores();
        int n = wgmma.columns();
        double instructions =
                (double) kernel.multiply().tileM() * kernel.multiply().tileN() / (64 * n);
        double rows = instructions * (64 + n)
                + cores.fillShare()
                        * (kernel.multiply().tileM() + kernel.multiply().tileN());
        double sharedClk = rows * kernel.load().tileK() * types.a().bytes() / cores.sharedReadBytesPerClk();
        double alone = wgmma.epilogueWarpgroups() == 1 && wgmma.waitDepth() == 0 ? cores.drainClk() : 0;
        return Math.max(fullClk() / cores.issueEfficiency(), sharedClk)
                + cores.blockClk()
                + alone
                + promotionClk(wgmma);
    }

    /**
     * Products of a block that are multiplied with its scales and added to sums. The tensor cores have those of the
     * other warpgroups meanwhile: of several one is waited for (assumption; no sweep with block scales is stored).
     */
    private double promotionClk(MultiplyCost.Wgmma wgmma) {
        if (problem.scales() != Scales.BLOCK) {
            return 0;
        }
        double elements = (double) kernel.multiply().tileM() * kernel.multiply().tileN();
        return elements / PRODUCTS_PER_CLK / wgmma.consumers();
    }

    /** Of a block, if the tensor cores never wait. */
    private double fullClk() {
        double flopPerClk = gpu.tensorCores().flopPerClk() * 2 / types.a().bytes();
        return 2.0
                * kernel.multiply().tileM()
                * kernel.multiply().tileN()
                * kernel.load().tileK()
                / flopPerClk;
    }

    /** Each SM reads its rows of A and, of a CTA pair, its half of B; 64 rows leave half of the tensor cores idle. */
    private double tcgen05Clk(MultiplyCost.Tcgen05 tcgen05) {
        GpuConstants.TensorCores cores = gpu.tensorCores();
        double fullClk = fullClk() / Math.min(1, kernel.multiply().tileM() / 128.0);
        double operands = (double) kernel.load().tileK()
                * (kernel.multiply().tileM() * types.a().bytes()
                        + (double) kernel.multiply().tileN()
                                / tcgen05.ctaGroup()
                                * types.b().bytes());
        return Math.max(fullClk, operands / cores.sharedReadBytesPerClk()) / cores.issueEfficiency();
    }

    Traffic traffic(TiledProblem.Work work) {
        Section section = work.section();
        double rows = covered(
                section.shape().m(),
                work.coordinates().m(),
                kernel.cluster().m() * kernel.multiply().tileM());
        double columns = covered(
                section.shape().n(),
                work.coordinates().n(),
                kernel.cluster().n() * kernel.multiply().tileN());
        return traffic(problem.groups().get(section.group()), section.raster(), rows, columns, work.depth());
    }

    /**
     * Of a cluster tile that no edge of the output cuts.
     *
     * @param shape of its GEMM, with all of K
     * @param depth of the tile, or of a piece of it; of what a CTA has of it where those of a cluster share it
     */
    Traffic wholeTile(ProblemShape shape, Raster raster, double depth) {
        return traffic(
                shape,
                raster,
                kernel.cluster().m() * kernel.multiply().tileM(),
                kernel.cluster().n() * kernel.multiply().tileN(),
                depth);
    }

    private Traffic traffic(ProblemShape shape, Raster raster, double rows, double columns, double depth) {
        int parts = kernel.cluster().parts();
        double panelA = rows * depth * types.a().bytes();
        double panelB = columns * depth * types.b().bytes();
        return new Traffic(
                panelA * parts,
                panelB * parts,
                l2Bytes(shape, raster, panelA, panelB) * parts,
                panelA / kernel.cluster().m()
                        + panelB / kernel.cluster().n() / kernel.multiply().ctaGroup(),
                rows * columns * problem.bytesAtAnElement() / kernel.pieces(),
                inGpc(raster, panelA, panelB) * parts);
    }

    /**
     * Of operands that each CTA loads for itself: what is multicast is merged with nobody's. Rows that begin inside
     * sectors were seen to be merged so, if not by a pair of SMs. Clusters of one CTA are dealt out GPC by GPC anyway,
     * so that their order changes nothing.
     */
    private double inGpc(Raster raster, double panelA, double panelB) {
        if (!kernel.cluster().goesByGpc() || kernel.cluster().tiles() == 1) {
            return 0;
        }
        GpcSharing sharing = sharings.computeIfAbsent(raster, this::sharing);
        boolean ownA = kernel.cluster().n() == 1 || !kernel.cluster().multicastA();
        boolean ownB = kernel.cluster().m() == 1 || !kernel.cluster().multicastB();
        return (ownA ? panelA * kernel.cluster().n() * sharing.rows() : 0)
                + (ownB ? panelB * kernel.cluster().m() * sharing.columns() : 0);
    }

    private GpcSharing sharing(Raster raster) {
        // Pieces of a tile are neighbours, and read different parts of K.
        int resident =
                Math.max(1, gpu.topology().residentClusters(kernel.cluster().size()) / kernel.pieces());
        int neighbours =
                Math.max(1, gpu.topology().smsOfTurn() / kernel.cluster().size() / kernel.pieces());
        return GpcSharing.of(raster, Math.min(resident, raster.tiles()), neighbours);
    }

    private static double covered(int extent, int index, int unit) {
        return Math.min((double) unit, extent - (double) index * unit);
    }

    /**
     * With multicast each byte of an operand leaves L2 once for the whole cluster. Without, two CTAs on one SM pair
     * that read the same rows at the same time have their requests merged before L2 (lab 3, cluster 2x1 against none),
     * fully if they keep in step; larger distances do not. A CTA pair reads no byte twice. An operand whose rows begin
     * inside sectors takes more reads, merged with nobody's.
     */
    private double l2Bytes(ProblemShape shape, Raster raster, double panelA, double panelB) {
        boolean cutA = isCut(problem.major().a() == Major.K ? shape.k() : shape.m(), types.a());
        boolean cutB = isCut(problem.major().b() == Major.K ? shape.k() : shape.n(), types.b());
        double cutReads = gpu.memory().cutRowReads();
        double readsA = (cutA ? cutReads : 1)
                * (kernel.cluster().multicastA()
                        ? panelA
                        : panelA * kernel.cluster().n());
        double readsB = (cutB ? cutReads : 1)
                * (kernel.cluster().multicastB()
                        ? panelB
                        : panelB * kernel.cluster().m() / kernel.multiply().ctaGroup());
        // Neighbours of one tile have other parts of K.
        if (kernel.cluster().parts() > 1 && kernel.cluster().tiles() == 1) {
            return readsA + readsB;
        }
        boolean pairSharesA = kernel.cluster().tiles() == 1
                ? raster.neighboursShareA()
                : kernel.cluster().m() == 1;
        if ((pairSharesA ? kernel.cluster().multicastA() : kernel.cluster().multicastB())
                || (pairSharesA ? cutA : cutB)
                || kernel.multiply().ctaGroup() > 1) {
            return readsA + readsB;
        }
        double merged = kernel.keepsStep() ? 0.5 : 0.5 * gpu.memory().looseMerge();
        return pairSharesA ? readsA * (1 - merged) + readsB : readsA + readsB * (1 - merged);
    }

    /**
     * Bytes that L2 reads for a tile: those that are asked for, but for what is asked for together. Kernels of which
     * one tile is stored while another is multiplied were seen to ask together of themselves.
     */
    double readsOfL2(Traffic traffic) {
        boolean atTicks = kernel.load().atTicks() && kernel.multiply().tilesInFlight() == 1;
        double merged = atTicks ? gpu.memory().tickMerge() : 0;
        return (1 - merged) * (traffic.l2() - gpu.memory().gpcMerge() * traffic.inGpc());
    }

    /** The same for all tiles of a GEMM: nothing is read beyond the edges of its operands. */
    double readsOfL2(ProblemShape shape, Raster raster) {
        double rows = (double) shape.m() * raster.tilesN();
        double columns = (double) shape.n() * raster.tilesM();
        return readsOfL2(traffic(
                shape,
                raster,
                rows,
                columns,
                (double) shape.k() / kernel.cluster().parts()));
    }

    /** Whether rows of an operand begin inside a sector, every other one of them. */
    private static boolean isCut(int rowElements, DataType type) {
        return (long) rowElements * type.bytes() % SECTOR_BYTES != 0;
    }

    /** Mainloop of a tile if nothing but the tensor cores limits it, without jitter. */
    double tensorMainloopNs(TiledProblem.Work work) {
        return blocks(work.depth()) * tensorNs;
    }

    /**
     * The surroundings of a tile while it is multiplied.
     *
     * @param l2Bytes that all running clusters read from L2 meanwhile
     * @param dramNs in which DRAM moves its part of them
     * @param missShare part of the tile's own reads that goes on to DRAM
     * @param together CTAs that share an SM, all with such a tile
     * @param aheadNs for how long the loads were under way already when the warpgroups became free for the tile
     */
    record Load(double l2Bytes, double dramNs, double missShare, int together, double aheadNs) {}

    /**
     * Mainloop of a tile, without jitter; of all of them, if several CTAs share an SM.
     *
     * @param blocks K blocks of the tile
     * @param smFill bytes that the tile brings into each SM
     */
    double mainloopNs(double blocks, double smFill, Load load) {
        GpuConstants.MemorySystem memory = gpu.memory();
        double portNs =
                smFill / (memory.smFillBytesPerClk() * Math.min(1, kernel.load().swizzle() / ROW_BYTES)) * clkNs;
        double l2Ns = load.l2Bytes() / memory.l2BytesPerClk() * clkNs + memory.dramBesideL2() * load.dramNs();
        double held = memory.slotHeldShare();
        double slotNs = latencyNs(load.missShare())
                + overlap(portNs, l2Ns) / blocks
                + held * kernel.multiply().blocksInUse() * tensorNs * load.together();
        double slots = kernel.load().stages() - held * kernel.multiply().slotsThatWait();
        double loadsNs = overlap(overlap(portNs * load.together(), l2Ns), blocks * (slotNs / slots));
        double aheadNs = Math.min(load.aheadNs(), loadsNs / blocks * kernel.loadedAhead());
        return overlap(blocks * tensorNs * load.together(), Math.max(0, loadsNs - aheadNs));
    }

    private double overlap(double first, double second) {
        return gpu.variation().overlap(first, second);
    }

    /** From when a load may be issued to its data: it waits for half a tick, if for any, and is under way. */
    double latencyNs(double missShare) {
        return tickNs() / 2.0 + gpu.memory().loadLatencyNs() + gpu.memory().missLatencyNs() * missShare;
    }

    private int tickNs() {
        return kernel.load().atTicks() ? LoadTick.ns((int) fullClk()) : 0;
    }

    /** K blocks of a tile, or of a piece of one with that depth. */
    double blocks(int k) {
        return Math.ceilDiv(k, kernel.load().tileK());
    }

    /**
     * Time in which a CTA moves sums to and from L2 for a piece of a split tile: all leave theirs, and the one that
     * comes last, whose time counts, reads them; of two it keeps its own.
     */
    private double sumsNs(int pieces) {
        return switch (pieces) {
            case 1 -> 0;
            case 2 -> leaveNs() + sumsOfPieceNs(2);
            default -> leaveNs() + pieces * sumsOfPieceNs(pieces);
        };
    }

    /**
     * Time in which the warpgroups leave the sums of a piece for another one, all clusters at once, and learn whether
     * they are the last.
     */
    private double leaveNs() {
        return sumsOfPieceNs(1) + gpu.overheads().sumsHandoffNs();
    }

    /**
     * The warpgroups move what they can, at most what the SM takes in, and its part of what L2 delivers.
     *
     * @param oneOf how many clusters there are for each that moves sums, and has its part of L2
     */
    private double sumsOfPieceNs(int oneOf) {
        GpuConstants.MemorySystem memory = gpu.memory();
        double ofWarpgroups =
                gpu.overheads().sumsBytesPerClk() * kernel.multiply().epilogueWarpgroups();
        double bytesPerClk = Math.min(
                Math.min(memory.smFillBytesPerClk(), ofWarpgroups),
                oneOf * memory.l2BytesPerClk() / gpu.topology().smCount());
        return (double) kernel.multiply().tileM() * kernel.multiply().tileN() * Float.BYTES / bytesPerClk * clkNs;
    }

    /** Time behind the mainloop of a tile, or of a piece. */
    double epilogueNs(TiledProblem.Work work) {
        return epilogueNs(work.pieces());
    }

    /** Of a tile of the kernel, or the piece of one that comes last. */
    double epilogueNs() {
        return epilogueNs(kernel.pieces());
    }

    /** Time in which the warpgroups of a tile add up its pieces, convert and stage it, and do not multiply. */
    double epilogueNs(int pieces) {
        // Parts of a cluster store some of the panels each.
        int parts = kernel.cluster().parts();
        int panels = Math.ceilDiv(kernel.multiply().panels(), parts);
        double elements = (double) kernel.multiply().tileM() * kernel.multiply().tileN() / parts;
        double clk = elements
                        / (gpu.overheads().epilogueElementsPerClk()
                                * kernel.multiply().epilogueWarpgroups())
                + panels * (gpu.overheads().panelSyncClk() + cutPanelClk());
        return (clk + scalesClk(elements)) * clkNs + sumsNs(pieces) + partsNs();
    }

    /** Time in which parts of a cluster send each other the sums of all panels but their own, and wait for them. */
    private double partsNs() {
        int parts = kernel.cluster().parts();
        double sent =
                (double) kernel.multiply().tileM() * kernel.multiply().tileN() * Float.BYTES * (parts - 1) / parts;
        return parts == 1
                ? 0
                : sent / gpu.overheads().partsBytesPerClk() * clkNs
                        + gpu.overheads().partsHandoffNs();
    }

    /** Products with scales of rows: the warpgroups of a tile share the lanes of an SM. */
    private double scalesClk(double elements) {
        return problem.steps().scalesRows() ? PRODUCTS_OF_SCALES * elements / PRODUCTS_PER_CLK : 0;
    }

    private double cutPanelClk() {
        return kernel.multiply().tileN() * types.d().bytes() % SECTOR_BYTES == 0
                ? 0
                : gpu.overheads().cutPanelClk();
    }

    /** From the start of a CTA to the first full stage. */
    double prologueNs() {
        double cluster = kernel.cluster().size() > 1 ? gpu.overheads().clusterLaunchNs() : 0;
        return cluster + gpu.overheads().prologueClk() * clkNs + latencyNs(0);
    }

    /** The time from the exit of a cluster to the start of its successor, beyond the same time of a single CTA. */
    double clusterTurnNs() {
        return gpu.overheads().clusterTurnNs() * (kernel.cluster().size() - 1);
    }

    /** The cost of each tile that was drawn or claimed, although that was done ahead. */
    double handoffNs() {
        double cluster = kernel.cluster().size() > 1 ? gpu.overheads().clusterHandoffNs() : 0;
        return gpu.overheads().drawHandoffClk() * clkNs + cluster;
    }

    /**
     * From knowing a tile to its first full stage, if nothing of it was loaded ahead. The model of the H200 does not
     * have it: its draws are known long before.
     */
    double firstLoadNs() {
        return switch (kernel.multiply()) {
            case MultiplyCost.Wgmma wgmma -> 0;
            case MultiplyCost.Tcgen05 tcgen05 -> gpu.memory().loadLatencyNs();
        };
    }

    /**
     * From asking for a tile to every CTA of the cluster knowing it; of that, if it asks when a tile is loaded, what is
     * left when it is multiplied.
     */
    double askNs() {
        double latencyNs = TileScheduler.latencyNs(kernel.schedule().scheduler(), gpu.overheads());
        return kernel.schedule().asksWhenLoaded()
                ? Math.max(0, latencyNs - kernel.load().stages() * tensorNs)
                : latencyNs;
    }
}
