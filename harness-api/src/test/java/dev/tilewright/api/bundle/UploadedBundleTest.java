package dev.tilewright.api.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.gate.GateAnswers;
import dev.tilewright.api.gate.GateScript;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Api.Answer;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.space.device.DeviceLimits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Bundles over HTTP: kept once, in versions, tuned as families; and what is refused. */
@ExtendWith(RunningService.class)
class UploadedBundleTest {

    private static final String DESCRIPTION = """
            name: theirs
            problem: {a: f16, b: f16, d: f32}
            space: {tile: [16, 32]}
            kernel: {template: gemm.ptx}
            launch:
              grid: ["ceildiv(n, tile)", "ceildiv(m, tile)"]
              block: 128
              parameters: [pointer: A, pointer: B, pointer: D]
            """;
    private static final String TEXT = """
            .version 8.0
            .target sm_90a
            .address_size 64
            .visible .entry gemm_${tile}(.param .u64 a, .param .u64 b, .param .u64 d) { ret; }
            """;
    private static final String PROBLEM =
            "{\"m\":640,\"n\":384,\"k\":256,\"types\":{\"a\":\"f16\",\"b\":\"f16\",\"d\":\"f32\"}}";

    private static byte[] zip(Map<String, String> files) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return out.toByteArray();
    }

    private static byte[] bundle(String description) {
        return zip(Map.of("kernel.yaml", description, "gemm.ptx", TEXT));
    }

    private static Answer upload(Api api, byte[] zip) {
        return api.send(api.request("/api/v1/bundles")
                .header("content-type", "application/zip")
                .POST(HttpRequest.BodyPublishers.ofByteArray(zip)));
    }

    private static Answer submit(Api api, String family, String device) {
        return api.post("/api/v1/jobs", """
                {"problems":[%s],"family":"%s","device":"%s"}""".formatted(PROBLEM, family, device));
    }

    @Test
    void aBundleIsKeptOnceAndItsNewestVersionIsWhatItsNameMeans(Api api, Service service) {
        JsonNode first = upload(api, bundle(DESCRIPTION)).expect(201);
        JsonNode second = upload(api, bundle(DESCRIPTION + "# tuned\n")).expect(201);
        upload(api, bundle(DESCRIPTION + "# tuned\n")).expect(201);
        assertThat(first.get("family").asString())
                .isEqualTo("bundle:theirs@" + first.get("hash").asString().substring(0, 16));
        assertThat(service.jdbc()
                        .sql("select count(*) from bundle")
                        .query(Integer.class)
                        .single())
                .isEqualTo(2);
        assertThat(api.get("/api/v1/bundles/theirs").expect(200).get("items")).hasSize(2);
        assertThat(api.get("/api/v1/bundles").expect(200).get("items"))
                .extracting(item -> item.get("hash").asString())
                .containsExactly(second.get("hash").asString());
        api.get("/api/v1/bundles/others").problem(404);
        submit(api, "bundle:theirs", "emulated").expect(202);
        submit(api, first.get("family").asString(), "emulated").expect(202);
        assertThat(service.jdbc()
                        .sql("select family from study order by seq")
                        .query(String.class)
                        .list())
                .containsExactly(
                        second.get("family").asString(), first.get("family").asString());
    }

    @Test
    void aBundleWithOneConfigThatIsSlowerHasNothingToTune(Api api, Service service) {
        JsonNode kept =
                upload(api, bundle(DESCRIPTION.replace("[16, 32]", "[16]"))).expect(201);
        GateScript gate = new GateScript(api, service);
        String family = kept.get("family").asString();
        String id = gate.submit(",\"retuneSeconds\":60", """
                {"name":"one","problem":%s,"candidate":{"family":"%s","config":{"tile":16}},
                "baseline":{"kernel":{"peer":"cublaslt"}}}""".formatted(PROBLEM, family));
        gate.workOff(
                ScriptedWorker.cuda(api, 0),
                task -> task.measureEqual() ? GateAnswers.asAsked(task) : GateAnswers.slower(task, 3));
        JsonNode run = gate.finished(id);
        assertThat(run.get("verdict").asString()).as(run.toPrettyString()).isEqualTo("fail");
        JsonNode retune = run.get("cases").get(0).get("retune");
        assertThat(retune.get("state").asString()).isEqualTo("impossible");
        assertThat(retune.get("reason").asString())
                .isEqualTo(family + " has one config for this problem: there is nothing to tune");
    }

    @Test
    void aWorkerGetsTheFilesOfALeaseWhichNamesTheVersion(Api api) throws Exception {
        JsonNode kept = upload(api, bundle(DESCRIPTION)).expect(201);
        submit(api, "bundle:theirs", "emulated").expect(202);
        Lease lease = ScriptedWorker.emulated(api).leaseOne();
        assertThat(lease.family()).isEqualTo(kept.get("family").asString());
        assertThat(lease.work()).isInstanceOf(Work.Screen.class);
        HttpRequest request = api.request(
                        "/api/v1/bundles/" + kept.get("version").asString() + "/zip")
                .header("authorization", "Bearer " + RunningService.WORKER_TOKEN)
                .build();
        BundleFiles files = BundleFiles.unzipped(new ByteArrayInputStream(java.net.http.HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofByteArray())
                .body()));
        assertThat(files.hash()).isEqualTo(kept.get("hash").asString());
        assertThat(dev.tilewright.bundle.BundleSpace.of(dev.tilewright.launch.bundle.Bundle.read(files))
                        .space(lease.problem(), DeviceLimits.of(4))
                        .hash())
                .isEqualTo(lease.spaceHashes().get(lease.family()));
        api.get("/api/v1/bundles/0123456789abcdef/zip").problem(404);
    }

    @Test
    void simulatedRefusesABundleByName(Api api) {
        String family =
                upload(api, bundle(DESCRIPTION)).expect(201).get("family").asString();
        String refusal = "/family: no model of a GPU knows the kernels of " + family
                + "; let emulated prove its kernels, or cuda time them";
        assertThat(Api.errors(submit(api, family, "simulated:h200").problem(422)))
                .containsExactly(refusal);
        ScriptedWorker.simulated(api);
        assertThat(Api.errors(submit(api, family, "auto").problem(422))).containsExactly(refusal);
    }

    @Test
    void aStudyThatWaitedForAGpuEndsWhereOnlyAModelCame(Api api) {
        upload(api, bundle(DESCRIPTION)).expect(201);
        String job = submit(api, "bundle:theirs", "auto").expect(202).get("id").asString();
        assertThat(ScriptedWorker.simulated(api).lease(1)).isEmpty();
        assertThat(api.job(job).get("studies").get(0).get("error").asString())
                .contains("no model of a GPU knows the kernels of bundle", "simulated:h200 is one");
    }

    @Test
    void whatIsNoBundleIsRefusedWithItsRule(Api api, Service service) {
        assertRefused(upload(api, "no zip".getBytes(StandardCharsets.UTF_8)), "is no zip");
        assertRefused(upload(api, zip(Map.of("gemm.ptx", TEXT))), "kernel.yaml");
        assertRefused(
                upload(api, zip(Map.of("kernel.yaml", DESCRIPTION, "../gemm.ptx", TEXT))),
                "the path of a file is relative");
        assertRefused(upload(api, zip(Map.of("kernel.yaml", DESCRIPTION))), "gemm.ptx");
        assertRefused(upload(api, bundle(DESCRIPTION.replace("tile: [16, 32]", "tile: [16, 16]"))), "kernel.yaml:3:");
        assertRefused(upload(api, bundle(DESCRIPTION.replace("d: f32", "d: f33"))), "kernel.yaml:2:");
        assertThat(service.jdbc()
                        .sql("select count(*) from bundle")
                        .query(Integer.class)
                        .single())
                .isZero();
    }

    private static void assertRefused(Answer answer, String rule) {
        assertThat(answer.problem(422).get("detail").asString()).contains(rule);
    }

    @Test
    void theBodyIsAZipOfALimitedSize(Api api) {
        assertThat(upload(api, new byte[(16 << 20) + 1])
                        .problem(413)
                        .get("detail")
                        .asString())
                .isEqualTo("the body must have at most 16777216 bytes");
        assertThat(api.post("/api/v1/bundles", "{}").problem(415).get("detail").asString())
                .contains("application/zip");
    }

    @Test
    void whatAJobNamesMustBeThere(Api api) {
        upload(api, bundle(DESCRIPTION)).expect(201);
        assertThat(Api.errors(submit(api, "bundle:others", "emulated").problem(422)))
                .singleElement()
                .asString()
                .startsWith("/family: there is no bundle:others; known: bundle:theirs@");
        assertThat(Api.errors(submit(api, "bundle:theirs@0123456789abcdef", "emulated")
                        .problem(422)))
                .singleElement()
                .asString()
                .startsWith("/family: there is no bundle:theirs@0123456789abcdef");
        String other = PROBLEM.replace("f32", "f16");
        assertThat(Api.errors(api.post("/api/v1/jobs", """
                                {"problems":[%s],"family":"bundle:theirs","device":"emulated"}""".formatted(other)).problem(422)))
                .singleElement()
                .asString()
                .contains("/problems/0: bundle:theirs@", "D f32", "got", "D f16");
    }

    @Test
    void aBundleForAnotherGpuIsRefusedOrWaits(Api api) {
        String text = TEXT.replace("sm_90a", "sm_100a");
        upload(api, zip(Map.of("kernel.yaml", DESCRIPTION, "gemm.ptx", text))).expect(201);
        ScriptedWorker hopper = ScriptedWorker.cuda(api, 0);
        assertThat(Api.errors(submit(api, "bundle:theirs", "cuda:0").problem(422)))
                .singleElement()
                .asString()
                .contains("runs on sm100", "is sm90");
        assertThat(hopper.lease(1)).isEmpty();
    }

    @Test
    void aFinalOfABundleIsBesideTheVendorAndOurFamily(Api api) {
        upload(api, bundle(DESCRIPTION)).expect(201);
        submit(api, "bundle:theirs", "cuda:0").expect(202);
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        List<Lease> leases = gpu.lease(8);
        assertThat(leases)
                .hasSize(2)
                .allSatisfy(lease ->
                        assertThat(((Work.Screen) lease.work()).anchor()).isNull());
        leases.forEach(lease -> gpu.complete(lease, 1e5));
        Work.Final last = (Work.Final) gpu.leaseOne().work();
        assertThat(last.peers()).containsExactly("cublaslt", "sm90-gemm");
    }

    private static Answer delete(Api api, JsonNode kept) {
        return api.send(api.request("/api/v1/bundles/" + kept.get("name").asString() + "/"
                        + kept.get("version").asString())
                .DELETE());
    }

    @Test
    void aVersionIsDeletedWhenNothingThatIsNotOverUsesIt(Api api) {
        JsonNode first = upload(api, bundle(DESCRIPTION)).expect(201);
        JsonNode second = upload(api, bundle(DESCRIPTION + "# tuned\n")).expect(201);
        String job = submit(api, first.get("family").asString(), "emulated")
                .expect(202)
                .get("id")
                .asString();
        assertThat(delete(api, first).problem(409).get("detail").asString())
                .isEqualTo(first.get("family").asString() + " is used by job " + job
                        + ", which is not over: cancel that first");
        String run = api.post("/api/v1/gates/theirs/runs", """
                        {"cases":[{"name":"one","problem":%s,"candidate":{"family":"%s","config":{"tile":16}},
                          "baseline":{"kernel":{"peer":"cublaslt"}}}]}
                        """.formatted(
                                PROBLEM, second.get("family").asString()))
                .expect(202)
                .get("id")
                .asString();
        assertThat(delete(api, second).problem(409).get("detail").asString()).contains("is used by gate run " + run);
        api.send(api.request("/api/v1/gate-runs/" + run + "/cancel").POST(HttpRequest.BodyPublishers.noBody()))
                .expect(200);
        delete(api, second).expect(204);
        delete(api, second).problem(404);
        assertThat(api.get("/api/v1/bundles/theirs").expect(200).get("items")).hasSize(1);
        api.send(api.request("/api/v1/jobs/" + job + "/cancel").POST(HttpRequest.BodyPublishers.noBody()))
                .expect(200);
        delete(api, first).expect(204);
        api.get("/api/v1/bundles/theirs").problem(404);
        assertThat(Api.errors(
                        submit(api, first.get("family").asString(), "emulated").problem(422)))
                .singleElement()
                .asString()
                .startsWith("/family: there is no " + first.get("family").asString());
        assertThat(api.job(job).get("state").asString())
                .as("what was stored is read")
                .isEqualTo("cancelled");
        api.get("/api/v1/jobs/" + job + "/result").expect(200);
        upload(api, bundle(DESCRIPTION)).expect(201);
        submit(api, first.get("family").asString(), "emulated").expect(202);
    }

    @Test
    void aSubmitterDeletesWhatItPushedAndAnOperatorAnything() {
        try (Service service = RunningService.start(
                Map.of("tilewright.user-token", "the-operator", "db-scheduler.enabled", "false"))) {
            Api api = service.api();
            String ci = token(api, "ci");
            String night = token(api, "night");
            JsonNode kept = api.send(as(
                            ci,
                            api.request("/api/v1/bundles")
                                    .header("content-type", "application/zip")
                                    .POST(HttpRequest.BodyPublishers.ofByteArray(bundle(DESCRIPTION)))))
                    .expect(201);
            String path = "/api/v1/bundles/theirs/" + kept.get("version").asString();
            assertThat(api.send(as(night, api.request(path).DELETE()))
                            .problem(403)
                            .get("detail")
                            .asString())
                    .isEqualTo(kept.get("family").asString() + " was pushed by 'ci', not by 'night': a submitter"
                            + " deletes what it pushed, an operator any");
            api.send(as(ci, api.request(path).DELETE())).expect(204);
            api.send(as(
                            night,
                            api.request("/api/v1/bundles")
                                    .header("content-type", "application/zip")
                                    .POST(HttpRequest.BodyPublishers.ofByteArray(bundle(DESCRIPTION)))))
                    .expect(201);
            api.send(as("the-operator", api.request(path).DELETE())).expect(204);
        }
    }

    private static HttpRequest.Builder as(String token, HttpRequest.Builder request) {
        return request.header("authorization", "Bearer " + token);
    }

    private static String token(Api api, String name) {
        return api.send(as(
                        "the-operator",
                        api.request("/api/v1/tokens")
                                .header("content-type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(
                                        "{\"name\":\"" + name + "\",\"role\":\"submitter\"}"))))
                .expect(201)
                .get("token")
                .asString();
    }

    /** The service of the other tests takes cubins. */
    @Test
    void aServiceTakesCubinsOnlyWhereTheyAreAllowed(Api api) throws IOException {
        upload(api, cubin()).expect(201);
        try (Service service = RunningService.start(Map.of(
                "tilewright.bundle.cubins",
                "false",
                "tilewright.bundle.quota",
                "900B",
                "db-scheduler.enabled",
                "false"))) {
            assertThat(upload(service.api(), cubin()).problem(422).get("detail").asString())
                    .as("no empty name stands before it")
                    .startsWith("gemm.cubin is a cubin, of which nothing can be proved")
                    .contains("TILEWRIGHT_BUNDLE_CUBINS=true");
            allBundlesTogetherHaveAQuota(service.api());
        }
    }

    /** As {@code export} writes it: the launch of one problem, with a cubin and programs beside. */
    @Test
    void ofAnExportedFolderThatIsKeptWhichTheLaunchNeeds() throws IOException {
        Map<String, String> exported = new java.util.TreeMap<>(
                Map.of("kernel.yaml", """
                entry: gemm
                grid: 1
                block: 128
                buffers:
                  A: {dtype: f16, shape: [64, 32], init: {normal: {seed: 1}}}
                  B: {dtype: f16, shape: [64, 32], init: {normal: {seed: 2}}}
                  D: {dtype: f16, shape: [64, 64]}
                parameters: [pointer: A, pointer: B, pointer: D]
                expect:
                  - gemm: {a: A, b: B, d: D}
                """, "our_best.ptx", TEXT.replace("gemm_${tile}", "gemm")));
        Map<String, String> whole = new java.util.TreeMap<>(exported);
        whole.put("our_best.cubin", "bytes");
        whole.put("our_best.c", "int main;");
        try (Service service =
                RunningService.start(Map.of("tilewright.bundle.cubins", "false", "db-scheduler.enabled", "false"))) {
            JsonNode kept = upload(service.api(), zip(whole)).expect(201);
            assertThat(kept.get("name").asString()).isEqualTo("our-best");
            assertThat(upload(service.api(), zip(exported)).expect(201).get("hash"))
                    .as("the same version without what lies beside it")
                    .isEqualTo(kept.get("hash"));
        }
    }

    /** A model measures nothing, whatever the kernels are: 3 on the command line, and no fault of the file. */
    @Test
    void aGateOfABundleOnAModelIsInconclusive(Api api, Service service) {
        String family =
                upload(api, bundle(DESCRIPTION)).expect(201).get("family").asString();
        ScriptedWorker.simulated(api);
        GateScript gate = new GateScript(api, service);
        String id = gate.submit(",\"device\":\"simulated:h200\"", """
                {"name":"one","problem":%s,"candidate":{"family":"%s","config":{"tile":16}},
                "baseline":{"kernel":{"family":"%s","config":{"tile":32}}}}""".formatted(PROBLEM, family, family));
        JsonNode run = gate.finished(id);
        assertThat(run.get("verdict").asString()).isEqualTo("inconclusive");
        assertThat(run.get("reason").asString()).isEqualTo("nothing was measured: simulated:h200 is a model");
    }

    private static byte[] cubin() throws IOException {
        byte[] header = ByteBuffer.allocate(100)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0, 0x464C_457F)
                .put(7, (byte) 0x41)
                .putShort(18, (short) 190)
                .putInt(48, 0x0600_5A04)
                .array();
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        BundleFiles.of(Map.of(BundleFiles.DESCRIPTION, """
                        name: binary
                        problem: {a: bf16, b: bf16, d: bf16}
                        kernel: {file: gemm.cubin, target: sm_90a}
                        launch: {entry: gemm, grid: 1, block: 32, parameters: [{pointer: D}]}
                        """.getBytes(StandardCharsets.UTF_8), "gemm.cubin", header))
                .zip(zip);
        return zip.toByteArray();
    }

    private static void allBundlesTogetherHaveAQuota(Api api) {
        JsonNode kept = upload(api, bundle(DESCRIPTION)).expect(201);
        int bytes = kept.get("bytes").asInt();
        assertThat(bytes).isBetween(451, 900);
        upload(api, bundle(DESCRIPTION)).expect(201);
        assertThat(upload(api, bundle(DESCRIPTION.replace("theirs", "others")))
                        .problem(409)
                        .get("detail")
                        .asString())
                .matches("all bundles together have at most 900 bytes; there are " + bytes
                        + ", and this one has \\d+: delete versions that nobody needs");
        delete(api, kept).expect(204);
        upload(api, bundle(DESCRIPTION.replace("theirs", "others"))).expect(201);
    }
}
