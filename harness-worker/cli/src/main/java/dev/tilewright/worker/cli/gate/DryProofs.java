package dev.tilewright.worker.cli.gate;

import dev.tilewright.bundle.BundleName;
import dev.tilewright.bundle.BundleSpace;
import dev.tilewright.bundle.RunShapes;
import dev.tilewright.emulator.hazard.AcceptedRules;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.bundle.BundleException;
import dev.tilewright.launch.bundle.HelperProgram;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Violation;
import dev.tilewright.proof.Proof;
import dev.tilewright.proof.Prover;
import dev.tilewright.proof.bundle.BundleCheck;
import dev.tilewright.proof.bundle.BundleProof;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.proof.file.CheckOptions;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.ConfigText;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.AskedSpace;
import dev.tilewright.space.family.FamilySpace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Proves kernels of a gate on the emulator, as a worker does it before it times them; each once. */
final class DryProofs {

    private static final int SEEDS = 2;
    private static final long FIRST_SEED = 1;
    private static final long STEP_LIMIT = 200_000_000;

    private final GemmFamilies families;
    private final FamilySpace usual;
    private final int sms;
    private final DryStore store;
    private final Map<List<Object>, Shown> known = new HashMap<>();

    /** The kinds of findings on a kernel without a GPU. */
    enum Kind {
        PROVED,
        /** Nothing is wrong, and nobody can tell more here. */
        UNKNOWN,
        REFUTED,
        /** A service would refuse the request. */
        WRONG
    }

    /**
     * The finding on one kernel.
     *
     * @param details the evidence, a line each
     */
    record Shown(Kind kind, String line, List<String> details) {
        Shown {
            details = List.copyOf(details);
        }

        private Shown(Kind kind, String line) {
            this(kind, line, List.of());
        }
    }

    /**
     * @param usual family of a config without one
     * @param sms of the GPU that the gate is for
     */
    DryProofs(GemmFamilies families, FamilySpace usual, int sms, DryStore store) {
        this.families = families;
        this.usual = usual;
        this.sms = sms;
        this.store = store;
    }

    /** @param accept rules that it may break */
    Shown of(GateKernel kernel, Problem problem, List<String> accept) {
        List<Object> key = List.of(kernel, problem, accept);
        Shown shown = known.get(key);
        if (shown == null) {
            shown = shown(
                    kernel,
                    problem,
                    new ProofPlan(Options.DEFAULT_SMS, FIRST_SEED, SEEDS, AcceptedRules.named(accept)));
            known.put(key, shown);
        }
        return shown;
    }

    private Shown shown(GateKernel kernel, Problem problem, ProofPlan plan) {
        if (kernel.peer() != null) {
            return new Shown(Kind.UNKNOWN, "is the vendor's: a GPU runs it");
        }
        if (kernel.best() != null) {
            return new Shown(Kind.UNKNOWN, "is the best config that the service knows when it is asked");
        }
        String family = Objects.requireNonNullElse(kernel.family(), usual.family());
        if (BundleName.parse(family).isPresent()) {
            return store.find(family)
                    .map(space -> ofBundle(space, kernel, problem, plan))
                    .orElseGet(() -> new Shown(Kind.UNKNOWN, "is a bundle that the service keeps"));
        }
        return ofFamily(kernel.family(), ConfigText.of(Families.standard(), words(kernel)), problem, plan);
    }

    private static String words(GateKernel kernel) {
        return kernel.config() == null ? "" : kernel.config().words();
    }

    private Shown ofBundle(BundleSpace space, GateKernel kernel, Problem problem, ProofPlan plan) {
        try {
            Optional<String> refusal = space.refusal(problem);
            if (refusal.isPresent()) {
                return new Shown(Kind.WRONG, refusal.get());
            }
            Config config = Config.parse(words(kernel));
            Optional<Violation> violation = space.bundle().violation(problem, sms, config);
            if (violation.isPresent()) {
                return new Shown(Kind.WRONG, "config: " + violation.get());
            }
            return proved(space, config, problem, plan);
        } catch (BundleException wrong) {
            return new Shown(Kind.WRONG, String.valueOf(wrong.getMessage()));
        }
    }

    private static Shown proved(BundleSpace space, Config config, Problem problem, ProofPlan plan) {
        List<Problem> runs = RunShapes.of(space, problem, config, plan.sms());
        if (runs.isEmpty()) {
            return new Shown(Kind.UNKNOWN, "takes no problem with these tails that is small enough to be emulated");
        }
        BundleCheck check = new BundleCheck(
                space.bundle(), HelperProgram.Runner.NONE, plan, new CheckOptions(STEP_LIMIT, (_, _, _, _) -> {}));
        BundleProof proof = check.check(config, List.of(runs.getFirst()));
        for (Problem deeper : runs.subList(1, runs.size())) {
            if (proof.word() != BundleProof.Word.SHALLOW) {
                break;
            }
            proof = check.check(config, List.of(deeper));
        }
        String ran = " at " + proof.shapes().getLast().problem().shapes() + ", " + plan.gpu() + ", " + plan.seedRange();
        List<String> evidence = proof.shapes().getLast().lines();
        return switch (proof.word()) {
            case PROVED -> new Shown(Kind.PROVED, "proved" + ran);
            case SHALLOW -> new Shown(Kind.UNKNOWN, "shallow: nothing wrong" + ran);
            case UNSUPPORTED -> new Shown(Kind.UNKNOWN, "the emulator cannot run it", evidence);
            case HAZARD, MISMATCH -> new Shown(Kind.REFUTED, proof.word() + ran, evidence);
        };
    }

    private Shown ofFamily(@Nullable String named, ConfigText text, Problem problem, ProofPlan plan) {
        String name;
        Config config;
        try {
            name = Objects.requireNonNullElse(text.family(named), usual.family());
            FamilySpace family = Families.standard().named(name);
            Optional<String> refusal = family.refusal(problem);
            if (refusal.isPresent()) {
                return new Shown(Kind.WRONG, refusal.get());
            }
            AskedSpace space = AskedSpace.of(family, problem, DeviceLimits.of(sms));
            config = space.read(text.words());
            Optional<Violation> violation = space.violation(config);
            if (violation.isPresent()) {
                return new Shown(Kind.WRONG, "config: " + violation.get());
            }
            if (family.isInstalled()) {
                return new Shown(Kind.UNKNOWN, "is not proved: " + FamilySpace.noText(name) + "; a GPU runs it");
            }
        } catch (IllegalArgumentException unknown) {
            return new Shown(Kind.WRONG, String.valueOf(unknown.getMessage()));
        }
        try {
            Proof proof = new Prover(families).prove(name, problem, config, plan);
            return switch (proof) {
                case Proof.Proved _ -> new Shown(Kind.PROVED, proof.summary());
                case Proof.Refuted _ -> new Shown(Kind.REFUTED, proof.summary(), proof.details());
                case Proof.Shallow _, Proof.Unsupported _ -> new Shown(Kind.UNKNOWN, proof.summary());
            };
        } catch (IllegalArgumentException tooFewSms) {
            return new Shown(Kind.UNKNOWN, "cannot be proved on " + plan.gpu() + ": " + tooFewSms.getMessage());
        }
    }
}
