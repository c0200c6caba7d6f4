package dev.tilewright.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Work;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who races for the final where the screens alone do not say. */
@ExtendWith(RunningService.class)
class ContendersTest {

    /** One tile in bands along M, with each hint; B passes through while the band of A is wanted again and again. */
    private static final String JOB = """
            {"problems":[{"m":5000,"n":6000,"k":5056}],"family":"sm90-gemm","strategy":"exhaustive","device":"cuda",
            "schedulers":["static"],"parameters":{"l2Hint":["none","keepA","keepB"],"mode":["pingpong"],"tileM":[128],
            "tileN":[152],"tileK":[64],"consumers":[2],"loadStages":[5],"clusterM":[1],"clusterN":[1],
            "rasterOrder":["groupedM"],"rasterGroup":[16],"registers":[232],"swizzle":[128],"epilogueN":[32],
            "epilogueStages":[2],"waitDepth":[1],"gridSize":[0],"splitK":[1],"streamK":["none"],"ctasPerSm":[1],
            "multicast":["none"],"tileLocation":["raster"]}}""";

    @Test
    void ofEqualScreensTheOneThatDrawsLeastIsFirst(Api api) {
        api.post("/api/v1/jobs", JOB).expect(202);
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        List<Lease> leases = worker.lease(1);
        while (leases.getFirst().work() instanceof Work.Screen) {
            worker.report(leases.getFirst(), worker.completed(leases.getFirst(), 400_000))
                    .taken();
            leases = worker.lease(1);
        }
        Work.Final last = (Work.Final) leases.getFirst().work();
        assertThat(last.contenders()).hasSize(3);
        assertThat(last.contenders().getFirst().config().name("l2Hint")).isEqualTo("keepA");
    }
}
