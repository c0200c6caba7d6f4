package dev.tilewright.worker.agent.trial;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.exchange.BuiltKernel;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.agent.device.Device;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.device.PreparedTrial;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/**
 * A few kernels that are made while a GPU comes up, and two trials of them before the first lease: a JVM that has never
 * made a kernel nor run a trial takes many times as long for it, and so long the GPU of a study would wait. It is a
 * first check of the GPU too.
 */
public final class Rehearsal {

    private static final Logger LOG = System.getLogger(Rehearsal.class.getName());

    private static final Problem PROBLEM = Problem.of(new ProblemShape(4096, 4096, 4096), DataType.BF16);
    private static final DeviceLimits LIMITS = DeviceLimits.of(132);
    private static final int KERNELS = 8;
    private static final int TRIALS = 2;
    private static final long SEED = 1;

    private final GemmFamilies families;
    private final String family;
    private final KernelWorkshop workshop;
    private final CompletableFuture<List<Made>> made;

    /** A kernel of a config, and its traced twin, as soon as they are there. */
    record Made(Config config, CompletableFuture<Preparation> kernel) {}

    /**
     * Begins to make kernels, the anchor's first, and returns at once.
     *
     * @param family whose kernels the GPU runs
     * @param builders threads on which configs are drawn
     */
    public Rehearsal(GemmFamilies families, String family, KernelWorkshop workshop, Executor builders) {
        this.families = families;
        this.family = family;
        this.workshop = workshop;
        this.made = CompletableFuture.supplyAsync(this::make, builders);
    }

    private List<Made> make() {
        FamilySpace known = families.spaces().named(family);
        SpaceTree space = SpaceTree.of(known.space(PROBLEM, LIMITS).usual(Map.of()));
        SplittableRandom random = new SplittableRandom(SEED);
        Stream<Config> some = Stream.generate(() -> space.draw(random)).limit(KERNELS);
        return Stream.concat(known.anchor(space).stream(), some)
                .map(config ->
                        new Made(config, workshop.prepare(new BuiltKernel(family, config), PROBLEM, LIMITS, true)))
                .toList();
    }

    /** The kernels that a rehearsal makes. */
    List<Made> made() {
        return made.join();
    }

    /**
     * Runs the trials on a GPU that is up. What goes wrong is said in the log, and for the trials of studies to meet.
     */
    public void on(Device device) {
        try {
            List<PreparedTrial> trials = trials();
            device.expect(PROBLEM, SEED);
            for (int at = 0; at < trials.size(); at++) {
                PreparedTrial next = at + 1 < trials.size() ? trials.get(at + 1) : null;
                TrialResult result = device.run(trials.get(at), next);
                if (result.outcome() != TrialOutcome.COMPLETED) {
                    LOG.log(
                            Level.WARNING,
                            device.label() + ": a trial before the first lease ended " + result.outcome() + ": "
                                    + result.log());
                }
            }
        } catch (DeviceUnusableException outOfOrder) {
            LOG.log(Level.WARNING, device.label() + " is out of order: " + outOfOrder.getMessage());
        } catch (RuntimeException bug) {
            LOG.log(Level.WARNING, device.label() + ": nothing could be rehearsed", bug);
        }
    }

    private List<PreparedTrial> trials() {
        Made anchor = made().getFirst();
        if (!(anchor.kernel().join() instanceof Preparation.Ready beside)) {
            return List.of();
        }
        return made().stream()
                .skip(1)
                .flatMap(one -> one.kernel().join() instanceof Preparation.Ready ready
                        ? Stream.of(new PreparedTrial(
                                family,
                                PROBLEM,
                                one.config(),
                                ready.kernel(),
                                ready.traced(),
                                beside.kernel(),
                                SEED,
                                List.of()))
                        : Stream.of())
                .limit(TRIALS)
                .toList();
    }
}
