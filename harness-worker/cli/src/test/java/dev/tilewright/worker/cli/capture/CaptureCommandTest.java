package dev.tilewright.worker.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.testing.Python;
import dev.tilewright.worker.cli.RootCommand;
import dev.tilewright.worker.link.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code capture} with a stand-in for PyTorch that has the same hooks. */
@Timeout(60)
class CaptureCommandTest {

    /** Ends as it is told to, with two multiplications behind it. */
    private static final String ENDS = """
            import os, signal, sys, time
            import torch
            a = torch.empty((24, 64), torch.bfloat16, "cuda")
            b = torch.empty((64, 40), torch.bfloat16, "cuda")
            for _ in range(2):
                torch.mm(a, b)
            """;

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream notices = new ByteArrayOutputStream();
    private final StringWriter errors = new StringWriter();

    private static Path standIn() {
        return CaptureReaderTest.EXAMPLE
                .resolveSibling("stand-in")
                .toAbsolutePath()
                .normalize();
    }

    private int run(String... arguments) {
        CommandLine capture = new CommandLine(new CaptureCommand(
                        Map.of("PYTHONPATH", standIn().toString()),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(notices, true, StandardCharsets.UTF_8)))
                .setStopAtPositional(true);
        return RootCommand.commandLine(Map.of(), capture)
                .setErr(new PrintWriter(errors, true))
                .execute(Stream.concat(Stream.of("capture"), Stream.of(arguments))
                        .toArray(String[]::new));
    }

