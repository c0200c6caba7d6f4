package dev.tilewright.simulator;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.device.LaunchModel;
import dev.tilewright.space.raster.Raster;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Estimates the time of a launch without walking its tiles: microseconds of work instead of the simulator's
 * milliseconds, from the same constants and the same model of a tile, so that thousands of configs can be ordered
 * before one is built.
 *
 * <p>Tiles run in waves, one on each SM, or as many as fit there. All full waves are alike; the last one has the L2 and
 * DRAM, and its SMs the tensor cores, for fewer tiles. What the waves read from DRAM follows from how many panels a
 * wave spans and which of them are still in L2 when the next wave or band wants them ({@link WaveTraffic}).
 */
public final class CostModel implements LaunchModel {

    /** The clock, the time and the energy depend on each other. */
    private static final int ROUNDS = 3;

    private static final double SCREEN_RUN_NS = 2e6;
    private static final int SCREEN_LAUNCHES = 5;
    /** Of the stored sweeps: three that count and the warm-up before them. */
    private static final int SCREEN_RUNS = 4;

    /** Bytes of an input at the rate that is listed. */
    private static final double WIDE_INPUT = 2;

    private static final double MOST_OF_A_LAUNCH = 0.5;

    private final GpuConstants gpu;
    private final PowerModel power;

    private CostModel(GpuConstants gpu) {
        this.gpu = gpu;
        this.power = new PowerModel(gpu.power());
    }

    /**
     * The model of one GPU.
     *
     * @throws IllegalArgumentException if its kernels are not of wgmma: waves of tensor memory are not modelled yet
     */
    public static CostModel of(GpuConstants gpu) {
        return new CostModel(gpu);
    }

    /** A parameter that the model does not know has no effect. */
    @Override
    public Cost settled(Problem problem, Config config) {
        return cost(problem, config, false);
    }

    @Override
    public Cost screened(Problem problem, Config config) {
        return cost(problem, config, true);
    }

    private Cost cost(Problem problem, Config config, boolean screen) {
        KernelCost kernel = KernelCost.of(config, gpu.architecture());
        double clockMhz = gpu.power().boostMhz();
        for (int round = 1; ; round++) {
            Launch launch = new Launch(gpu, kernel, problem, clockMhz);
            double ns = launch.ns();
            if (round == ROUNDS) {
                return new Cost(
                        ns,
                        clockMhz,
                        launch.readsOfL2(),
                        launch.dramBytes(),
                        limit(problem, launch, ns, clockMhz),
                        launch.smShare());
            }
            double settledMhz = power.sustainedMhz(
                    power.energy(problem.flops(), launch.l2Bytes(), launch.dramBytes()), ns, clockMhz);
            clockMhz = screen ? screenMhz(settledMhz, ns) : settledMhz;
        }
    }

    /** The largest of the times that tensor cores, L2 and memory would take alone, if it is most of the launch. */
    private Limit limit(Problem problem, Launch launch, double ns, double clockMhz) {
        double clkPerNs = clockMhz / 1e3;
        double rate = gpu.topology().smCount() * gpu.tensorCores().flopPerClk() * WIDE_INPUT / inputBytes(problem);
        double tensorNs = problem.flops() / (rate * clkPerNs);
        double l2Ns = launch.l2Bytes() / (gpu.memory().l2BytesPerClk() * clkPerNs);
        double dramNs = launch.dramBytes() / gpu.memory().dramBytesPerNs();
        if (Math.max(tensorNs, Math.max(l2Ns, dramNs)) < MOST_OF_A_LAUNCH * ns) {
            return Limit.LATENCY;
        }
        if (dramNs >= Math.max(tensorNs, l2Ns)) {
            return Limit.DRAM;
        }
        if (l2Ns > tensorNs) {
            return Limit.L2;
        }
        return clockMhz < gpu.power().boostMhz() ? Limit.POWER : Limit.TENSOR;
    }

    private static int inputBytes(Problem problem) {
        return Math.max(problem.types().a().bytes(), problem.types().b().bytes());
    }

    /** The mean of a clock that falls from the highest to the settled one while the screen runs. */
    private double screenMhz(double settledMhz, double launchNs) {
        double runMs = Math.max(SCREEN_RUN_NS, SCREEN_LAUNCHES * launchNs) / 1e6;
        double lags = SCREEN_RUNS * runMs / gpu.power().lagMs();
        return settledMhz + (gpu.power().boostMhz() - settledMhz) * (1 - StrictMath.exp(-lags)) / lags;
    }

