package dev.tilewright.api.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.KernelFiles;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.model.trial.Compilation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RunningService.class)
class KernelTest {

    private static final String TEXT = ".version 8.0 // ü";
    private static final String CUBIN = "a cubin";
    private static final String LAUNCH = "{\"grid\":132}";

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static KernelFiles files(String ptx, String cubin, String launch) {
        return KernelFiles.packed(bytes(ptx), bytes(cubin), bytes(launch)).orElseThrow();
    }

    private static Report.Screened of(ScriptedWorker worker, Lease lease, KernelFiles files) {
        Report.Screened report = worker.completed(lease, 1e6);
        TrialResult said = report.result();
        return new Report.Screened(
                report.fence(),
                new TrialResult(
                        said.outcome(),
                        said.errorRatio(),
                        new Compilation(168, 0, 200_000, Sha256.hex(TEXT), Sha256.hex(CUBIN)),
                        said.executed(),
                        said.measurements(),
                        said.evidence(),
                        said.checked(),
                        said.timesNs(),
                        said.log()),
                files);
    }

    private static ScriptedWorker worker(Api api) {
        api.submit("simulated:h200", "random", 12, "640x384x256");
        return ScriptedWorker.simulated(api);
    }

    private static UUID trial(Lease lease) {
        return ((Work.Screen) lease.work()).trialId();
    }

    @Test
    void filesAreStoredOnceAndServedForEachTrial(Api api, Service service) {
        ScriptedWorker worker = worker(api);
        Lease first = worker.leaseOne();
        Lease second = worker.leaseOne();
        worker.report(first, of(worker, first, files(TEXT, CUBIN, LAUNCH))).taken();
        worker.report(second, of(worker, second, files(TEXT, CUBIN, "{}"))).taken();

        for (Lease lease : List.of(first, second)) {
            Api.Answer ptx = api.get("/api/v1/trials/" + trial(lease) + "/ptx");
            assertThat(ptx.text()).isEqualTo(TEXT);
            assertThat(ptx.header("content-type")).isEqualTo("text/plain;charset=UTF-8");
            assertThat(ptx.header("x-content-type-options")).isEqualTo("nosniff");
            Api.Answer cubin = api.get("/api/v1/trials/" + trial(lease) + "/cubin");
            assertThat(cubin.text()).isEqualTo(CUBIN);
            assertThat(cubin.header("content-type")).isEqualTo("application/octet-stream");
        }
        assertThat(api.get("/api/v1/trials/" + trial(first) + "/launch")
                        .expect(200)
                        .toString())
                .isEqualTo(LAUNCH);
        assertThat(api.get("/api/v1/trials/" + trial(second) + "/launch")
                        .expect(200)
                        .toString())
                .isEqualTo("{}");
        String page = api.get("/trials/" + trial(first)).text();
        Map.of("kernel.ptx", TEXT, "kernel.cubin", CUBIN, "launch.json", LAUNCH).forEach((name, content) -> {
            String path = "/trials/" + trial(first) + "/" + name;
            assertThat(page).contains("href=\"" + path + "\"");
            Api.Answer file = api.get(path);
            assertThat(file.text()).isEqualTo(content);
            assertThat(file.header("content-disposition"))
                    .startsWith("attachment; filename=\"trial-" + trial(first) + ".");
            assertThat(file.header("x-content-type-options")).isEqualTo("nosniff");
        });
        assertThat(service.jdbc()
                        .sql("select count(*) from kernel_file")
                        .query(Integer.class)
                        .single())
                .isEqualTo(4);
    }

    @Test
    void whatIsMissingIsSaid(Api api) {
        ScriptedWorker worker = worker(api);
        Lease lease = worker.leaseOne();
        for (String file : List.of("ptx", "cubin")) {
            assertThat(api.get("/api/v1/trials/" + trial(lease) + "/" + file)
                            .problem(404)
                            .get("detail")
                            .asString())
                    .isEqualTo("trial " + trial(lease) + " has no " + file + ": it was not assembled");
        }
        worker.complete(lease, 1e6);
        assertThat(api.get("/trials/" + trial(lease)).text())
                .as("a link to what is not there")
                .doesNotContain("/kernel.", "launch.json");
        for (String file : List.of("ptx", "cubin", "launch")) {
            assertThat(api.get("/api/v1/trials/" + trial(lease) + "/" + file)
                            .problem(404)
                            .get("detail")
                            .asString())
                    .contains(" has no " + file + ": ", "not kept yet");
        }
        UUID unknown = UUID.randomUUID();
        assertThat(api.get("/api/v1/trials/" + unknown + "/ptx")
                        .problem(404)
                        .get("detail")
                        .asString())
                .isEqualTo("there is no trial " + unknown);
    }

    @Test
    void filesThatAreNotThoseOfTheTrialAreRefused(Api api, Service service) {
        ScriptedWorker worker = worker(api);
        Lease lease = worker.leaseOne();
        KernelFiles right = files(TEXT, CUBIN, LAUNCH);

        assertThat(Api.errors(worker.report(lease, of(worker, lease, files("other", "others", "[]")))
                        .refused(422)))
                .containsExactlyInAnyOrder(
                        "/files/ptx: must have the hash " + Sha256.hex(TEXT) + ", got " + Sha256.hex("other"),
                        "/files/cubin: must have the hash " + Sha256.hex(CUBIN) + ", got " + Sha256.hex("others"),
                        "/files/launch: must be a JSON object");
        assertThat(Api.errors(worker.report(
                                lease,
                                of(
                                        worker,
                                        lease,
                                        new KernelFiles(
                                                right.ptx(), new KernelFiles.Packed(bytes(CUBIN)), right.launch())))
                        .refused(422)))
                .containsExactly("/files/cubin: must be packed by gzip: Not in GZIP format");
        byte[] large = new byte[KernelFiles.MOST_PACKED_BYTES];
        new Random(7).nextBytes(large);
        assertThat(Api.errors(worker.report(
                                        lease,
                                        of(
                                                worker,
                                                lease,
                                                new KernelFiles(
                                                        new KernelFiles.Packed(large), right.cubin(), right.launch())))
                                .refused(422))
                        .toString())
                .contains("/files: must have at most 524288 bytes, packed, got 5243");
        assertThat(service.jdbc()
                        .sql("select count(*) from kernel_file")
                        .query(Integer.class)
                        .single())
                .isZero();

        worker.report(lease, of(worker, lease, right)).taken();
    }

    /** A text that unpacks without end is not unpacked to its end. */
    @Test
    void aBombIsRefused(Api api) {
        ScriptedWorker worker = worker(api);
        Lease lease = worker.leaseOne();
        KernelFiles bomb = files(" ".repeat(KernelFiles.MOST_BYTES), CUBIN, LAUNCH);
        KernelFiles.Packed twice = new KernelFiles.Packed(twice(bomb.ptx().gzip()));

        assertThat(Api.errors(worker.report(
                                lease, of(worker, lease, new KernelFiles(twice, bomb.cubin(), bomb.launch())))
                        .refused(422)))
                .containsExactly("/files/ptx: must have at most 16777216 bytes");
    }

    /** Members of gzip follow each other. */
    private static byte[] twice(byte[] gzip) {
        byte[] twice = new byte[2 * gzip.length];
        System.arraycopy(gzip, 0, twice, 0, gzip.length);
        System.arraycopy(gzip, 0, twice, gzip.length, gzip.length);
        return twice;
    }
}
