package dev.tilewright.api.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Api.Answer;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Further families beside a job's own in its finals. */
@ExtendWith(RunningService.class)
class PeersTest {

    private static final String DESCRIPTION = """
            name: %s
            problem: {a: f16, b: f16, d: f16}
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

    private static String upload(Api api, String name) {
        return upload(api, DESCRIPTION.formatted(name), TEXT);
    }

    /** The family of a version. */
    private static String upload(Api api, String description, String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, String> file :
                    Map.of("kernel.yaml", description, "gemm.ptx", text).entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return api.send(api.request("/api/v1/bundles")
                        .header("content-type", "application/zip")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(out.toByteArray())))
                .expect(201)
                .get("family")
                .asString();
    }

    private static Answer submit(Api api, String device, String family, String... peers) {
        return api.post("/api/v1/jobs", """
                {"problems":[{"m":640,"n":384,"k":256,"dtype":"f16"}],"family":"%s","device":"%s",
                 "budget":{"trials":1},"peers":["%s"]}""".formatted(family, device, String.join("\",\"", peers)));
    }

    private static List<String> refused(Api api, String device, String family, String... peers) {
        return Api.errors(submit(api, device, family, peers).problem(422));
    }

    private static Lease last(ScriptedWorker gpu) {
        Lease screen = gpu.leaseOne();
        assertThat(screen.work()).isInstanceOf(Work.Screen.class);
        gpu.complete(screen, 1e5);
        return gpu.leaseOne();
    }

    @Test
    void aFinalHasThePeersOfItsJobInTheirVersionBesideThoseThatRunAnyway(Api api) {
        String theirs = upload(api, "theirs");
        String triton = upload(api, "triton");
        String hand = upload(api, "hand");
        submit(api, "cuda:0", "bundle:theirs", "bundle:triton", "bundle:hand").expect(202);
        upload(api, DESCRIPTION.formatted("triton") + "# newer\n", TEXT);
        Lease lease = last(ScriptedWorker.cuda(api, 0));
        assertThat(lease.family()).isEqualTo(theirs);
        assertThat(((Work.Final) lease.work()).peers()).containsExactly("cublaslt", "sm90-gemm", triton, hand);
    }

    @Test
    void ourOwnFamilyHasBundlesAsPeers(Api api) {
        String theirs = upload(api, "theirs");
        JsonNode job = submit(api, "cuda:0", "sm90-gemm", "bundle:theirs").expect(202);
        assertThat(job.get("peers").valueStream().map(JsonNode::asString)).containsExactly(theirs);
        Lease lease = last(ScriptedWorker.cuda(api, 0));
        assertThat(((Work.Final) lease.work()).peers()).containsExactly("cublaslt", theirs);
    }

    @Test
    void anOlderVersionOfABundleIsItsPeer(Api api) {
        String older = upload(api, "theirs");
        upload(api, DESCRIPTION.formatted("theirs") + "# newer\n", TEXT);
        submit(api, "cuda:0", "bundle:theirs", older).expect(202);
        assertThat(((Work.Final) last(ScriptedWorker.cuda(api, 0)).work()).peers())
                .endsWith(older);
    }

    @Test
    void whatCannotBeAPeerIsRefusedByName(Api api) {
        String theirs = upload(api, "theirs");
        String hand = upload(api, "hand");
        assertThat(refused(api, "cuda:0", "bundle:theirs", "bundle:absent"))
                .singleElement()
                .asString()
                .startsWith("/peers/0: there is no bundle:absent; known: bundle:");
        assertThat(refused(api, "cuda:0", "bundle:theirs", "sm80-gemm"))
                .singleElement()
                .asString()
                .startsWith("/peers/0: unknown kernel family 'sm80-gemm'; known: ");
        assertThat(refused(api, "cuda:0", "bundle:theirs", "bundle:hand", theirs))
                .containsExactly("/peers/1: " + theirs + " is the family of the job, whose configs race for the final");
        assertThat(refused(api, "cuda:0", "bundle:theirs", "bundle:hand", hand))
                .containsExactly("/peers/1: " + hand + " is named twice");
        assertThat(refused(api, "cuda:0", "bundle:theirs", "cublaslt", "sm90-gemm"))
                .containsExactly(
                        "/peers/0: cublaslt runs in each final of " + theirs + " anyway: leave it out",
                        "/peers/1: sm90-gemm runs in each final of " + theirs + " anyway: leave it out");
        assertThat(refused(api, "cuda:0", "sm90-gemm", "sm100-gemm"))
                .containsExactly("/peers/0: sm100-gemm runs on sm100, and sm90-gemm on sm90: no GPU runs both");
        assertThat(refused(api, "cuda:0", "bundle:theirs", "a", "b", "c", "d", "e", "f", "g", "h", "i"))
                .containsExactly("/peers: must be at most 8 families, got 9");
    }

    @Test
    void aPeerComputesTheSame(Api api) {
        String theirs = upload(api, "theirs");
        String other = upload(api, DESCRIPTION.formatted("other").replace("d: f16", "d: f32"), TEXT);
        assertThat(refused(api, "cuda:0", "bundle:theirs", "bundle:other"))
                .singleElement()
                .asString()
                .startsWith("/peers/0: " + other + " takes ")
                .contains("D f32", "got", "D f16");
        String plain = DESCRIPTION.formatted("relu");
        String relu = upload(api, plain.replace("space:", "epilogue: relu\nspace:"), TEXT);
        assertThat(refused(api, "cuda:0", "bundle:theirs", "bundle:relu"))
                .containsExactly("/peers/0: " + relu + " computes something else than " + theirs
                        + ": its epilogue is relu, that of the other none");
        assertThat(refused(api, "cuda:0", "bundle:relu", "cublaslt"))
                .containsExactly("/peers/0: cublaslt computes the epilogue none of the problem, and " + relu + " relu");
        String alike = upload(
                api, plain.replace("name: relu", "name: alike").replace("space:", "epilogue: relu\nspace:"), TEXT);
        submit(api, "cuda:0", "bundle:relu", "bundle:alike").expect(202);
        assertThat(((Work.Final) last(ScriptedWorker.cuda(api, 0)).work()).peers())
                .endsWith(alike);
    }

    @Test
    void aPeerHasAFewKernels(Api api) {
        upload(api, "theirs");
        String many = upload(
                api,
                DESCRIPTION
                        .formatted("many")
                        .replace("[16, 32]", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]"),
                TEXT);
        assertThat(refused(api, "cuda:0", "bundle:theirs", "bundle:many"))
                .containsExactly(
                        "/peers/0: " + many + " must have from 1 to 16 configs for 640x384x256 to be a peer, got 17");
        String none = upload(
                api,
                DESCRIPTION.formatted("none").replace("kernel:", "constraints: [\"m % (tile * 1000) == 0\"]\nkernel:"),
                TEXT);
        assertThat(refused(api, "cuda:0", "bundle:theirs", "bundle:none"))
                .containsExactly(
                        "/peers/0: " + none + " must have from 1 to 16 configs for 640x384x256 to be a peer, got 0");
    }

    @Test
    void whereThereIsNoFinalThereIsNoPeer(Api api) {
        upload(api, "theirs");
        String without = "/peers: run in finals, and %s runs none: name a GPU, such as cuda:0";
        assertThat(refused(api, "emulated", "sm90-gemm", "bundle:theirs"))
                .hasSize(1)
                .allSatisfy(line -> assertThat(line).startsWith("/peers: run in finals, and emulated"));
        assertThat(refused(api, "simulated:h200", "sm90-gemm", "bundle:theirs"))
                .containsExactly(without.formatted("simulated:h200"));
        ScriptedWorker.simulated(api);
        assertThat(refused(api, "auto", "sm90-gemm", "bundle:theirs")).containsExactly(without.formatted("auto"));
        assertThat(Api.errors(api.post("/api/v1/jobs", """
                        {"problems":[{"m":640,"n":384,"k":256,"dtype":"f16"}],"family":"sm90-gemm","device":"cuda:0",
                         "budget":{"finalists":0},"peers":["bundle:theirs"]}""").problem(422)))
                .containsExactly("/peers: run in finals, and with 0 finalists there is none");
    }

    @Test
    void aBundleThatIsAPeerOfAnOpenJobIsNotDeleted(Api api) {
        String theirs = upload(api, "theirs");
        String job = submit(api, "cuda:0", "sm90-gemm", "bundle:theirs")
                .expect(202)
                .get("id")
                .asString();
        HttpRequest.Builder delete = api.request("/api/v1/bundles/theirs/" + theirs.substring(theirs.indexOf('@') + 1))
                .DELETE();
        assertThat(api.send(delete).problem(409).get("detail").asString())
                .isEqualTo(theirs + " is used by job " + job + ", which is not over: cancel that first");
        api.send(api.request("/api/v1/jobs/" + job + "/cancel").POST(HttpRequest.BodyPublishers.noBody()))
                .expect(200);
        api.send(delete).expect(204);
    }

    @Test
    void aJobThatWasStoredWithoutPeersHasNone(Api api, Service service) {
        upload(api, "theirs");
        String job = submit(api, "cuda:0", "sm90-gemm", "bundle:theirs")
                .expect(202)
                .get("id")
                .asString();
        service.jdbc().sql("update job set options = options - 'peers'").update();
        assertThat(api.job(job).get("peers")).isEmpty();
        assertThat(((Work.Final) last(ScriptedWorker.cuda(api, 0)).work()).peers())
                .containsExactly("cublaslt");
    }

    private static Report.Arm arm(
            Lease lease, String name, String family, Work.Contender own, Config config, double ns) {
        return new Report.Arm(
                name,
                own == null ? null : own.trialId(),
                family,
                config,
                TrialOutcome.COMPLETED,
                0.5,
                List.of(ScriptedWorker.measurement(lease, Mode.SUSTAINED, Stage.FINAL, ns, true)),
                "");
    }

    @Test
    void resultAndPageNameEachPeerWithItsConfigAndRatio(Api api) {
        String theirs = upload(api, "theirs");
        String job = submit(api, "cuda:0", "sm90-gemm", "bundle:theirs")
                .expect(202)
                .get("id")
                .asString();
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        Lease lease = last(gpu);
        Work.Contender own = ((Work.Final) lease.work()).contenders().getFirst();
        String name = own.trialId().toString();
        Report.Arm wrong = new Report.Arm(
                theirs + " tile=16",
                null,
                theirs,
                Config.parse("tile=16"),
                TrialOutcome.MISMATCH,
                null,
                List.of(),
                "17 wrong");
        gpu.report(
                        lease,
                        new Report.Finished(
                                lease.fence(),
                                new FinalResult(
                                        List.of(
                                                arm(lease, name, "sm90-gemm", own, own.config(), 50_000),
                                                arm(
                                                        lease,
                                                        "fast",
                                                        "cublaslt",
                                                        null,
                                                        Config.parse("algorithm=0"),
                                                        51_000),
                                                arm(
                                                        lease,
                                                        theirs + " tile=32",
                                                        theirs,
                                                        null,
                                                        Config.parse("tile=32"),
                                                        60_000),
                                                wrong),
                                        List.of(
                                                new Report.ArmRatio(
                                                        name, "fast", Mode.SUSTAINED, new Ratio(1.02, 1.01, 1.03, 9)),
                                                new Report.ArmRatio(
                                                        name,
                                                        theirs + " tile=32",
                                                        Mode.SUSTAINED,
                                                        new Ratio(1.2, 1.19, 1.21, 6))),
                                        List.of(),
                                        List.of(),
                                        theirs + " tile=16 is no peer: mismatch: 17 wrong")))
                .taken();
        JsonNode study = api.result(job).get("studies").get(0);
        assertThat(api.result(job).at("/job/peers/0").asString()).isEqualTo(theirs);
        JsonNode peer = study.get("peers")
                .valueStream()
                .filter(one -> one.get("name").asString().equals(theirs + " tile=32"))
                .findFirst()
                .orElseThrow();
        assertThat(peer.get("family").asString()).isEqualTo(theirs);
        assertThat(peer.at("/config/tile").asInt()).isEqualTo(32);
        assertThat(peer.get("ratio").asDouble()).isCloseTo(1.2, within(1e-12));
        assertThat(peer.get("ratioCi").valueStream().map(JsonNode::asDouble)).containsExactly(1.19, 1.21);
        assertThat(study.get("bestPeer").asString()).isEqualTo("fast");
        String page = api.send(api.request("/studies/" + study.get("id").asString())
                        .header("accept", "text/html")
                        .GET())
                .text();
        assertThat(page)
                .contains(theirs + " tile=32", "1.200× [1.190, 1.210]", theirs + " tile=16", "mismatch", "1.020×");
    }
}