    private int captured(String text, String... arguments) throws IOException {
        Path program = Files.writeString(folder.resolve("program.py"), text);
        List<String> command = new ArrayList<>(
                List.of("--to", folder.resolve("out").toString(), "--", Python.program(), program.toString()));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new));
    }

    private String said() {
        return notices.toString(StandardCharsets.UTF_8).strip();
    }

    private ObjectNode file() throws IOException {
        return (ObjectNode) Json.mapper().readTree(folder.resolve("out").resolve("capture.json"));
    }

    /** The document of the examples is what the recording of the program beside it says. */
    @Test
    void theExampleIsWhatTheModuleWrites() throws IOException {
        Path kept = CaptureReaderTest.EXAMPLE.resolve("capture.json");
        int exit = run(
                "--to",
                folder.resolve("out").toString(),
                "--",
                Python.program(),
                CaptureReaderTest.EXAMPLE.resolve("program.py").toString());

        assertThat(exit).isZero();
        ObjectNode written = file();
        // A path, the clock and the machine's Python.
        written.putArray("program").add("python3").add("program.py");
        written.put("seconds", 0).put("observedSeconds", 0);
        ((ObjectNode) written.get("versions")).put("python", "3");
        if (Boolean.getBoolean("golden.accept")) {
            Files.writeString(kept, Json.pretty().writeValueAsString(written) + "\n");
        }
        assertThat((JsonNode) written).isEqualTo(Json.mapper().readTree(kept));
        assertThat(said())
                .matches("tilewright capture: 10 problems in 539 calls, GPU time was not profiled; .*capture\\.json");
    }

    @Test
    void theExitCodeIsTheProgramsAndWhatWasSeenIsKept() throws IOException {
        assertThat(captured(ENDS + "sys.exit(int(sys.argv[1]))", "7")).isEqualTo(7);
        assertThat(file().get("end").asString()).isEqualTo("finished");
        assertThat(said())
                .startsWith("tilewright capture: 1 problem in 2 calls")
                .hasLineCount(1);

        assertThat(captured(ENDS + "sys.stderr = None\nraise ValueError('no')")).isEqualTo(1);
        assertThat(file().get("end").asString()).isEqualTo("exception: ValueError");
        assertThat(file().at("/problems/0/rows/0/calls").asInt()).isEqualTo(2);

        assertThat(captured(ENDS + "os.kill(os.getpid(), signal.SIGTERM)\ntime.sleep(50)"))
                .isEqualTo(128 + 15);
        assertThat(file().get("end").asString()).isEqualTo("SIGTERM");
        assertThat(file().at("/problems/0/rows/0/calls").asInt()).isEqualTo(2);
    }

    /** A handler of the program decides, whether it was there before or came later. */
    @Test
    void theProgramsOwnHandlerOfASignalIsAsked() throws IOException {
        String handler = "signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))\n";
        String ends = "os.kill(os.getpid(), signal.SIGTERM)\ntime.sleep(50)";
        assertThat(captured(ENDS + handler + ends)).isEqualTo(9);
        assertThat(file().get("end").asString()).isEqualTo("finished");
        assertThat(captured("import signal, sys\n" + handler + ENDS + ends)).isEqualTo(9);
        assertThat(file().at("/problems/0/rows/0/calls").asInt()).isEqualTo(2);
    }

    /** A process that the program starts has a file of its own; a program with -m is recorded as well. */
    @Test
    void eachProcessHasItsFile() throws IOException {
        Files.writeString(folder.resolve("part.py"), ENDS);
        assertThat(captured("""
                import subprocess, sys, os
                import torch
                a = torch.empty((8, 16), torch.float16, "cuda")
                torch.mm(a, torch.empty((16, 8), torch.float16, "cuda"))
                sys.exit(subprocess.call([sys.executable, "-m", "part"], cwd=os.path.dirname(__file__)))
                """)).isZero();
        assertThat(file().at("/problems/0/n").asInt()).isEqualTo(8);
        try (Stream<Path> files = Files.list(folder.resolve("out"))) {
            assertThat(files.map(Path::getFileName).map(Path::toString))
                    .hasSize(2)
                    .anyMatch(name -> name.matches("capture-\\d+\\.json"));
        }
    }

    @Test
    void aProgramWithoutTorchSaysSo() throws IOException {
        assertThat(captured("print")).isZero();
        assertThat(said()).startsWith("tilewright capture: nothing was recorded: the program did not import torch");
        Path earlier = Files.writeString(folder.resolve("out").resolve("capture-rank1.json"), "{}");
        assertThat(run("--to", folder.resolve("out").toString(), "--", "no-such-program"))
                .isEqualTo(2);
        assertThat(earlier).as("of a program that ran").exists();
        assertThat(captured("print")).isZero();
        assertThat(earlier).doesNotExist();
        assertThat(errors.toString()).contains("no-such-program: cannot be run");
        assertThat(run()).isEqualTo(2);
        assertThat(errors.toString()).contains("the program is missing; name it behind --");
    }

    /** A file or a call that cannot be written or described is a line, and the program goes on as without it. */
    @Test
    void aFaultOfTheRecordingIsNotOneOfTheProgram() throws IOException {
        String full = "import tilewright_capture.document as d\n"
                + "def no(*_):\n    open(%r, 'a').write('x')\n    raise OSError('disk is full')\nd.write = no\n"
                        .replace("%r", "'" + folder.resolve("tried") + "'");
        assertThat(captured(ENDS + full + "sys.exit(3)")).isEqualTo(3);
        assertThat(captured(ENDS + full + "os.kill(os.getpid(), signal.SIGTERM)\ntime.sleep(50)"))
                .isEqualTo(128 + 15);
        assertThat(captured(ENDS + "sys.excepthook = lambda *_: os._exit(6)\nraise ValueError"))
                .isEqualTo(6);
        assertThat(captured(
                        "import os, sys\nsys.excepthook = lambda *_: os._exit(6)\n" + ENDS + full + "raise ValueError"))
                .isEqualTo(6);
        assertThat(Files.readString(folder.resolve("tried"))).isEqualTo("xxx");

        assertThat(captured(ENDS + """
                class Sparse(torch.Tensor):
                    def data_ptr(self):
                        raise RuntimeError("no storage")
                torch.mm(a, Sparse((64, 40), torch.bfloat16, None, "cuda"))
                torch.mm(a, b, out=Sparse((24, 40), torch.bfloat16, None, "cuda"))
                torch.mm(a, b)
                torch.nn.functional.relu(Sparse((24, 40), torch.bfloat16, None, "cuda"))
                for beta in (float("nan"), float("inf")):
                    torch.addmm(torch.empty((24, 40), torch.bfloat16, "cuda"), a, b, beta=beta)
                torch.addmm(torch.empty((24, 40), torch.bfloat16, "cuda"), a, b, beta="much")
                """)).as(said()).isZero();
        assertThat(file().get("problems").toString())
                .contains("a factor is nan", "a factor is inf", "cannot be described: TypeError");
        assertThat(file().get("faults").toString()).contains("\"mm\":", "\"relu\":");
    }

    /** One that looks whether there is a PyTorch has not imported it. */
    @Test
    void aProgramMayLookForTorchFirst() throws IOException {
        assertThat(captured("import importlib.util\nassert importlib.util.find_spec('torch')\n" + ENDS))
                .isZero();
        assertThat(file().at("/problems/0/rows/0/calls").asInt()).isEqualTo(2);
    }

    /** Each operator: what it computes, or why no kernel of ours does. */
    @Test
    void aCallIsAProblemOrSaysWhyNot() throws IOException {
        assertThat(captured("""
                import torch
                from torch import bfloat16 as h, float8_e4m3fn as q, float32 as f
                def t(*shape, dtype=h, stride=None):
                    return torch.Tensor(shape, dtype, stride, "cuda")
                torch.mm(t(24, 64), t(40, 64).t())
                torch.mm(t(64, 24).t(), t(64, 40))
                torch.mm(t(24, 64), t(64, 40), out=t(24, 40))
                torch.mm(t(24, 64, stride=(128, 1)), t(64, 40))
                torch.mm(t(24, 64, dtype="float64"), t(64, 40, dtype="float64"))
                torch.mm(torch.empty((24, 64), h), torch.empty((64, 40), h))  # Of the CPU.
                torch.mm(t(0, 64), t(64, 40))
                torch.nn.functional.relu(torch.addmm(t(40), t(24, 64), t(64, 40)))
                torch.addmm(t(24, 40), t(24, 64), t(64, 40), beta=0.5, alpha=2)
                torch.addmm(t(24, 1), t(24, 64), t(64, 40))
                torch.bmm(t(3, 24, 64), t(3, 64, 40))
                torch.baddbmm(t(3, 24, 40), t(3, 24, 64), t(3, 64, 40), beta=0)
                torch._scaled_mm(t(24, 256, dtype=q), t(40, 256, dtype=q).t(), t(1, dtype=f), t(1, dtype=f), out_dtype=h)
                torch._scaled_mm(t(24, 256, dtype=q), t(40, 256, dtype=q).t(), t(24, 1, dtype=f), t(1, 40, dtype=f),
                    None, None, h, True)
                torch._scaled_mm(t(24, 256, dtype=q), t(40, 256, dtype=q).t(), t(24, 2, dtype=f), t(2, 1, dtype=f), t(40),
                    None, h)
                torch._scaled_mm(t(24, 256, dtype=q), t(40, 256, dtype=q).t(), t(24, 16, dtype=f), t(16, 40, dtype=f))
                torch._grouped_mm(t(96, 64), t(4, 64, 40), t(4))
                """)).as(said()).isZero();

        assertThat(file().has("faults")).isFalse();
        List<String> problems = new ArrayList<>();
        for (JsonNode problem : file().get("problems")) {
            for (JsonNode row : problem.get("rows")) {
                problems.add(row.get("m").asInt() + "x" + problem.get("n") + "x" + problem.get("k") + " "
                        + problem.get("batch") + " "
                        + Stream.of("types", "major", "epilogue", "scales", "why")
                                .map(key -> problem.path(key).asString(""))
                                .reduce((a, b) -> a + " " + b)
                                .orElseThrow()
                        + problem.path("behind").toString() + " " + row.get("calls"));
            }
        }
        String bf16 = "24x40x64 1 bf16,bf16,bf16 ";
        String fp8 = "24x40x256 1 e4m3,e4m3,bf16 ";
        assertThat(problems)
                .containsExactlyInAnyOrder(
                        bf16 + "k,k,n  tensor  1",
                        bf16 + "m,n,n  tensor  1",
                        bf16 + "k,n,n  tensor  1",
                        bf16 + "k,k,n  tensor A is not packed: 24 x 64 elements with strides 128 and 1 1",
                        "24x40x64 1 float64,float64,float64 k,k,n  tensor no kernel has the type float64 1",
                        bf16 + "k,n,n bias tensor {\"relu\":1} 1",
                        bf16 + "k,n,n alpha=2,beta=0.5 tensor  1",
                        bf16 + "k,n,n  tensor what is added has the shape [24, 1] and the strides [1, 1] 1",
                        "24x40x64 3 bf16,bf16,bf16 k,n,n  tensor  2",
                        fp8 + "k,k,n  tensor  1",
                        fp8 + "k,k,n  row  1",
                        fp8 + "k,k,n bias block  1",
                        "24x40x256 1 e4m3,e4m3,e4m3 k,k,n  tensor scales of the shapes [24, 16] and [16, 40] 1",
                        "96x40x64 1 bf16,bf16,bf16 k,k,n  tensor not replaceable: sizes on the device 1");
    }

    /** Calls in a graph count as often as it is replayed; those of a graph that never was count for nothing. */
    @Test
    void aGraphCountsByItsReplays() throws IOException {
        assertThat(captured("""
                import torch
                def t(*shape):
                    return torch.empty(shape, torch.bfloat16, "cuda")
                used, unused = torch.cuda.CUDAGraph(), torch.cuda.CUDAGraph()
                with torch.cuda.graph(used):
                    torch.nn.functional.silu(torch.mm(t(8, 64), t(64, 40)))
                    torch.mm(t(8, 64), t(64, 40))
                with torch.cuda.graph(unused):
                    torch.mm(t(16, 64), t(64, 40))
                for _ in range(5):
                    used.replay()
                torch.mm(t(8, 64), t(64, 40))
                """)).isZero();
        assertThat(file().at("/problems/0/rows").toString()).isEqualTo("[{\"m\":8,\"calls\":1,\"replays\":10}]");
        assertThat(file().at("/problems/0/behind/silu").asInt()).isEqualTo(5);
    }

    /** Graphs that are captured in a pause of the counting are counted, and hooks that are missing are named. */
    @Test
    void aPauseLosesNoGraphAndAMissingHookIsNamed() throws IOException, InterruptedException {
        assertThat(run("--module", folder.toString())).isZero();
        assertThat(python("""
                import torch, tilewright_capture
                a, b = torch.empty((8, 64), torch.bfloat16, "cuda"), torch.empty((64, 40), torch.bfloat16, "cuda")
                with tilewright_capture.recording("out") as recorder:
                    recorder.calls.remove()
                    torch.mm(a, b)
                    graph = torch.cuda.CUDAGraph()
                    with torch.cuda.graph(graph):
                        torch.mm(a, b)
                        recorder._due = "remove"
                        recorder._in_main_thread(None)
                        assert recorder.calls.installed
                    graph.replay()
                    graph.replay()
                """)).isEmpty();
        assertThat(file().at("/problems/0/rows").toString()).isEqualTo("[{\"m\":8,\"calls\":0,\"replays\":2}]");

        assertThat(python("""
                import torch, tilewright_capture
                torch.cuda.is_available = lambda: True
                del torch.cuda.CUDAGraph
                with tilewright_capture.recording("out"):
                    pass
                del torch.library.Library
                with tilewright_capture.recording("out") as recorder:
                    assert recorder is None
                """).lines())
                .satisfiesExactly(
                        line -> assertThat(line).contains("torch.cuda.CUDAGraph is missing"),
                        line -> assertThat(line).contains("torch.autograd.profiler is missing"),
                        line -> assertThat(line).contains("nothing is recorded: AttributeError", "Library"));
    }

    /** A pause of the counting says nothing about the trace: its kernels get the names of their calls. */
    @Test
    void aTraceInAPauseNamesItsKernels() throws IOException, InterruptedException {
        assertThat(run("--module", folder.toString())).isZero();
        assertThat(python("""
                import contextlib, os, types, torch, tilewright_capture
                torch.version = types.SimpleNamespace(cuda="13.0")
                a, b = torch.empty((8, 64), torch.bfloat16, "cuda"), torch.empty((64, 40), torch.bfloat16, "cuda")
                ranges, profiles = [], []

                def event(name, start, duration, marks):
                    said = dict(name=name, device_type="DeviceType.CUDA", is_user_annotation=marks, start_ns=start,
                                duration_ns=duration, correlation_id=start, device_resource_id=7)
                    return types.SimpleNamespace(**{key: (lambda value=value: value) for key, value in said.items()})

                class profile:
                    def __init__(self, use_device, use_kineto):
                        assert use_device == "cuda" and use_kineto
                        self.kineto_results = types.SimpleNamespace(events=self.events)
                        self.calls = []
                        profiles.append(self)
                    def __enter__(self):
                        assert os.environ["TEARDOWN_CUPTI"] == "1", "or else CUPTI slows the rest of the program"
                        return self
                    def __exit__(self, *_):
                        self.calls, ranges[:] = list(ranges), []
                    def events(self):
                        for i, name in enumerate(self.calls):
                            yield event(name, 100 * i, 30, True)
                            yield event("nvjet_sm90", 100 * i, 20, False)
                            yield event("elementwise", 100 * i + 50, 20, False)

                @contextlib.contextmanager
                def record_function(name):
                    ranges.append(name)
                    yield

                torch.autograd = types.SimpleNamespace(
                    profiler=types.SimpleNamespace(profile=profile, record_function=record_function))
                torch.cuda.synchronize = lambda: None
                torch.cuda.is_current_stream_capturing = lambda: False
                with tilewright_capture.recording("out") as recorder:
                    torch.mm(a, b)
                    recorder.calls.remove()
                    recorder._due = "start"
                    recorder._in_main_thread(None)
                    torch.mm(a, b)
                    torch.mm(a, b)
                    recorder._due = "stop"
                    recorder._in_main_thread(None)
                    assert len(profiles) == 1
                    gpu = recorder.document("finished", 1.0)["gpu"]
                    assert (gpu["gemmShare"], gpu["unattributedShare"]) == (0.5, 0.0), gpu
                """)).isEmpty();
        assertThat(file().at("/problems/0/rows").toString())
                .isEqualTo("[{\"m\":8,\"calls\":3,\"replays\":0,\"timeShare\":0.5,\"us\":0.02}]");
    }

    /** In Python; and the arithmetic of pace and trace, which a program shows only after a while. */
    @Test
    void theModuleRecordsAPartOfAProgram() throws IOException, InterruptedException {
        assertThat(run("--module", folder.toString())).isZero();
        assertThat(python("""
                import torch, tilewright_capture
                from tilewright_capture.pace import Pace
                from tilewright_capture.trace import is_gemm, may_detach, shares
                a, b = torch.empty((8, 64), torch.bfloat16, "cuda"), torch.empty((64, 40), torch.bfloat16, "cuda")
                torch.mm(a, b)
                with tilewright_capture.recording("out"):
                    torch.mm(a, b)
                    with tilewright_capture.recording("nothing"):
                        torch.mm(a, b)
                torch.mm(a, b)

                pace = Pace(1e-5)
                assert pace.now(0.1, 999), "the first calls are always counted"
                assert not pace.now(1.0, 4000), "40 ms of 1000 are more than 3 %"
                assert not pace.now(1.3, 4000)
                assert pace.now(1.4, 4000), "40 ms of 1400 are less"
                assert abs(pace.observed - 1.0) < 1e-9, pace.observed
                pace.now(1.9, 4000)
                assert abs(pace.observed - 1.5) < 1e-9, pace.observed

                for gemm in ("nvjet_tst_128x256_64x4_1x2_h_bz_coopA_NTN", "sm90_xmma_gemm_bf16",
                        "nvjet_sm90_tst_64x16_64x16_2x1_v_bz_splitK_TNT",
                        "void cutlass::Kernel2<cutlass_75_tensorop_bf16_s1688gemm_bf16_64x64_nn_align1>(Params)",
                        "std::enable_if<!T7, void>::type internal::gemvx::kernel<int, int, float>(cublasGemvParams)"):
                    assert is_gemm(gemm), gemm
                for other in ("void cublasLt::splitKreduce_kernel<32, 16, int, float>(...)", "triton_poi_fused_silu",
                        "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 64, cutlass::bfloat16_t>, true>()",
                        "fmha_cutlassF_bf16_aligned_64x128_rf_sm80(Params)"):
                    assert not is_gemm(other), other
                assert [cuda for cuda in ("11.8", "12.4", "12.6", "13.0", "", None) if may_detach(cuda)] == ["12.6", "13.0"]
                events = [
                    ("tilewright:0", "annotation", 0, 70, 9, 7), ("gemm", "kernel", 0, 50, 1, 7),
                    ("splitKreduce", "kernel", 65, 5, 5, 7), ("relu", "kernel", 70, 5, 2, 7),
                    ("copy", "kernel", 10, 15, 6, 8),
                    ("cudaGraphLaunch", "launch", 100, 1, 3, 0), ("cudaGraphLaunch", "launch", 90, 1, 4, 0),
                    ("gemm", "kernel", 210, 20, 3, 7), ("gemm", "kernel", 200, 30, 3, 7), ("norm", "kernel", 205, 2, 3, 7),
                    ("splitKreduce_kernel", "kernel", 230, 4, 3, 7),
                    ("gemm", "kernel", 150, 8, 4, 7),
                ]
                # The launch at 90 replayed a graph of two calls, but has one GEMM.
                times, busy, unmatched = shares(events, [[5, 6], [0, 7]])
                # The gap of 15 is not time of a kernel, and the other stream's copy is none of the call.
                assert times == {0: (85, 2), 7: (24, 1)}, times
                assert (busy, unmatched) == (139, 8), (busy, unmatched)
                # Of calls within calls, and with gaps, no kernel counts twice.
                times, busy, _ = shares([
                    ("tilewright:0", "annotation", 0, 90, 1, 7), ("tilewright:1", "annotation", 0, 40, 2, 7),
                    ("gemm", "kernel", 0, 40, 3, 7)], [])
                assert (times, busy) == ({1: (40, 1)}, 40), (times, busy)
                """)).isEmpty();
        assertThat(file().at("/problems/0/rows/0/calls").asInt()).isEqualTo(2);
        assertThat(folder.resolve("nothing")).doesNotExist();
    }

    /** The output of a program that has the module on its path, once it has ended well. */
    private String python(String text) throws IOException, InterruptedException {
        Path program = Files.writeString(folder.resolve("part.py"), text);
        ProcessBuilder python = new ProcessBuilder(
                        Python.program(), program.getFileName().toString())
                .directory(folder.toFile())
                .redirectErrorStream(true);
        python.environment().put("PYTHONPATH", standIn().toString());
        Process process = python.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }
}
