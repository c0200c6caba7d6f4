package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.space.Config;
import dev.tilewright.testing.Python;
import dev.tilewright.worker.cli.export.TextAssembler;
import dev.tilewright.worker.cli.program.RunCommand;
import dev.tilewright.worker.link.json.Json;
import dev.tilewright.worker.link.process.ProgramRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** {@code apply}, and the package that it writes, with as much of PyTorch as the package asks before it serves. */
@Timeout(120)
class ApplyCommandTest {

    /** A pack has kernels for the first three; the others show why not. */
    private static final String RECORDING = """
            {"schemaVersion": 1, "program": ["python3", "serve.py"], "end": "finished", "seconds": 1,
             "observedSeconds": 1, "versions": {"torch": "2.11.0"}, "device": null,
             "notProfiled": "there is no GPU to profile", "problems": [
             {"n": 264, "k": 128, "batch": 1, "types": "bf16,bf16,bf16", "major": "k,k,n", "epilogue": "",
              "scales": "tensor", "aligned": true, "ops": ["mm"], "rows": [
              {"m": 16, "calls": 10, "replays": 5}, {"m": 72, "calls": 3, "replays": 0}]},
             {"n": 264, "k": 128, "batch": 1, "types": "bf16,bf16,bf16", "major": "m,n,n", "epilogue": "alpha=0.5,bias",
              "scales": "tensor", "aligned": true, "ops": ["addmm"], "rows": [
              {"m": 72, "calls": 3, "replays": 0}, {"m": 80, "calls": 3, "replays": 0}]},
             {"n": 256, "k": 256, "batch": 1, "types": "e4m3,e4m3,bf16", "major": "k,k,n", "epilogue": "",
              "scales": "block", "aligned": true, "ops": ["_scaled_mm"], "rows": [
              {"m": 20, "calls": 3, "replays": 0}]},
             {"n": 256, "k": 256, "batch": 1, "types": "e4m3,e4m3,bf16", "major": "k,k,n", "epilogue": "",
              "scales": "tensor", "aligned": true, "ops": ["_scaled_mm"], "rows": [
              {"m": 20, "calls": 3, "replays": 0}]},
             {"n": 64, "k": 64, "batch": 4, "types": "bf16,bf16,bf16", "major": "k,k,n", "epilogue": "",
              "scales": "tensor", "aligned": true, "ops": ["bmm"], "rows": [{"m": 8, "calls": 3, "replays": 0}]},
             {"n": 64, "k": 64, "batch": 1, "types": "bf16,bf16,bf16", "major": "k,k,n", "epilogue": "", "why":
              "not replaceable: sizes on the device",
              "scales": "tensor", "aligned": true, "ops": ["_grouped_mm"], "rows": [
              {"m": 8, "calls": 3, "replays": 0}]}]}
            """;

    /** A GPU, a compiler and the functions of the binding, as far as the package looks at them. */
    private static final String TORCH = """
            import os, types
            __version__ = os.environ.get("STUB_TORCH", "2.11.0+cu130")
            _properties = types.SimpleNamespace(name=os.environ.get("STUB_GPU", "NVIDIA H200"), major=9, minor=0,
                multi_processor_count=int(os.environ.get("STUB_SMS", "132")))
            cuda = types.SimpleNamespace(
                is_available=lambda: os.environ.get("STUB_GPU") != "none", device_count=lambda: 1,
                get_device_properties=lambda index: _properties, _lazy_call=lambda call: call())
            class _Binding:
                def turn(self, on): print("turned", "on" if on else "off")
                def reset(self): pass
                def counts(self):
                    return '{"served": [["%s", 16, 40], ["%s", 72, 2]], "missed": [["mm", 9, 264, 128,'\\
                        ' "BFloat16,BFloat16", "no kernel for this M", 3]]}' % ((os.environ["STUB_NAME"],) * 2)
            class _Ops:
                def __getattr__(self, name):
                    print("binding", name)
                    return _Binding()
            ops = _Ops()
            """;

