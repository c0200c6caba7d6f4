package dev.tilewright.api.lease;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;

/** The protocol of the only trial of a job. */
class ScreenProtocolTest extends JobProtocolContract {

    @Override
    String submitted(Api api) {
        return api.submit("simulated:h200", "random", 1, "640x384x256");
    }

    @Override
    ScriptedWorker worker(Api api) {
        return ScriptedWorker.simulated(api);
    }

    @Override
    Report done(ScriptedWorker worker, Lease lease) {
        return worker.completed(lease, 1000);
    }

    @Override
    Report ofAnotherKind(Lease lease) {
        return new Report.Ran(lease.fence(), new GpuTaskResult.Failed("no task"));
    }
}
