package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tilewright.worker.link.probe.DeviceProbe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code compare --api} against an API that answers from a script. */
@Timeout(60)
class CompareCommandTest {

    private static final String TRIAL = "3153c195-457f-432b-af6c-aa492dbe5604";

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private HttpServer server;
    private String asked = "";
    private String verdict = "slower";
    private int polls;
    private int uploaded;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/comparisons", exchange -> {
            try (exchange) {
                if (exchange.getRequestMethod().equals("POST")) {
                    asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                    answer(exchange, 202, document("queued", "null", "null"));
                } else {
                    polls++;
                    answer(exchange, 200, polls < 3 ? document("leased", "null", "null") : ended());
                }
            }
        });
        server.createContext("/api/v1/bundles", exchange -> {
            try (exchange) {
                uploaded = exchange.getRequestBody().readAllBytes().length;
                answer(exchange, 201, """
                        {"name":"ptx-bias-relu","family":"bundle:ptx-bias-relu@0123456789abcdef","hash":"01","bytes":9}""");
            }
        });
        server.start();
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static String document(String state, String result, String error) {
        return """
                {"id":"7a3be40c-56b1-402b-b07b-1b109bbcf5e0","state":"%s","problem":{"m":512,"n":256,"k":128},
                "first":{"type":"own","family":"sm90-gemm","config":{"scheduler":"static","tileM":128,"tileN":256}},
                "second":{"type":"peer","family":"cublaslt","algorithm":null},"measureEqual":false,"seed":1,
                "device":"auto","testbed":{"kind":"cuda","device":"NVIDIA H200","driver":"580","assembler":"ptxas 13",
                "smCount":132,"clockPolicy":"factory"},"result":%s,"error":%s}""".formatted(state, result, error);
    }

    private String ended() {
        if (verdict.equals("none")) {
            return document("failed", "null", "\"three workers were lost with it\"");
        }
        String blocks = IntStream.range(0, 20)
                .mapToObj(i -> block(i, "first", 10_200 + i) + "," + block(i, "cublaslt algorithm=0", 10_000))
                .collect(Collectors.joining(",", "[", "]"));
        return document("finished", """
                {"type":"compared","verdict":"%s","ratio":{"value":0.9795,"low":0.9791,"high":0.9799,"blocks":20},
                "first":{"name":"first","outcome":"completed","errorRatio":0.9,"log":""},
                "second":{"name":"cublaslt algorithm=0","outcome":"completed","errorRatio":0.9,"log":""},
                "blocks":%s,"discards":[],"doubts":[],"gpu":"GPU-1","gpuSeconds":0.7,"log":"libcublas 13"}""".formatted(verdict, blocks), "null");
    }

    private static String block(int index, String arm, double ns) {
        return """
                {"stage":"final","question":"same_clock","mode":"sustained","index":%d,"position":0,"arm":"%s",
                "launchNs":%s,"smClockMhz":1700.0,"powerWatts":null,"temperatureCelsius":null,"throttleReasons":0}""".formatted(index, arm, ns);
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private int compare(String... question) {
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        String[] arguments = Stream.concat(
                        Stream.of(
                                "compare",
                                "--api",
                                "http://127.0.0.1:" + server.getAddress().getPort()),
                        Stream.of(question))
                .toArray(String[]::new);
        return RootCommand.commandLine(
                        Map.of(), new CompareCommand(Map.of(), DeviceProbe.NoDriver::new, stream, stream))
                .execute(arguments);
    }

    private List<String> said() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void showsBothTheVerdictAndEveryBlock() throws IOException {
        Path json = folder.resolve("compared.json");
        assertThat(compare("scheduler=static tileM=128", "cublaslt", "--shape", "512x256x128", "--json", "" + json))
                .isZero();
        assertThat(asked)
                .contains("\"first\":{\"config\":\"scheduler=static tileM=128\"}")
                .contains("\"second\":{\"peer\":\"cublaslt\"}")
                .contains("\"m\":512");
        assertThat(said())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("first:   static tileM=128 tileN=256")
                        .endsWith("10.21 us at 1700 MHz"))
                .contains(
                        "second:  cublaslt algorithm=0; 10.00 us at 1700 MHz",
                        "verdict: slower: the first is slower by more than 0.5 %; its speed is 0.9795 times that of the"
                                + " second, [0.9791, 0.9799], from 20 blocks",
                        "how much faster the first was in each of 20 blocks:",
                        "libcublas 13")
                .filteredOn(line -> line.endsWith(" %") || line.contains(" % |"))
                .hasSizeGreaterThan(5);
        assertThat(Files.readString(json)).contains("\"launchNs\"");
    }

    @Test
    void aTrialBringsItsProblemAndAPeersKernelHasANumber() {
        assertThat(compare(TRIAL, "cublaslt:3", "--measure-equal")).isZero();
        assertThat(asked)
                .contains("\"first\":{\"trial\":\"" + TRIAL + "\"}")
                .contains("\"algorithm\":\"3\"")
                .contains("\"measureEqual\":true")
                .doesNotContain("\"problem\"");
    }

    @Test
    void aConfigMayFollowItsFamily() {
        assertThat(compare(
                        "cublaslt algorithmId=66 tileId=23",
                        "sm90-gemm static 128x256x64 s4",
                        "--shape",
                        "512x256x128"))
                .isZero();
        assertThat(asked)
                .contains("\"first\":{\"family\":\"cublaslt\",\"config\":\"algorithmId=66 tileId=23\"}")
                .contains("\"second\":{\"family\":\"sm90-gemm\",\"config\":\"static 128x256x64 s4\"}");
    }

    @Test
    void aBundleIsOneArgumentAndItsValuesFollow() {
        assertThat(compare("bundle:one", "bundle:theirs@0123456789abcdef TILE=32 order=alongM", "--shape", "8x8x8"))
                .isZero();
        assertThat(asked)
                .contains("\"first\":{\"family\":\"bundle:one\"}")
                .contains("\"second\":{\"family\":\"bundle:theirs@0123456789abcdef\","
                        + "\"config\":\"TILE=32 order=alongM\"}");
    }

    /** It goes to the service first; the problem has its types. */
    @Test
    void aFolderIsABundleToo() {
        String folderOfIt = Path.of("../../docs/examples/bundles/ptx-bias-relu").toString();
        assertThat(compare(folderOfIt + " tile=16", "a=1", "--family", "sm90-gemm", "--shape", "64x64x64"))
                .isZero();
        assertThat(uploaded).isPositive();
        assertThat(asked)
                .contains("\"first\":{\"family\":\"bundle:ptx-bias-relu@0123456789abcdef\",\"config\":\"tile=16\"}")
                .contains("\"second\":{\"family\":\"sm90-gemm\",\"config\":\"a=1\"}")
                .contains("\"dtype\":\"f32\"", "\"b\":\"n\"");
    }

    @Test
    void theSecondIsSlowed() {
        assertThat(compare(TRIAL, TRIAL, "--slowed", "0.01")).isZero();
        assertThat(asked)
                .contains("\"first\":{\"trial\":\"" + TRIAL + "\"}")
                .contains("\"second\":{\"trial\":\"" + TRIAL + "\",\"slowedBy\":0.01}");
    }

    @Test
    void whatIsNoKernelIsWrongUsage() {
        assertThat(compare("clblast TILE=3", "a=1", "--shape", "8x8x8")).isEqualTo(2);
        assertThat(compare("no/such/folder", "a=1", "--shape", "8x8x8")).isEqualTo(2);
        assertThat(compare("a=1", "a=1", "--shape", "8x8x8", "--slowed", "0.6")).isEqualTo(2);
        assertThat(asked).isEmpty();
        assertThatThrownBy(() -> ComparedKernel.read("FIRST", "clblast TILE=3"))
                .hasMessageStartingWith("FIRST: a kernel is a trial's id")
                .hasMessageEndingWith("got 'clblast TILE=3'");
        assertThatThrownBy(() -> ComparedKernel.read("FIRST", "static 128x128 s6"))
                .hasMessageEndingWith("got 'static 128x128 s6'");
        assertThatThrownBy(() -> ComparedKernel.read("FIRST", "no/such/folder TILE=3"))
                .hasMessage("no/such/folder: there is no such folder or zip");
    }

    @ParameterizedTest
    @CsvSource({"faster, 0", "same, 0", "equal, 0", "invalid, 1", "inconclusive, 3", "none, 4"})
    void theExitCodeSaysHowItWent(String answer, int exit) {
        verdict = answer;
        assertThat(compare(TRIAL, "cublaslt")).isEqualTo(exit);
    }

    @Test
    void oneProblemOnARealGpu() {
        assertThat(compare("a=1", "b=2")).isEqualTo(2);
        assertThat(compare("a=1", "b=2", "--shape", "8x8x8", "--shape", "16x8x8"))
                .isEqualTo(2);
        assertThat(compare(TRIAL, "cublaslt", "--device", "simulated:h200")).isEqualTo(2);
        assertThat(compare(TRIAL, "cublaslt", "--launch-overlap"))
                .as("the trial has a problem of its own")
                .isEqualTo(2);
        assertThat(asked).isEmpty();
    }
}
