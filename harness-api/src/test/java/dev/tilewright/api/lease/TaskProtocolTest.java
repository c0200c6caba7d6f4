package dev.tilewright.api.lease;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.ScriptedComparison;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.trial.TrialOutcome;

/** The protocol of the task of a comparison. */
class TaskProtocolTest extends WorkProtocolContract {

    @Override
    String submitted(Api api) {
        return ScriptedComparison.submit(api);
    }

    @Override
    ScriptedWorker worker(Api api) {
        return ScriptedWorker.cuda(api, 0);
    }

    @Override
    Report done(ScriptedWorker worker, Lease lease) {
        return ScriptedComparison.faster(lease);
    }

    @Override
    Report ofAnotherKind(Lease lease) {
        return ScriptedWorker.failed(lease, TrialOutcome.TIMEOUT, "no trial");
    }

    @Override
    String path() {
        return ScriptedComparison.PATH;
    }
}
