package dev.tilewright.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.ServeProcess;
import dev.tilewright.model.exchange.Lease;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service that is asked to stop loses nothing that workers hold. */
class ShutdownTest {

    private static final Map<String, String> ENVIRONMENT =
            Map.of("TILEWRIGHT_WORKER_TOKEN", RunningService.WORKER_TOKEN);

    @TempDir
    Path folder;

    /** SIGTERM, as a person at the keyboard, systemd and Kubernetes do. */
    private static String stop(ServeProcess serve) throws Exception {
        serve.process().destroy();
        assertThat(serve.process().onExit()).succeedsWithin(Duration.ofSeconds(30));
        assertThat(serve.process().exitValue()).isEqualTo(143);
        return serve.output();
    }

    @Test
    void aLeaseOutlivesTheServiceAndItsReportCountsOnce() throws Exception {
        ServeProcess first = ServeProcess.start(folder, ENVIRONMENT, "--port", "0", "--no-worker");
        Api api = new Api(first.url());
        String job = api.post("/api/v1/jobs", """
                {"problems":[{"m":640,"n":384,"k":256}],"strategy":"random","budget":{"trials":3},"device":"simulated:h200"}""").expect(202).get("id").asString();
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        List<Lease> leases = new ArrayList<>();
        Awaiting.until(() -> {
            leases.addAll(worker.lease(2 - leases.size()));
            return leases.size() == 2;
        });
        assertThat(stop(first)).contains("stopping: no request is taken any more; 2 leases stay live");

        // In the JVM of the tests a service starts faster.
        try (RunningService.Service next = RunningService.start(folder, Map.of())) {
            ScriptedWorker back = worker.at(next.api());
            leases.forEach(lease -> back.complete(lease, 1000));
            assertThat(next.api()
                            .result(job)
                            .get("studies")
                            .get(0)
                            .get("trials")
                            .valueStream()
                            .filter(trial -> trial.get("outcome").asString("").equals("completed"))
                            .map(trial -> trial.get("attempts").asInt()))
                    .containsExactly(1, 1);
        }
    }
}
