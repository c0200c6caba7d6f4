package dev.tilewright.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.gate.GateAnswers;
import dev.tilewright.api.gate.GateScript;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedFinal;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.TrialOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The way of a tuned winner through one service: exported as a bundle, then given to every verb that takes bundles. The
 * service takes no cubins, as by default. The program is the one that was built; the GPU answers from a script.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ExportedWinnerIT {

    private static final String SHAPE = "456x328x104";

    @TempDir
    private Path folder;

    @Test
    void everyVerbTakesTheExportAsItComes() throws Exception {
        try (Service service =
                RunningService.start(Map.of("db-scheduler.enabled", "false", "tilewright.bundle.cubins", "false"))) {
            GateScript gpu = new GateScript(service.api(), service);
            ScriptedWorker worker = ScriptedWorker.cuda(service.api(), 0);
            tune(service.api(), worker);

            assertThat(run(gpu, worker, "export", "--best", "--shape", SHAPE, "--format", "bundle", "--to", "winner"))
                    .as(said())
                    .isZero();
            assertThat(files("winner")).containsExactly("gemm_456x328x104.ptx", "kernel.yaml");
            assertThat(run(gpu, worker, "bundle", "push", "winner")).as(said()).isZero();
            assertThat(said()).startsWith("bundle:gemm-456x328x104@");
            assertThat(run(gpu, worker, "compare", "winner", "cublaslt", "--shape", SHAPE))
                    .as(said())
                    .isZero();
            assertThat(said()).contains("same: they differ by less than 0.5 %");

            Files.writeString(folder.resolve("tilewright.yaml"), """
                    gate: winner
                    baseline: {kernel: vendor}
                    kernels: {ours: {bundle: winner}, vendor: {peer: cublaslt}}
                    problems: {only: %s}
                    """.formatted(SHAPE));
            commit();
            assertThat(run(gpu, worker, "gate")).as(said()).isZero();
            assertThat(said()).contains("pass");
            assertThat(service.api().get("/api/v1/bundles").expect(200).get("items"))
                    .as("the same bundle each time")
                    .hasSize(1);
        }
    }

    /** Three configs of our family; the first is the winner. */
    private static void tune(Api api, ScriptedWorker worker) {
        String job = api.post("/api/v1/jobs", """
                        {"problems":[{"m":456,"n":328,"k":104}],"family":"sm90-gemm","schedulers":["static"],
                        "strategy":"random","budget":{"trials":3,"finalists":1},"device":"cuda:0"}""").expect(202).get("id").asString();
        worker.workOff((lease, done) -> switch (lease.work()) {
            case Work.Screen _ -> screened(worker, lease, 1000 + 50 * done);
            case Work.Final race -> new ScriptedFinal(1000, 0).report(lease, race);
            case Work.Run run -> throw new AssertionError(run);
        });
        assertThat(api.get("/api/v1/jobs/" + job).expect(200).get("state").asString())
                .isEqualTo("finished");
    }

    /** Without the hash of a text, which this GPU never saw: the export builds the text of the config. */
    private static Report screened(ScriptedWorker worker, Lease lease, double ns) {
        TrialResult all = worker.completed(lease, ns).result();
        return new Report.Screened(
                lease.fence(),
                new TrialResult(
                        TrialOutcome.COMPLETED,
                        all.errorRatio(),
                        null,
                        all.executed(),
                        all.measurements(),
                        all.evidence(),
                        null,
                        all.timesNs(),
                        ""));
    }

    private void commit() throws IOException, InterruptedException {
        String script = "git init -q && git add tilewright.yaml winner"
                + " && git -c user.name=ann -c user.email=a@example.org commit -qm gate";
        Process process = new ProcessBuilder("bash", "-e", "-c", script)
                .directory(folder.toFile())
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
    }

    private List<String> files(String name) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve(name))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** Runs a verb in a fresh process, while the service moves gates on and the GPU answers; returns its exit code. */
    private int run(GateScript gpu, ScriptedWorker worker, String... verb) throws Exception {
        String launcher = Objects.requireNonNull(
                System.getProperty("tilewright.launcher.path"),
                "-Dtilewright.launcher.path names the launcher to test");
        List<String> command = Stream.of(
                        Stream.of(launcher),
                        Stream.of(verb),
                        Stream.of("--api", gpu.api().uri("/").toString()))
                .flatMap(words -> words)
                .toList();
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.redirectErrorStream(true).redirectOutput(log().toFile());
        builder.environment().putAll(Map.of("HOME", folder + "/home", "TILEWRIGHT_NO_BUILD", "1"));
        Process process = builder.start();
        while (process.isAlive()) {
            gpu.workOff(worker, GateAnswers::asAsked);
            process.waitFor(100, TimeUnit.MILLISECONDS);
        }
        return process.exitValue();
    }

    private Path log() {
        return folder.resolve("log");
    }

    private String said() throws IOException {
        return Files.readString(log());
    }
}