    /** One launch at one clock. */
    private static final class Launch {
        private final GpuConstants gpu;
        private final KernelCost kernel;
        private final Problem problem;
        private final TileModel model;
        /** Clusters of a persistent grid, of which one of a size that was asked for may have more than are resident. */
        private final int launched;

        private final int slots;
        private final int together;
        /** Whether some clusters of a static grid start only when others end. No other cluster takes their tiles. */
        private final boolean late;

        private double l2Bytes;
        private double dramBytes;

        Launch(GpuConstants gpu, KernelCost kernel, Problem problem, double clockMhz) {
            this.gpu = gpu;
            this.kernel = kernel;
            this.problem = problem;
            this.model = new TileModel(gpu, kernel, problem, clockMhz);
            int size = kernel.cluster().size();
            int ctas = gpu.topology().smCount() - problem.scenario().busySms();
            int fit = kernel.residentCtas();
            int grid = kernel.schedule().launch().gridSize() > 0
                            && kernel.schedule().scheduler().residentGrid()
                    ? kernel.schedule().launch().gridSize()
                    : ctas * fit;
            this.slots = Math.max(1, Math.min(gpu.topology().residentClusters(size), Math.min(ctas, grid) / size));
            int most = Math.min(fit, Math.ceilDiv(grid, ctas));
            this.together = Math.clamp(Math.ceilDiv(clusterTiles(), slots), 1, most);
            int wanted = kernel.schedule().launch().gridSize() > 0
                    ? kernel.schedule().launch().gridSize() / size
                    : slots * fit;
            this.launched = Math.clamp(clusterTiles(), 1, Math.max(1, wanted));
            this.late = kernel.schedule().scheduler().fixed()
                    && launched > slots * most
                    && kernel.multiply().fittingCtas() <= most;
        }

        private long clusterTiles() {
            long tiles = 0;
            for (ProblemShape shape : problem.groups()) {
                tiles += (long) rows(shape) * columns(shape);
            }
            return tiles * problem.batch() * kernel.pieces();
        }

        private int rows(ProblemShape shape) {
            return Math.ceilDiv(
                    Math.ceilDiv(shape.m(), kernel.multiply().tileM()),
                    kernel.cluster().m());
        }

        private int columns(ProblemShape shape) {
            return Math.ceilDiv(
                    Math.ceilDiv(shape.n(), kernel.multiply().tileN()),
                    kernel.cluster().n());
        }

        double l2Bytes() {
            return l2Bytes;
        }

        double dramBytes() {
            return dramBytes;
        }

        /** Without what lies beyond the edges of the operands, which the waves have whole tiles of. */
        double readsOfL2() {
            double bytes = 0;
            for (ProblemShape shape : problem.groups()) {
                bytes += problem.batch()
                        * model.readsOfL2(shape, kernel.schedule().launch().raster(rows(shape), columns(shape)));
            }
            return bytes;
        }

        /** Tiles that are computed, of those that the SMs could compute in as many waves. */
        double smShare() {
            long tiles = clusterTiles();
            long wave = (long) slots * together;
            double ctas = (double) tiles * kernel.cluster().size();
            return ctas
                    / ((double) Math.ceilDiv(tiles, wave)
                            * together
                            * gpu.topology().smCount());
        }

        double ns() {
            List<Tiles> groups = problem.groups().stream().map(Tiles::new).toList();
            double ns = launchNs()
                    + groups.stream().mapToDouble(Tiles::edgeNs).max().orElseThrow();
            if (groups.size() == 1) {
                return ns + groups.getFirst().ns();
            }
            // Groups follow each other without a gap, and end within half of the longest tile.
            for (Tiles tiles : groups) {
                ns += tiles.count / ((double) slots * together) * tiles.waveNs(together, slots);
            }
            return ns
                    + groups.stream()
                                    .mapToDouble(tiles -> tiles.waveNs(1, slots))
                                    .max()
                                    .orElseThrow()
                            / 2;
        }

        private double launchNs() {
            GpuConstants.Overheads overheads = gpu.overheads();
            return overheads.launchNs(kernel.schedule().overlaps())
                    + (kernel.cluster().size() > 1 ? overheads.clusterLaunchNs() : 0);
        }

        /** The cluster tiles of one group, all alike. */
        private final class Tiles {
            private final long count;
            private final double blocks;
            private final TileModel.Traffic traffic;
            private final double tileDramBytes;
            private final double missShare;

