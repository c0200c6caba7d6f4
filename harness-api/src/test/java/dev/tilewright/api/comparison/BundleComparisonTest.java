package dev.tilewright.api.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.bundle.BundleSpace;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.model.exchange.BuiltKernel;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Kernels of bundles beside each other, beside ours and beside a peer's; and what is no such pair. */
@ExtendWith(RunningService.class)
class BundleComparisonTest {

    private static final String PATH = "/api/v1/comparisons";
    private static final String PROBLEM =
            "{\"m\":640,\"n\":384,\"k\":256,\"types\":{\"a\":\"bf16\",\"b\":\"bf16\",\"d\":\"bf16\"}}";
    private static final String TOY =
            "{\"family\":\"toy\",\"config\":{\"scheduler\":\"static\",\"tileM\":128,\"tileN\":64,\"rasterGroup\":1}}";
    private static final String VENDOR = "{\"peer\":\"cublaslt\"}";
    private static final String DESCRIPTION = """
            name: %s
            problem: {a: bf16, b: bf16, d: bf16, conditions: [k %% 32 == 0]}
            %s
            kernel: gemm.%s
            launch:
              entry: gemm
              grid: ["ceildiv(n, 64)", "ceildiv(m, 64)"]
              block: 128
              parameters: [pointer: A, pointer: B, pointer: D]
            """;
    private static final String TEXT = """
            .version 8.0
            .target %s
            .address_size 64
            .visible .entry gemm(.param .u64 a, .param .u64 b, .param .u64 d) { ret; }
            """;

    private static BundleSpace upload(Api api, String name, String more, String target) {
        String description = DESCRIPTION.formatted(name, more, "ptx");
        return keep(api, description, "gemm.ptx", TEXT.formatted(target).getBytes(StandardCharsets.UTF_8));
    }

