package dev.tilewright.api.drawn;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.ReportBatch;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.simulator.CostModel;
import dev.tilewright.simulator.GpuConstants;
import dev.tilewright.simulator.Simulator;
import dev.tilewright.space.device.LaunchModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * A worker double that builds nothing: it answers at once what the cost model of a GPU predicts, give or take 2 % so
 * that there is something to learn. One config of thirty-two spills.
 */
record PredictingWorker(ScriptedWorker worker, LaunchModel model) {

    private static final double ERROR = 0.02;
    private static final int ONE_SPILLS_OF = 32;

    static PredictingWorker of(Api api, GpuConstants gpu) {
        ScriptedWorker worker = new ScriptedWorker(
                api,
                UUID.randomUUID(),
                "simulated:" + gpu.name(),
                Simulator.of(gpu).testbed());
        return new PredictingWorker(worker.register(), CostModel.of(gpu));
    }

    List<Lease> lease(int most) {
        return worker.leaseNow(most);
    }

    static Config config(Lease lease) {
        return ((Work.Screen) lease.work()).config();
    }

    void report(List<Lease> leases) {
        List<ReportBatch.LeaseReport> reports = new ArrayList<>();
        leases.forEach(lease -> reports.add(new ReportBatch.LeaseReport(lease.leaseId(), answer(lease))));
        new ScriptedWorker.Reported(worker.report(reports)).taken();
    }

    private Report answer(Lease lease) {
        Config config = config(lease);
        SplittableRandom random = new SplittableRandom(config.canonical().hashCode());
        if (random.nextInt(ONE_SPILLS_OF) == 0) {
            return ScriptedWorker.failed(lease, TrialOutcome.SPILL, "12 bytes");
        }
        double ns;
        try {
            ns = model.settled(lease.problem(), config).ns() * (1 + ERROR * random.nextGaussian());
        } catch (IllegalArgumentException beyondTheModel) {
            return ScriptedWorker.failed(lease, TrialOutcome.LAUNCH, String.valueOf(beyondTheModel.getMessage()));
        }
        Measurement screen = new Measurement(Mode.SUSTAINED, Stage.SCREEN, 1, 1, ns, null, null, null);
        return new Report.Screened(
                lease.fence(),
                new TrialResult(TrialOutcome.COMPLETED, null, null, null, List.of(screen), null, null, Map.of(), ""));
    }
}
