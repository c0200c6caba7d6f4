package dev.tilewright.api.gate;

import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A GPU on which each config takes its time, in every question that it is asked.
 *
 * @param family of the configs
 */
record TuningGpu(ScriptedWorker worker, String family, ToDoubleFunction<Config> ns) {

    /** What a kernel of the vendor takes. */
    static final double PEER_NS = 100_000;

    Report answer(Lease lease) {
        return switch (lease.work()) {
            case Work.Screen screen -> worker.completed(lease, ns.applyAsDouble(screen.config()));
            case Work.Final race -> finished(lease, race);
            case Work.Run run -> new Report.Ran(lease.fence(), compared((GpuTask.Compare) run.task()));
        };
    }

    private Compared compared(GpuTask.Compare task) {
        return task.measureEqual()
                ? GateAnswers.asAsked(task)
                : GateAnswers.slower(task, 100 * (ns(task.first()) / ns(task.second()) - 1));
    }

    private double ns(GpuTask.Side side) {
        return side instanceof GpuTask.Side.Own own ? ns.applyAsDouble(own.config()) : PEER_NS;
    }

    private Report.Finished finished(Lease lease, Work.Final race) {
        List<Report.Arm> arms = race.contenders().stream()
                .map(one -> new Report.Arm(
                        one.trialId().toString(),
                        one.trialId(),
                        family,
                        one.config(),
                        TrialOutcome.COMPLETED,
                        0.5,
                        List.of(ScriptedWorker.measurement(
                                lease, Mode.SUSTAINED, Stage.FINAL, ns.applyAsDouble(one.config()), true)),
                        ""))
                .toList();
        return new Report.Finished(lease.fence(), new FinalResult(arms, List.of(), List.of(), List.of(), ""));
    }

    /** Answers one thing that the service asks for; false if there is none. */
    boolean step(GateScript gate) {
        gate.look();
        List<Lease> leases = worker.lease(1);
        leases.forEach(lease -> worker.report(lease, answer(lease)).taken());
        gate.look();
        return !leases.isEmpty();
    }
}