    /** The header of a cubin for sm_90. */
    private static byte[] cubin() {
        return ByteBuffer.allocate(100)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0, 0x464C_457F)
                .put(7, (byte) 0x41)
                .putShort(18, (short) 190)
                .putInt(48, 0x0600_5A04)
                .array();
    }

    private static BundleSpace keep(Api api, String description, String file, byte[] content) {
        BundleFiles files = BundleFiles.of(
                Map.of(BundleFiles.DESCRIPTION, description.getBytes(StandardCharsets.UTF_8), file, content));
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        try {
            files.zip(zip);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        api.send(api.request("/api/v1/bundles")
                        .header("content-type", "application/zip")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(zip.toByteArray())))
                .expect(201);
        return BundleSpace.of(Bundle.read(files));
    }

    private static String body(String first, String second) {
        return "{\"problem\":%s,\"first\":%s,\"second\":%s}".formatted(PROBLEM, first, second);
    }

    private static String of(String family, String more) {
        return "{\"family\":\"%s\"%s}".formatted(family, more);
    }

    private static List<String> errors(Api api, String first, String second) {
        return Api.errors(api.post(PATH, body(first, second)).problem(422));
    }

    /** The lease names the version, and the hash of the space of each family. */
    @Test
    void aBundleBesideOurs(Api api) {
        BundleSpace theirs = upload(api, "theirs", "space: {tile: [16, 32]}", "sm_90a");
        JsonNode asked = api.post(PATH, body(TOY, of("bundle:theirs", ",\"config\":{\"tile\":32},\"slowedBy\":0.01")))
                .expect(202);
        assertThat(asked.get("second").get("family").asString()).isEqualTo(theirs.family());
        assertThat(asked.get("second").get("slowedBy").asDouble()).isEqualTo(0.01);
        assertThat(asked.has("family")).isFalse();
        Lease lease = ScriptedWorker.cuda(api, 0).leaseOne();
        assertThat(lease.spaceHashes()).containsOnlyKeys("toy", theirs.family());
        GpuTask.Compare task = (GpuTask.Compare) ((Work.Run) lease.work()).task();
        Config tile = Config.of(Map.of("tile", ParameterValue.of(32)));
        assertThat(task.second()).isEqualTo(new GpuTask.Side.Own(theirs.family(), tile, 0.01));
        assertThat(task.kernels())
                .hasSize(2)
                .allMatch(BuiltKernel::delayed)
                .endsWith(new BuiltKernel(theirs.family(), tile, true));
    }

    @Test
    void aBundleOfOneConfigNeedsNoValuesAndStandsBesideAnotherOrAPeer(Api api) {
        BundleSpace one = upload(api, "one", "", "sm_90a");
        BundleSpace other = upload(api, "other", "space: {tile: [64]}", "sm_80");
        JsonNode asked = api.post(PATH, body(of("bundle:one", ""), of(other.family(), "")))
                .expect(202);
        assertThat(asked.get("first").get("family").asString()).isEqualTo(one.family());
        assertThat(asked.get("second").get("config").get("tile").asInt()).isEqualTo(64);
        api.post(PATH, body(of("bundle:one", ""), VENDOR)).expect(202);
        api.post(PATH, body(VENDOR, "{\"peer\":\"cublaslt\",\"algorithm\":\"3\"}"))
                .expect(202);
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        assertThat(gpu.leaseOne().spaceHashes()).containsOnlyKeys(one.family(), other.family());
        assertThat(gpu.leaseOne().spaceHashes()).containsOnlyKeys(one.family());
        assertThat(gpu.leaseOne().spaceHashes()).as("of two peers").isEmpty();
    }

    @Test
    void whatCannotBeComparedIsSaidWithItsPlace(Api api) {
        BundleSpace theirs = upload(
                api,
                "theirs",
                "space: {tile: [16, 32]}\nconstraints: [{id: rows, that: tile <= 16 || m % 32 == 1, because: no}]",
                "sm_90a");
        upload(api, "blackwell", "", "sm_100a");
        upload(api, "biased", "epilogue: {steps: \"bias,relu\", bias: f32}", "sm_90a");
        keep(
                api,
                DESCRIPTION
                        .formatted("binary", "", "cubin")
                        .replace("kernel: gemm.cubin", "kernel: {file: gemm.cubin, target: sm_90a}"),
                "gemm.cubin",
                cubin());
        assertThat(errors(api, of("bundle:theirs", ""), VENDOR))
                .containsExactly("/first/config: is required: " + theirs.family() + " has 2 configs, of tile");
        assertThat(errors(api, VENDOR, of("bundle:theirs", ",\"config\":{\"tile\":32}")))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("/second/config: rows: tile <= 16 || m % 32 == 1 does not hold for m=640 tile=32");
        assertThat(errors(api, VENDOR, of("bundle:theirs", ",\"config\":{\"tile\":8}")))
                .anyMatch(error -> error.startsWith("/second/config: ") && error.contains("tile"));
        assertThat(errors(api, of("bundle:none", ""), VENDOR))
                .anyMatch(error -> error.startsWith("/first/family: there is no bundle:none; known: "));
        assertThat(errors(api, of("bundle:theirs", ",\"config\":{\"tile\":16}"), of("bundle:blackwell", "")))
                .containsExactly("/second: runs on sm100, and the kernel of /first on sm90: no GPU runs both");
        assertThat(errors(api, VENDOR, of("bundle:biased", "")))
                .containsExactly("/second: computes something else than the kernel of /first: its epilogue is"
                        + " bias,relu, that of the other none");
        assertThat(errors(api, of("bundle:binary", ",\"slowedBy\":0.01"), VENDOR))
                .containsExactly(
                        "/first/slowedBy: gemm.cubin is a cubin, in front of which no wait can be put: bring its PTX");
        api.post(PATH, body(of("bundle:binary", ""), VENDOR)).expect(202);
        api.post(PATH, body(of("bundle:biased", ""), of("bundle:biased", ""))).expect(202);
        assertThat(Api.errors(api.post(
                                PATH,
                                body(of("bundle:theirs", ",\"config\":{\"tile\":16}"), VENDOR)
                                        .replace("\"k\":256", "\"k\":250"))
                        .problem(422)))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("/problem: " + theirs.family())
                .contains("k % 32 == 0");
    }

    @ParameterizedTest
    @CsvSource({"0", "-0.01", "0.51"})
    void aKernelIsSlowedByAPartOfItsTime(String slowedBy, Api api) {
        String slowed = TOY.replaceFirst("\\{", "{\"slowedBy\":" + slowedBy + ",");
        assertThat(errors(api, TOY, slowed))
                .containsExactly(
                        "/second/slowedBy: must be more than 0 and at most 0.5, got " + Double.parseDouble(slowedBy));
    }

    @ParameterizedTest
    @CsvSource({"0", "1000000001"})
    void aWaitHasALimit(String steps, Api api) {
        String slowed = TOY.replaceFirst("\\{", "{\"slowedBy\":0.01,\"waitSteps\":" + steps + ",");
        assertThat(errors(api, TOY, slowed))
                .containsExactly("/second/waitSteps: must be 1 to 100000000, of a kernel with slowedBy, got " + steps);
    }
}