            Tiles(ProblemShape shape) {
                Raster raster = kernel.schedule().launch().raster(rows(shape), columns(shape));
                this.count = (long) raster.tilesM() * raster.tilesN() * problem.batch() * kernel.pieces();
                // The largest piece is the last one.
                this.blocks = kernel.blocks(shape.k(), kernel.pieces() - 1);
                this.traffic =
                        model.wholeTile(shape, raster, blocks * kernel.load().tileK());
                WaveTraffic waves = WaveTraffic.of(
                        gpu.memory(),
                        problem,
                        raster,
                        traffic,
                        kernel.load().l2Hint(),
                        Math.min(count, (long) slots * together),
                        kernel.pieces(),
                        (double) shape.m() * shape.n() * problem.bytesAtAnElement(),
                        sums());
                this.tileDramBytes = waves.bytes() * problem.batch() / count;
                this.missShare = waves.missShare();
                l2Bytes += count * model.readsOfL2(traffic);
                dramBytes += count * tileDramBytes;
            }

            /** Bytes that the pieces of all tiles leave for each other. */
            private double sums() {
                long pieces = kernel.pieces() > 1 ? count : 0;
                return (double) pieces
                        * kernel.cluster().size()
                        * kernel.multiply().tileM()
                        * kernel.multiply().tileN()
                        * Float.BYTES;
            }

            double ns() {
                long wave = (long) slots * together;
                if (late) {
                    return tilesInARow(wave) * waveNs(together, slots);
                }
                long full = count / wave;
                long rest = count % wave;
                double ns = full == 0 ? 0 : firstWaveNs(together, slots) + (full - 1) * waveNs(together, slots);
                if (rest > 0) {
                    int sharing = (int) Math.ceilDiv(rest, slots);
                    double clusters = rest / (double) sharing;
                    ns += full == 0 ? firstWaveNs(sharing, clusters) : waveNs(sharing, clusters);
                }
                return ns;
            }

            /**
             * Tiles one behind the other where a static grid has more clusters than are resident: each of them has its
             * share, and the last ones begin when the first of the others have ended.
             */
            private double tilesInARow(long resident) {
                long share = count / launched;
                long longer = count % launched;
                PriorityQueue<Long> free = new PriorityQueue<>(Collections.nCopies((int) resident, 0L));
                long last = 0;
                for (int cluster = 0; cluster < launched; cluster++) {
                    long end = free.remove() + share + (cluster < longer ? 1 : 0);
                    last = Math.max(last, end);
                    free.add(end);
                }
                return last;
            }

            /** The visible time of the first loads, and of the last epilogue if the other epilogues are hidden. */
            double edgeNs() {
                double first = kernel.schedule().scheduler().residentGrid() ? model.latencyNs(missShare) : 0;
                return kernel.multiply().tilesInFlight() > 1 ? first + model.epilogueNs() : first;
            }

            /**
             * A wave of tiles.
             *
             * @param sharing CTAs on each SM
             * @param clusters at work beside each other, without those that share their SMs
             */
            double waveNs(int sharing, double clusters) {
                return waveNs(sharing, clusters, true);
            }

            /** Of tiles before which there is no epilogue behind which they could be loaded. */
            private double firstWaveNs(int sharing, double clusters) {
                return waveNs(sharing, clusters, false);
            }

            /** @param follows whether there was a tile before, behind whose epilogue these are loaded */
            private double waveNs(int sharing, double clusters, boolean follows) {
                double epilogueNs = model.epilogueNs();
                double running = clusters * sharing;
                double dramNs = tileDramBytes * running / gpu.memory().dramBytesPerNs();
                double mainloopNs = model.mainloopNs(
                        blocks,
                        traffic.smFill(),
                        new TileModel.Load(
                                traffic.l2() * running, dramNs, missShare, sharing, follows ? epilogueNs : 0));
                if (kernel.schedule().scheduler().dynamic()) {
                    return Math.max(tileNs(mainloopNs, epilogueNs, sharing) + model.handoffNs(), model.askNs());
                }
                if (kernel.schedule().scheduler().residentGrid()) {
                    return tileNs(mainloopNs, epilogueNs, sharing);
                }
                double startNs = gpu.overheads().ctaLaunchNs() + model.latencyNs(missShare);
                return Math.max(mainloopNs, mainloopNs / sharing + epilogueNs + startNs)
                        + (follows ? sharing * model.clusterTurnNs() : 0);
            }

            /**
             * @param mainloopNs of the tiles of all CTAs that share an SM, while each of them has its epilogue alone
             */
            private double tileNs(double mainloopNs, double epilogueNs, int sharing) {
                int teams = kernel.multiply().tilesInFlight();
                return Math.max(mainloopNs, (mainloopNs / sharing + epilogueNs) / teams);
            }
        }
    }
}
