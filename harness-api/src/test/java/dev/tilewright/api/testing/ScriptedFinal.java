package dev.tilewright.api.testing;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A final whose times are written down beforehand.
 *
 * @param firstNs time of the first contender
 * @param stepNs so much longer takes each further one
 * @param slowerBy part of its speed that each contender has lost
 */
public record ScriptedFinal(double firstNs, double stepNs, double slowerBy) {

    private static final Config DEFAULT = Config.of(Map.of("algorithm", ParameterValue.of(0)));
    private static final double DEFAULT_NS = 1300;

    /** Each further contender takes 1 ns longer. */
    public ScriptedFinal(double firstNs, double slowerBy) {
        this(firstNs, 1, slowerBy);
    }

    /** The report of all contenders, and of the vendor's default beside the finalists. */
    public Report.Finished report(Lease lease, Work.Final race) {
        List<Report.Arm> arms = new ArrayList<>();
        List<Report.ArmRatio> ratios = new ArrayList<>();
        for (Work.Contender one : race.contenders()) {
            boolean last = arms.size() < race.finalists();
            double ns = (firstNs + stepNs * arms.size()) / (1 - slowerBy);
            arms.add(new Report.Arm(
                    one.trialId().toString(),
                    one.trialId(),
                    lease.family(),
                    one.config(),
                    TrialOutcome.COMPLETED,
                    0.5,
                    List.of(ScriptedWorker.measurement(
                            lease, Mode.SUSTAINED, last ? Stage.FINAL : Stage.CONTEND, ns, true)),
                    ""));
            if (last) {
                ratios.add(new Report.ArmRatio(
                        one.trialId().toString(),
                        "default",
                        Mode.SUSTAINED,
                        new Ratio(DEFAULT_NS / ns, 0.99 * DEFAULT_NS / ns, 1.01 * DEFAULT_NS / ns, 5)));
            }
        }
        arms.add(new Report.Arm(
                "default",
                null,
                "cublaslt",
                DEFAULT,
                TrialOutcome.COMPLETED,
                0.5,
                List.of(ScriptedWorker.measurement(lease, Mode.SUSTAINED, Stage.FINAL, DEFAULT_NS, true)),
                ""));
        return new Report.Finished(lease.fence(), new FinalResult(arms, ratios, List.of(), List.of(), ""));
    }
}
