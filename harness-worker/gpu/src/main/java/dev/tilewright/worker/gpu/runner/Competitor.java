package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.measure.Arm;
import dev.tilewright.worker.gpu.peer.PeerArm;
import dev.tilewright.worker.gpu.verify.Verifier.Verdict;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A kernel in a race, a final or a comparison: ours or a peer's, and what became of it. */
final class Competitor implements Arm {

    private final String name;
    private final @Nullable UUID trialId;
    private final int team;
    private final String family;
    private final Config config;
    private final Consumer<Competitor> atWork;
    private final List<String> log = new ArrayList<>();
    private @Nullable Arm arm;
    private TrialOutcome outcome = TrialOutcome.COMPLETED;
    private @Nullable Double errorRatio;

    private Competitor(
            String name,
            @Nullable UUID trialId,
            int team,
            String family,
            Config config,
            @Nullable Arm arm,
            Consumer<Competitor> atWork) {
        this.name = name;
        this.trialId = trialId;
        this.team = team;
        this.family = family;
        this.config = config;
        this.arm = arm;
        this.atWork = atWork;
    }

    /**
     * A kernel of ours, not yet loaded.
     *
     * @param atWork is told each time before it is launched
     */
    static Competitor ours(RunnerRequest.Entrant entrant, Consumer<Competitor> atWork) {
        return new Competitor(
                entrant.name(), entrant.trialId(), entrant.team(), entrant.family(), entrant.config(), null, atWork);
    }

    /** A peer's kernel, likewise. */
    static Competitor peer(PeerArm peer, Consumer<Competitor> atWork) {
        return new Competitor(
                peer.arm().name(),
                null,
                RunnerRequest.Entrant.NO_TEAM,
                peer.family(),
                peer.config(),
                peer.arm(),
                atWork);
    }

    /** Its kernel is loaded. */
    void bring(LoadedKernel loaded) {
        arm = loaded;
    }

    /** The kernel, if it is one of ours or a user's. */
    Optional<LoadedKernel> kernel() {
        return arm instanceof LoadedKernel kernel ? Optional.of(kernel) : Optional.empty();
    }

    /** Whether it takes part: loaded and not failed. */
    boolean isRunning() {
        return arm != null && outcome == TrialOutcome.COMPLETED;
    }

    boolean isOurs() {
        return team != RunnerRequest.Entrant.NO_TEAM;
    }

    int team() {
        return team;
    }

    void note(String line) {
        log.add(line);
    }

    void fail(TrialOutcome why, String line) {
        outcome = why;
        log.add(line);
    }

    /** The same that another failed by, unless it has failed itself. */
    void failAs(Competitor other) {
        if (isRunning()) {
            fail(other.outcome, other.name + ": " + String.join("\n", other.log));
        }
    }

    /** Takes note of a verdict on its output. */
    void judge(Verdict verdict, String when) {
        if (Double.isFinite(verdict.errorRatio())) {
            errorRatio = errorRatio == null ? verdict.errorRatio() : Math.max(errorRatio, verdict.errorRatio());
        }
        if (!verdict.passes()) {
            fail(TrialOutcome.MISMATCH, "result " + when + ": " + String.join("; ", verdict.complaints()));
        }
    }

    Report.Arm report(List<Measurement> measurements) {
        return new Report.Arm(
                name,
                trialId,
                family,
                config,
                outcome,
                errorRatio,
                outcome == TrialOutcome.COMPLETED ? List.copyOf(measurements) : List.of(),
                String.join("\n", log));
    }

    @Override
    public String name() {
        return name;
    }

    String family() {
        return family;
    }

    @Override
    public int sets() {
        return loaded().sets();
    }

    @Override
    public void enqueue(int set) {
        atWork.accept(this);
        loaded().enqueue(set);
    }

    @Override
    public int entriesPerLaunch() {
        return loaded().entriesPerLaunch();
    }

    private Arm loaded() {
        if (arm == null) {
            throw new IllegalStateException(name + " was not loaded");
        }
        return arm;
    }
}