    private static final String EXTENSION = """
            import os
            def load(name, sources, **options):
                missing = [source for source in sources if not os.path.isfile(source)]
                assert not missing, missing
                if os.environ.get("STUB_COMPILER") == "none":
                    raise RuntimeError("Error building extension\\nfatal error: cuda_runtime_api.h: No such file")
                print("built of", len(sources), "sources")
            """;

    /** Of the rehearsal, which takes seconds. */
    @TempDir
    private static Path shared;

    private static Seen rehearsed = new Seen(-1, List.of(), "");

    @TempDir
    private Path folder;

    private record Seen(int exit, List<String> out, String err) {}

    @BeforeAll
    static void rehearse() throws IOException {
        rehearsed = tilewright(
                "apply",
                Files.writeString(shared.resolve("capture.json"), RECORDING).toString(),
                "--to",
                shared.resolve("served").toString(),
                "--device",
                "simulated:h200",
                "--least-share",
                "0");
        writeTorch(shared);
    }

    private static Seen tilewright(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        StringWriter err = new StringWriter();
        CommandLine verbs = RootCommand.commandLine(
                Map.of(),
                new ApplyCommand(
                        GemmFamilies.standard(),
                        Map.of(),
                        (_, _) -> new TextAssembler.Outcome.Unavailable("no ptxas in a test"),
                        stream,
                        stream),
                new CommandLine(new RunCommand(Map.of())).setStopAtPositional(true));
        verbs.setErr(new PrintWriter(err, true));
        int exit = verbs.execute(arguments);
        return new Seen(exit, out.toString(StandardCharsets.UTF_8).lines().toList(), err.toString());
    }

    private Path recording() throws IOException {
        return Files.writeString(folder.resolve("capture.json"), RECORDING);
    }

    private static JsonNode manifest(Path pack) throws IOException {
        return Json.mapper().readTree(Files.readString(pack.resolve("pack.json")));
    }

    private static ProgramRun.Ended ran(Path where, Map<String, String> environment, String... command)
            throws Exception {
        List<String> whole = new ArrayList<>(List.of("env", "PYTHONDONTWRITEBYTECODE=1"));
        environment.forEach((name, value) -> whole.add(name + "=" + value));
        whole.addAll(List.of(command));
        return new ProgramRun(whole, where, Duration.ofSeconds(60), 1 << 20).run();
    }

    private static void writeTorch(Path folder) throws IOException {
        Files.createDirectories(folder.resolve("torch/utils"));
        Files.writeString(folder.resolve("torch/__init__.py"), TORCH);
        Files.writeString(folder.resolve("torch/utils/__init__.py"), "");
        Files.writeString(folder.resolve("torch/utils/cpp_extension.py"), EXTENSION);
    }

