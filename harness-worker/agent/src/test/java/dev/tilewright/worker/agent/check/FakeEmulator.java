package dev.tilewright.worker.agent.check;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.Verdict;
import dev.tilewright.worker.agent.device.FixedDevice;
import dev.tilewright.worker.agent.device.PreparedFinal;
import dev.tilewright.worker.agent.device.PreparedTrial;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** An emulated device whose verdicts are written down beforehand. */
public final class FakeEmulator extends FixedDevice {

    public static final String BUILD = Sha256.hex("the build of an emulator");

    private final Function<PreparedTrial, TrialResult> answers;
    private final List<PreparedTrial> seen = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    public FakeEmulator(Function<PreparedTrial, TrialResult> answers) {
        super("emulated", new Testbed(TestbedKind.EMULATED, "emulator", "build 1", "fake 1.0", 4, "no clock"));
        this.answers = answers;
    }

    /** Says this of every text. */
    public static FakeEmulator saying(Verdict verdict) {
        return new FakeEmulator(trial -> result(checked(verdict)));
    }

    public static Checked checked(Verdict verdict) {
        TrialOutcome outcome = switch (verdict) {
            case PROVED -> TrialOutcome.COMPLETED;
            case REFUTED -> TrialOutcome.HAZARD;
            case SHALLOW -> TrialOutcome.PRUNED;
            case UNSUPPORTED -> TrialOutcome.UNASSEMBLED;
        };
        return new Checked(
                verdict,
                outcome,
                new ProblemShape(2048, 1024, 768),
                new ProblemShape(640, 384, 256),
                4,
                1,
                3,
                1000,
                0.5,
                BUILD,
                false,
                "finding: " + verdict);
    }

    public static TrialResult result(Checked checked) {
        return new TrialResult(
                checked.outcome(),
                checked.errorRatio(),
                new Executed(4, 1, 384),
                List.of(),
                new SchedulerEvidence(List.of(3, 3, 4, 3), List.of(), List.of(), null, null),
                checked,
                Map.of("verify", 7L),
                "emulated: " + checked.finding());
    }

    /** What it was asked, in order. */
    public List<PreparedTrial> seen() {
        return List.copyOf(seen);
    }

    public boolean isClosed() {
        return closed;
    }

    @Override
    public TrialResult run(PreparedTrial trial) {
        seen.add(trial);
        return answers.apply(trial);
    }

    @Override
    public FinalResult runFinal(PreparedFinal work, Runnable raced) {
        throw new IllegalStateException("an emulated device is asked for no final");
    }

    @Override
    public void close() {
        closed = true;
    }
}
