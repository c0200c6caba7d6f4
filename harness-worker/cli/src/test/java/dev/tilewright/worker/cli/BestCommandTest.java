package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code best --api} against an API that answers from a script. */
@Timeout(60)
class BestCommandTest {

    private static final String ONE = """
            {"note":null,"items":[{"problem":{"m":8192,"n":4096,"k":512,"dtype":"bf16"},
            "shape":"8192x4096x512","dtype":"bf16","family":"sm90-gemm","testbed":{"kind":"cuda",
            "device":"NVIDIA H200","driver":"580","assembler":"ptxas 13","smCount":132,"clockPolicy":"factory"},
            "config":{"scheduler":"static","tileM":128,"tileN":256,"tileK":64},"tflops":687.2,"medianNs":50000.0,
            "ciLowNs":49500.0,"ciHighNs":50600.0,"ratioToBestPeer":0.994,"ratioToBestPeerCi":[0.987,1.001],
            "finishedAt":"2026-11-21T10:00:41Z"}]}""";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private HttpServer server;
    private String answer = ONE;
    private String asked = "";

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/best", exchange -> {
            try (exchange) {
                asked = exchange.getRequestURI().toString();
                byte[] body = answer.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private int best(String... question) {
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        String[] arguments = new String[question.length + 3];
        arguments[0] = "best";
        arguments[1] = "--api";
        arguments[2] = "http://127.0.0.1:" + server.getAddress().getPort();
        System.arraycopy(question, 0, arguments, 3, question.length);
        return RootCommand.commandLine(Map.of(), new BestCommand(Map.of(), stream, stream))
                .execute(arguments);
    }

    @Test
    void showsWhatIsKnown() {
        assertThat(best("--shape", "8192x4096x512", "--testbed", "H200 x")).isZero();

        assertThat(asked).isEqualTo("/api/v1/best?shape=8192x4096x512&testbed=H200+x");
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(
                        "static 128x256x64",
                        "50.0    687.2  1594    69.4 %",
                        "0.994 [0.987, 1.001]",
                        "2026-11-21T10:00:41Z");
    }

    @Test
    void saysWhichVersionOfABundleIsMeantAndWhatIsStale() {
        answer = ONE.replaceFirst("\"family\":\"[^\"]*\"", "\"family\":\"bundle:mine@0123456789abcdef\"")
                .replace("\"finishedAt\"", "\"stale\":\"measured with driver 1; workers offer 2\",\"finishedAt\"");
        assertThat(best("--family", "bundle:mine")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .contains(
                        "bundle:mine is its newest version with a final here, bundle:mine@0123456789abcdef",
                        "1 of these may be best no longer: measured with driver 1; workers offer 2; tilewright refresh"
                                + " times them again");
        out.reset();
        assertThat(best("--family", "bundle:mine@0123456789abcdef")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).doesNotContain("newest version");
    }

    @Test
    void asksForOneProblemThatIsNotPlain() {
        answer = ONE.replace(
                "\"k\":512,\"dtype\":\"bf16\"", "\"k\":512,\"types\":{\"a\":\"f16\",\"b\":\"f16\",\"d\":\"f32\"}");
        assertThat(best("--shape", "8192x4096x512", "--types", "f16,f16,f32")).isZero();
        assertThat(asked)
                .isEqualTo("/api/v1/best?shape=8192x4096x512&types=f16%2Cf16%2Cf32&major=k%2Ck%2Cn&batch=1"
                        + "&overlap=false");
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("8192x4096x512 f16,f16,f32");
        assertThat(best("--shape", "8192x4096x512", "--dtype", "e4m3", "--scales", "row"))
                .isZero();
        assertThat(asked)
                .isEqualTo("/api/v1/best?shape=8192x4096x512&types=e4m3%2Ce4m3%2Cbf16&major=k%2Ck%2Cn&batch=1"
                        + "&overlap=false&scales=row");
        assertThat(best("--dtype", "f16")).isZero();
        assertThat(asked).isEqualTo("/api/v1/best?dtype=f16");
        assertThat(best("--shape", "8192x4096x512", "--dtype", "f16")).isZero();
        assertThat(asked).isEqualTo("/api/v1/best?shape=8192x4096x512&dtype=f16");
        assertThat(best("--types", "f16,f16,f32")).isEqualTo(2);
        assertThat(best("--shape", "8x8x8", "--shape", "16x8x8")).isEqualTo(2);
    }

    @Test
    void exitsWith1WhenNothingIsKnown() {
        answer = "{\"note\":\"real GPUs alone\",\"items\":[]}";

        assertThat(best("--shape", "8192x4096x512")).isEqualTo(1);

        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith("no best config is known for shape 8192x4096x512: only finals on a real GPU make one");
    }
}
