package dev.tilewright.worker.cli;

import dev.tilewright.emulator.hazard.AcceptedRules;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.proof.file.CheckOptions;
import dev.tilewright.proof.file.CheckProgress;
import dev.tilewright.worker.link.command.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a proof on the emulated GPU is made, whatever is proved. */
public final class ProofOptions {

    private static final long ENDLESS = 300_000_000L;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "First seed of data and order of events, and seed of what is drawn (default:"
                    + " ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "Runs of each kernel at each shape, each by a seed of its own (default: ${DEFAULT-VALUE}).")
    private int seeds = ProofPlan.DEFAULT_SEEDS;

    @Option(names = "--sms", paramLabel = "N", description = "SMs of the emulated GPU (default: ${DEFAULT-VALUE}).")
    private int sms = Options.DEFAULT_SMS;

    @Option(
            names = "--steps",
            paramLabel = "N",
            description = "A run of a user's kernel counts as endless after so many warp instructions (default: "
                    + ENDLESS + ").")
    private @Nullable Long steps;

    @Option(
            names = "--accept",
            paramLabel = "RULE[,RULE]",
            split = ",",
            splitSynopsisLabel = ",",
            description = "Rules that a kernel may break, or vendor-idioms for those that NVIDIA's own kernels break."
                    + " See docs/emulator/rules.md.")
    private List<String> accepted = new ArrayList<>();

    /** The runs that are asked for. */
    public ProofPlan plan() {
        Syntax.requirePositive("--seeds", seeds);
        Syntax.requirePositive("--sms", sms);
        Syntax.requirePositive("--steps", steps);
        Set<Rule> mayBreak = Syntax.read("--accept", "", _ -> AcceptedRules.named(accepted));
        return Syntax.read("--seed", Long.toString(seed), text -> new ProofPlan(sms, seed, seeds, mayBreak));
    }

    /** How each run goes. */
    public CheckOptions run(CheckProgress progress) {
        return new CheckOptions(steps == null ? ENDLESS : steps, progress);
    }

    /** Whether a limit is given, which our own kernels do not take. */
    boolean limitsSteps() {
        return steps != null;
    }
}
