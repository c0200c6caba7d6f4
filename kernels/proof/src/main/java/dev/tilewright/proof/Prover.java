package dev.tilewright.proof;

import dev.tilewright.emulator.run.UnsupportedKernelException;
import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.ptx.parse.PtxParseException;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.Blocking;
import dev.tilewright.space.parameter.Scheduler;

/**
 * Proves one config of a family: builds its kernel, reads the text back, and runs it on the emulator with every seed of
 * the plan, then its traced twin for the walk over the tiles. Holds nothing between proofs and may be used by several
 * threads.
 */
public final class Prover {

    private final GemmFamilies families;

    public Prover(GemmFamilies families) {
        this.families = families;
    }

    /**
     * Proves a config, or says why not.
     *
     * @param asked any that the family computes, however large; see {@link Subject#run()} for what is run. SMs that are
     *     held do not matter: a kernel that is held up by others has the same text and the same launch
     * @throws IllegalArgumentException if there is no such family, it does not compute the problem, or the config
     *     breaks a rule on a GPU with the SMs of the plan; the message names value and rule
     */
    public Proof prove(String family, Problem asked, Config config, ProofPlan plan) {
        return prove(family, asked, config, plan, Witness.NONE);
    }

    /** The same before a witness. */
    public Proof prove(String family, Problem asked, Config config, ProofPlan plan, Witness witness) {
        Problem problem = asked.beside(asked.scenario().withAllSms());
        GemmFamily gemm = families.named(family);
        DeviceLimits limits = DeviceLimits.of(plan.sms());
        requireValid(gemm, problem, config, limits);
        GemmKernel kernel = gemm.build(config, false);
        Blocking blocking = gemm.space().blocking(config);
        Problem run = new ProofShape(problem, config, blocking, kernel, limits).problem();
        Subject subject = new Subject(family, problem, run, config, plan, Sha256.hex(kernel.text()));
        GemmKernel twin = gemm.build(config, true);
        try {
            return new SeedRuns(
                            subject,
                            blocking,
                            new EmulatedGemm(kernel, kernel.launch(run, limits, config)),
                            new EmulatedGemm(twin, twin.launch(run, limits, config)),
                            witness)
                    .proof();
        } catch (UnsupportedKernelException unknown) {
            return new Proof.Unsupported(subject, unknown.instructions());
        } catch (PtxParseException unreadable) {
            return new Proof.Unsupported(
                    subject,
                    unreadable.problems().stream().map(Object::toString).toList());
        }
    }

    /** A value that the space does not list can be built and proved too; a rule that is broken cannot. */
    private static void requireValid(GemmFamily family, Problem problem, Config config, DeviceLimits limits) {
        family.space().refusal(problem).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        family.space().kernels(problem, limits).broken(config).ifPresent(violation -> {
            throw new IllegalArgumentException(violation.toString());
        });
    }

    /**
     * Whether clusters ask the hardware for those that were not launched yet: then it matters how those come to run.
     */
    static boolean cancels(Config config) {
        return Scheduler.KEY.of(config) == Scheduler.CLC;
    }

    /** Whether a cluster takes tile after tile; under the scheduler {@code single} it has one by design. */
    static boolean isPersistent(Config config) {
        return Scheduler.KEY.of(config) != Scheduler.SINGLE;
    }
}
