package dev.tilewright.simulator;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import java.util.Locale;

/**
 * Predicts launches on one GPU. Without state: the same problem, config and seed give the same run, on every machine.
 *
 * <p>The clock depends on the power, the power on the duration, the duration on the clock: the launch is run again at
 * the clock that its energy allows until the clock stays.
 */
public final class Simulator {

    /** Seed of a job that names none, and so of what is predicted before there is a job. */
    public static final long USUAL_SEED = 1;

    private static final int MAX_ROUNDS = 6;
    private static final double CLOCK_TOLERANCE_MHZ = 2;

    private final GpuConstants gpu;
    private final PowerModel power;

    private Simulator(GpuConstants gpu) {
        this.gpu = gpu;
        this.power = new PowerModel(gpu.power());
    }

    public static Simulator of(GpuConstants gpu) {
        return new Simulator(gpu);
    }

    /** The testbed of its numbers: of kind {@code simulated}, and never compared with others. */
    public Testbed testbed() {
        String clocks = String.format(
                Locale.ROOT,
                "modelled: boost %.0f MHz, limit %.0f W",
                gpu.power().boostMhz(),
                gpu.power().limitWatt());
        return new Testbed(
                TestbedKind.SIMULATED,
                gpu.name(),
                gpu.version(),
                "none",
                gpu.topology().smCount(),
                clocks);
    }

    /** Predicts one launch under the usual conditions. */
    public SimulatedRun run(Problem problem, Config config, long seed) {
        return run(problem, config, Conditions.USUAL, seed);
    }

    /**
     * Predicts one launch.
     *
     * @param config of the family of the GPU, with its launch parameters
     * @param seed of the small lengthening of each tile and SM
     * @throws IllegalArgumentException naming a value that the model cannot take, and the rule
     */
    public SimulatedRun run(Problem problem, Config config, Conditions conditions, long seed) {
        KernelCost kernel = KernelCost.of(config, gpu.architecture());
        TiledProblem tiled = TiledProblem.of(problem, kernel);
        Placement placement = Placement.of(gpu.topology(), kernel, problem.scenario(), tiled.clusterTiles());
        double clockMhz = gpu.power().boostMhz();
        for (int round = 1; ; round++) {
            GridRun.Outcome outcome =
                    new GridRun(gpu, kernel, problem, tiled, placement, conditions, clockMhz, seed).run();
            double timeNs = gpu.overheads().launchNs(kernel.schedule().overlaps()) + outcome.endNs();
            PowerModel.Energy energy = power.energy(problem.flops(), outcome.l2Bytes(), outcome.dramBytes());
            double sustainedMhz = power.sustainedMhz(energy, timeNs, clockMhz);
            if (round == MAX_ROUNDS || Math.abs(sustainedMhz - clockMhz) <= CLOCK_TOLERANCE_MHZ) {
                SpanLog log = SpanLog.of(
                        kernel,
                        tiled,
                        gpu.topology().smCount(),
                        conditions.heldSms(problem.scenario()),
                        outcome.tiles());
                return new SimulatedRun(
                        timeNs,
                        problem.tflops(timeNs),
                        clockMhz,
                        power.watt(energy, timeNs, clockMhz),
                        outcome.l2Bytes(),
                        outcome.dramBytes(),
                        log.firstStartNs(),
                        new Executed(
                                placement.launched() * kernel.cluster().size(),
                                kernel.cluster().size(),
                                kernel.multiply().threads()),
                        log.evidence(),
                        DynamicLog.of(kernel.schedule().scheduler(), outcome),
                        log.spans());
            }
            clockMhz = sustainedMhz;
        }
    }
}
