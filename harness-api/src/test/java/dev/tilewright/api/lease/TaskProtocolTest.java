package dev.tilewright.api.lease;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.List;

/** The protocol of the task of a comparison. */
class TaskProtocolTest extends WorkProtocolContract {

    private static final String PATH = "/api/v1/comparisons";

    @Override
    String submitted(Api api) {
        return api.post(PATH, """
                        {"problem":{"m":640,"n":384,"k":256},
                         "first":{"family":"toy","config":{"scheduler":"static","tileM":128,"tileN":64,"rasterGroup":1}},
                         "second":{"peer":"cublaslt","algorithm":"3"}}""").expect(202).get("id").asString();
    }

    @Override
    ScriptedWorker worker(Api api) {
        return ScriptedWorker.cuda(api, 0);
    }

    @Override
    Report done(ScriptedWorker worker, Lease lease) {
        return new Report.Ran(
                lease.fence(),
                new GpuTaskResult.Compared(
                        GpuTaskResult.CompareVerdict.FASTER,
                        new Ratio(1.02, 1.01, 1.03, 20),
                        new GpuTaskResult.ComparedSide("first", TrialOutcome.COMPLETED, 0.2, ""),
                        new GpuTaskResult.ComparedSide("cublaslt algorithm=3", TrialOutcome.COMPLETED, 0.3, ""),
                        List.of(),
                        List.of(),
                        "calm"));
    }

    @Override
    Report ofAnotherKind(Lease lease) {
        return ScriptedWorker.failed(lease, TrialOutcome.TIMEOUT, "no trial");
    }

    @Override
    String path() {
        return PATH;
    }
}
