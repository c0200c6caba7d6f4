package dev.tilewright.api.lease;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.ScriptedFinal;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.TrialOutcome;

/** The protocol of the final of a job, whose only trial a worker of its own has reported. */
class FinalProtocolTest extends JobProtocolContract {

    @Override
    String submitted(Api api) {
        String job = api.submit("cuda", "random", 1, "640x384x256");
        ScriptedWorker first = worker(api);
        first.complete(first.leaseOne(), 1000);
        return job;
    }

    @Override
    ScriptedWorker worker(Api api) {
        return ScriptedWorker.cuda(api, 0);
    }

    @Override
    Report done(ScriptedWorker worker, Lease lease) {
        return new ScriptedFinal(1000, 0).report(lease, (Work.Final) lease.work());
    }

    @Override
    Report ofAnotherKind(Lease lease) {
        return ScriptedWorker.failed(lease, TrialOutcome.TIMEOUT, "no trial");
    }
}