    private static Document parsed(Path page) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(page.toFile());
    }

    @Test
    void aRehearsalSaysWhatIsServedAndWhatIsNot() throws Exception {
        Path pack = shared.resolve("served");
        Seen seen = rehearsed;
        assertThat(seen.exit()).isZero();
        assertThat(seen.out())
                .anyMatch(line -> line.contains("16x264x128 bf16,bf16,bf16 ") && line.contains(" - "))
                .anyMatch(line -> line.endsWith("none: a pack replaces mm, addmm, _scaled_mm alone"))
                .anyMatch(line ->
                        line.endsWith("none: one scale a tensor lies on the GPU, and kernels take it from the host"))
                .anyMatch(line -> line.endsWith("none: not replaceable: sizes on the device"))
                .anyMatch(line -> line.contains("no cubin") && line.contains("no ptxas in a test"))
                .anyMatch(line -> line.contains("5 problems, simulated h200") && line.endsWith("never measured"));
        JsonNode manifest = manifest(pack);
        assertThat(manifest.get("kind").asString()).isEqualTo("simulated");
        assertThat(manifest.get("device").isNull()).isTrue();
        assertThat(manifest.get("program")).hasSize(2);
        // A lies along M in the second: each of its M is a pitch, and a product of its own.
        assertThat(manifest.get("problems")).hasSize(4);
        assertThat(manifest.get("problems")
                        .valueStream()
                        .map(each -> each.get("rows").size()))
                .containsExactlyInAnyOrder(2, 1, 1, 1);
        assertThat(manifest.get("notReplaced")).hasSize(3);
        assertThat(pack.resolve("report.html"))
                .content()
                .contains(
                        "SIMULATED: a model chose these kernels",
                        "never measured",
                        "<title>Tilewright: python3 serve.py")
                .contains("class=\"untimed\"", "class=\"left\"")
                .doesNotContain("<script", "http");
        assertThat(parsed(pack.resolve("report.html"))
                        .getElementsByTagName("tr")
                        .getLength())
                .isEqualTo(9);
        assertThat(pack.resolve("report.md"))
                .content()
                .startsWith("# The GEMMs of `python3 serve.py`\n\n**SIMULATED: ")
                .contains("| none: not replaceable: sizes on the device |");

        ProgramRun.Ended described = ran(shared, Map.of(), Python.program(), "served/__init__.py");
        assertThat(described.out())
                .startsWith("pack " + manifest.get("hash").asString() + ": simulated h200")
                .contains("Mx264x128 bf16,bf16,bf16\n    M = 16 to 16: ")
                .contains("not replaced: 8x64x64 bf16,bf16,bf16 x 4: a pack replaces mm, addmm, _scaled_mm alone");
        try (Stream<Path> files = Files.walk(pack)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".c")).toList()) {
                assertThat(ran(
                                shared,
                                Map.of(),
                                "gcc",
                                "-x",
                                file.toString().endsWith("_test.c") ? "c" : "c++",
                                "-Wall",
                                "-fsyntax-only",
                                file.toString()))
                        .isEqualTo(new ProgramRun.Ended(0, "", ""));
            }
        }
    }

    @Test
    void whatFitsIsServedAndTheRestIsOff() throws Exception {
        Path pack = shared.resolve("served");
        String name = manifest(pack)
                .get("problems")
                .valueStream()
                .filter(each -> each.get("rows").size() == 2)
                .findFirst()
                .orElseThrow()
                .get("name")
                .asString();
        Files.writeString(shared.resolve("program.py"), """
                import served
                print(served.enable(), served.report()["served"], served.summary())
                served.disable()
                """);

        ProgramRun.Ended ended = ran(shared, Map.of("STUB_NAME", name), Python.program(), "program.py");
        String hash = manifest(pack).get("hash").asString();
        assertThat(ended.out().lines())
                .containsExactly(
                        "built of 9 sources",
                        "binding tilewright_pack_" + hash,
                        "turned on",
                        "True 42 tilewright pack " + hash
                                + ": served 42 of 45 products; most missed: mm 9x264x128, no kernel for this M",
                        "turned off");

        Map<String, String> off = Map.of(
                "STUB_GPU=none", "there is no GPU",
                "STUB_SMS=78", "its grids are for 132 SMs, GPU 0 has 78",
                "STUB_TORCH=2.4.1", "PyTorch must be 2.5 or later, got 2.4.1",
                "STUB_COMPILER=none", "no binding in C++: fatal error: cuda_runtime_api.h: No such file");
        for (Map.Entry<String, String> each : off.entrySet()) {
            ProgramRun.Ended without = ran(
                    shared,
                    Map.of(),
                    "env",
                    each.getKey(),
                    Python.program(),
                    "-c",
                    "import served; print(served.enable())");
            assertThat(without.out()).endsWith("False\n");
            assertThat(without.err()).isEqualTo("tilewright pack " + hash + ": off: " + each.getValue() + "\n");
        }
        Path source = pack.resolve(name).resolve(name + ".c");
        String text = Files.readString(source);
        Files.writeString(source, text + "\n");
        assertThat(ran(shared, Map.of(), Python.program(), "-c", "import served; print(served.enable())")
                        .err())
                .contains("off: its files are not those that were written: ");
        Files.writeString(source, text);
    }

    @Test
    void aProgramRunsWithAPack() throws Exception {
        Path pack = shared.resolve("served");
        Files.writeString(
                shared.resolve("program.py"),
                "import torch, sys\nprint(sys.argv[1:], sys.modules['tilewright_pack'].HASH)\nsys.exit(7)\n");

        // The program has the output of this process.
        Seen seen = tilewright(
                "run",
                "--pack",
                pack.toString(),
                "--",
                "env",
                "PYTHONDONTWRITEBYTECODE=1",
                "STUB_NAME=x",
                "sh",
                "-c",
                "cd " + shared
                        + " && PYTHONPATH=$PYTHONPATH:. python3 program.py --steps 3 > out 2> err; echo $? > code");

        assertThat(seen.exit()).isZero();
        assertThat(Files.readString(shared.resolve("code"))).isEqualTo("7\n");
        String hash = manifest(pack).get("hash").asString();
        assertThat(Files.readString(shared.resolve("out"))).endsWith("['--steps', '3'] " + hash + "\n");
        assertThat(Files.readString(shared.resolve("err")))
                .startsWith("tilewright pack " + hash + ": served 42 of 45 products");
    }

    private static String best(String device, String driver, double us, double ratio, double upTo) {
        return """
                {"family":"sm90-gemm","testbed":{"kind":"cuda","device":"%s","driver":"%s","assembler":"ptxas 13",\
                "smCount":132,"clockPolicy":"factory"},"config":%s,"tflops":100.0,"us":%s,"medianNs":5000.0,\
                "ratioToDefault":%s,"ratioToDefaultCi":[%s,%s],"trialId":"0190aaaa-0000-7000-8000-000000000001"}""".formatted(
                        device,
                        driver,
                        Json.mapper().writeValueAsString(Config.parse(ExportCommandTest.CONFIG)),
                        us,
                        ratio,
                        ratio - 0.01,
                        upTo);
    }

    private Seen measured(Map<String, List<String>> items) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                String query = exchange.getRequestURI().getQuery();
                List<String> known = items.entrySet().stream()
                        .filter(each -> query.contains("shape=" + each.getKey() + "&"))
                        .findFirst()
                        .map(Map.Entry::getValue)
                        .orElse(List.of());
                byte[] body = ("{\"note\":\"\",\"items\":[" + String.join(",", known) + "]}")
                        .getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().add("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        try {
            return tilewright(
                    "apply",
                    recording().toString(),
                    "--to",
                    folder.resolve("served").toString(),
                    "--least-share",
                    "0",
                    "--api",
                    "http://127.0.0.1:" + server.getAddress().getPort());
        } finally {
            server.stop(0);
        }
    }

    @Test
    void whatWasMeasuredIsServedWhereItIsNotSlower() throws Exception {
        Seen seen = measured(Map.of(
                "16x264x128", List.of(best("NVIDIA H200", "580", 4.0, 1.25, 1.26)),
                "72x264x128", List.of(best("NVIDIA H200", "580", 4.0, 0.95, 0.96)),
                "20x256x256", List.of(best("NVIDIA H200", "550", 4.0, 1.25, 1.26))));

        assertThat(seen.exit()).as(seen.toString()).isZero();
        assertThat(seen.out())
                .anyMatch(line -> line.contains("16x264x128 ") && line.contains("  4.0         5.0  "))
                .anyMatch(line -> line.endsWith("none: the vendor's kernel is faster: 3.8 us beside 4.0 us"))
                .anyMatch(line -> line.endsWith("none: not tuned"))
                .anyMatch(line -> line.endsWith("1 problem, measured on NVIDIA H200 with driver 580"));
        JsonNode manifest = manifest(folder.resolve("served"));
        assertThat(manifest.get("kind").asString()).isEqualTo("measured");
        assertThat(manifest.get("device").asString()).isEqualTo("NVIDIA H200");
        assertThat(manifest.get("driver").asString()).isEqualTo("580");
        assertThat(folder.resolve("served/report.md"))
                .content()
                .doesNotContain("SIMULATED")
                .contains(" | 16x264x128 bf16,bf16,bf16 | 15 | - | 5.0 | 4.0 | +25.0 % | ");
        assertThat(folder.resolve("served/report.html")).content().contains("class=\"most\"", "5.0 us \u2192 4.0 us");
        JsonNode row = manifest.get("problems").get(0).get("rows").get(0);
        assertThat(manifest.get("problems").get(0).get("launches").asInt()).isEqualTo(15);
        assertThat(row.get("pytorchUs").asDouble()).isEqualTo(5.0);

        writeTorch(folder);
        ProgramRun.Ended ended = ran(
                folder,
                Map.of("STUB_NAME", manifest.get("problems").get(0).get("name").asString()),
                Python.program(),
                "-c",
                "import served; served.enable(); print('%.6f' % served.report()['secondsSaved'])");
        // 40 calls with M = 16; the one with 72 has no times.
        assertThat(ended.out()).endsWith("0.000040\n");
        assertThat(ran(
                                folder,
                                Map.of("STUB_GPU", "NVIDIA H100"),
                                Python.program(),
                                "-c",
                                "import served; served.enable()")
                        .err())
                .contains("off: it was measured on NVIDIA H200, GPU 0 is NVIDIA H100");
    }

    @Test
    void kernelsOfSeveralGpusAreNotMixed() throws Exception {
        Seen several = measured(Map.of(
                "16x264x128",
                List.of(best("NVIDIA H200", "580", 4.0, 1.25, 1.26), best("NVIDIA H100", "580", 4.0, 1.25, 1.26))));
        assertThat(several.exit()).isEqualTo(2);
        assertThat(several.err()).contains("--testbed: several GPUs have kernels; name one");
        Seen drivers = measured(Map.of(
                "16x264x128", List.of(best("NVIDIA H200", "580", 4.0, 1.25, 1.26)),
                "72x264x128", List.of(best("NVIDIA H200", "550", 4.0, 1.25, 1.26))));
        assertThat(drivers.out())
                .anyMatch(line -> line.contains("none: tuned on NVIDIA H200 with driver 5")
                        && line.contains(", the others on NVIDIA H200 with driver 5"));
    }

    @Test
    void withoutAnyKernelNothingIsWritten() throws Exception {
        Seen seen = measured(Map.of());
        assertThat(seen.exit()).isEqualTo(1);
        assertThat(seen.err()).contains("nothing of the recording can be replaced: ");
        assertThat(folder.resolve("served")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "apply REC --to my-pack --device simulated:h200 | --to: the name of the folder must be that of a Python"
                        + " package, got 'my-pack'",
                "apply REC --least-share 101 | --least-share: must be from 0 to 100, got 101.0",
                "apply REC --device h200 | --device: is simulated:GPU, the model's choice;",
                "apply REC --device simulated:h900 | --device: ",
                "apply REC --device simulated:h200 --testbed H200 | --testbed: is for kernels that were measured",
                "apply none.json --device simulated:h200 | RECORDING: none.json: cannot be read: ",
                "apply | RECORDING",
                "run --pack REC -- python3 x.py | --pack: ",
                "run | the program is missing; name it behind --"
            })
    void faultsAreNamed(String line, String message) throws IOException {
        String path = recording().toString();
        Seen seen = tilewright(Stream.of(line.split(" "))
                .map(word -> word.equals("REC") ? path : word)
                .toArray(String[]::new));
        assertThat(seen.exit()).isEqualTo(2);
        assertThat(seen.err()).contains(message);
    }

    @Test
    void aWrongFieldIsRefusedWithItsPointer() throws IOException {
        Path wrong = Files.writeString(folder.resolve("wrong.json"), RECORDING.replaceFirst("\"n\": 264", "\"n\": 0"));
        Seen seen = tilewright("apply", wrong.toString(), "--device", "simulated:h200");
        assertThat(seen.exit()).isEqualTo(2);
        assertThat(seen.err()).contains("/problems/0/n");
    }
}
