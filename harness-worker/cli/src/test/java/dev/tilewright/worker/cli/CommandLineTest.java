package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.worker.agent.WorkerCommand;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.gpu.AssemblerMain;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.probe.DeviceProbe;
import dev.tilewright.worker.link.probe.LocalDevice;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Options, messages and exit codes; no service is reached. */
class CommandLineTest {

    @TempDir
    private Path home;

    private final ByteArrayOutputStream notices = new ByteArrayOutputStream();
    private DeviceProbe.Finding machine = new DeviceProbe.NoDriver();

    /** What a user sees of one call. */
    private record Seen(int exit, String out, String err, String notices) {

        List<String> errorLines() {
            return err.lines().toList();
        }
    }

    private Seen run(String... arguments) {
        Map<String, String> environment = Map.of("TILEWRIGHT_HOME", home.toString());
        PrintStream stream = new PrintStream(notices, true, StandardCharsets.UTF_8);
        CommandLine line = RootCommand.commandLine(
                environment,
                new TuneCommand(environment, () -> machine, stream, stream),
                new BestCommand(environment, stream, stream),
                new CompareCommand(environment, () -> machine, stream, stream),
                new TokenCommand(environment, stream, stream),
                new CheckCommand(GemmFamilies.standard(), () -> Terminal.NONE, Clock.systemUTC(), new Printer(stream)),
                new WorkerCommand(
                        environment,
                        () -> machine,
                        (device, assembler) -> {
                            throw new DeviceUnusableException("it is out of order");
                        },
                        AssemblerMain.class));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int exit = line.execute(arguments);
        return new Seen(exit, out.toString(), err.toString(), notices.toString(StandardCharsets.UTF_8));
    }

    private static String[] words(String line) {
        return line.isBlank() ? new String[0] : line.strip().split(" ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "tune --help", "best --help", "check --help", "worker --help", "tune -h"})
    void helpsOnEveryVerb(String line) {
        Seen seen = run(words(line));

        assertThat(seen.exit()).isZero();
        assertThat(seen.out()).startsWith("Usage: tilewright");
        assertThat(seen.err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tune", "check"})
    void namesEverySchedulerAndBothFamilies(String verb) {
        String help = run(verb, "--help").out().replaceAll("\\s+", " ");

        assertThat(help).contains("single, static, atomic, clc", "sm90-gemm", "sm100-gemm");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tune", "check"})
    void namesEveryStepOfAnEpilogue(String verb) {
        assertThat(run(verb, "--help").out().replaceAll("\\s+", " ")).contains(EpilogueOp.KNOWN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tune", "check"})
    void namesWhatSetTakesWithItsValues(String verb) {
        String help = run(verb, "--help").out().replaceAll("\\s+", " ");

        assertThat(help)
                .contains("--set of sm90-gemm", " scheduler static single atomic ", " tileK 64 128 [32] ")
                .contains("--set of sm100-gemm", " ctaGroup 2 1 ", " clc")
                .contains("--set of cublaslt: numbers of its library, which explain --family cublaslt lists");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tune", "check"})
    void namesWhatSetAndTypesTake(String verb) {
        String help = run(verb, "--help").out().replaceAll("\\s+", " ");

        String types = Stream.of(DataType.values()).map(DataType::toString).collect(Collectors.joining(", "));
        assertThat(help.split(types, -1)).as("--dtype and --types: " + types).hasSize(3);
    }

    @Test
    void namesDevicesAndStrategies() {
        // A line may end behind a colon.
        String forms = DeviceSelector.FORMS.replace(" ", "");
        String help = run("tune", "--help").out().replaceAll("\\s+", "");

        assertThat(help).contains("Searchstrategy:exhaustive,model,random(", forms);
        assertThat(run("worker", "--help").out().replaceAll("\\s+", "")).contains(forms);
    }

    /** No model stands in for kernels that none knows, and no emulator for kernels without a text. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tune --family cublaslt | 4 | --device auto: there is no NVIDIA driver on this machine, and no model of a GPU"
                        + " knows the kernels of cublaslt",
                "tune --family bundle:mine | 4 | and no model of a GPU knows the kernels of bundle:mine",
                "tune --family cublaslt --device simulated:h200 | 2 | --family: no model of a GPU knows the kernels of"
                        + " cublaslt, and simulated:h200 is one",
                "tune --family cublaslt --device cuda:0 | 4 | --device cuda:0: there is no NVIDIA driver on this machine",
                "check --family cublaslt | 2 | --family: the kernels of cublaslt are those of an installed library, which has"
                        + " no text of them",
            })
    void aFamilyThatNobodyHereKnowsIsRefused(String line, int exit, String reason) {
        Seen seen = run(words(line + " --shape 512x512x512"));

        assertThat(seen.exit()).isEqualTo(exit);
        assertThat(seen.errorLines()).singleElement().asString().contains(reason);
        assertThat(seen.notices()).doesNotContain("using simulated");
    }

    @ParameterizedTest
    @CsvSource({
        "cuda:0, sm90-gemm",
        "cuda:1, sm100-gemm",
        "cuda:2, ",
        "cuda:3, ",
        "cuda:all, sm90-gemm",
        "auto, sm90-gemm",
        "emulated, ",
        "simulated:b200, "
    })
    void theFamilyOfThisMachineIsThatOfItsGpus(String device, @Nullable String family) {
        DeviceProbe probe = () -> new DeviceProbe.Found(List.of(
                new DeviceProbe.Gpu(0, "NVIDIA H100 80GB HBM3"),
                new DeviceProbe.Gpu(1, "NVIDIA GB200"),
                new DeviceProbe.Gpu(2, "NVIDIA RTX 9000")));

        assertThat(LocalDevice.family(DeviceSelector.parse(device), probe)).isEqualTo(family);
        assertThat(LocalDevice.family(DeviceSelector.parse(device), DeviceProbe.NoDriver::new))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tune | --shape: is missing; name a problem shape MxNxK, a file --shapes FILE, or a recording --from DIR",
                "tune --shape 2048X1024X768 | got '2048X1024X768'; did you mean 2048x1024x768?",
                "best --shape 2048*1024*768 | got '2048*1024*768'; did you mean 2048x1024x768?",
                "tune --shape 1x2x8 --dtype fp16 | unknown data type 'fp16'; known: bf16, f16, f32, e4m3, e5m2; did you mean f16?",
                "tune --shape 1x2x8 --dtype FP8 | known: bf16, f16, f32, e4m3, e5m2; did you mean e4m3?",
                "tune --shape 1x2x8 --dtype BF16 | did you mean bf16?",
                "tune --shape 1x2x8 --device simulated:H200 | unknown device 'simulated:H200'; known: auto, cuda:N, cuda:all, simulated:h200, simulated:h100, simulated:b200, simulated:gb200, emulated, emulated:N; did you mean simulated:h200?",
                "check --shape 64x64x64 --set tile_m=64 | family sm90-gemm has no parameter 'tile_m'",
                "tune --shape 1x2x8 --api localhost:8080 --device simulated:h200 | got 'localhost:8080'; did you mean http://localhost:8080?",
                "tune --shapes /no/such.csv | --shapes: must be a file, but /no/such.csv does not exist",
                "tune --group 12x | --group: a shape is MxNxK, such as 2048x1024x768, got '12x'",
                "tune --shape 1x2x8+ | --shape: a shape is MxNxK, such as 2048x1024x768, got ''",
                "tune --shape 1x2x8 --batch 0 | --batch: must be at least 1, got 0",
                "check --group 64x64x64 --group 64x64x60 | --group 64x64x64 64x64x60: group 1: k = 60 times 2 bytes is 120",
                "check pom.xml --launch pom.xml --batch 2 | --batch: is for configs of a family, got the file pom.xml",
                "tune --shape 12x | --shape: a shape is MxNxK, such as 2048x1024x768, got '12x'",
                "tune --shape 0x1x8 | --shape: m must be at least 1, got 0",
                "tune --shape 1x2x99999999999 | got '1x2x99999999999'",
                "tune --shape 1x2x8 --dtype bf17 | --dtype: unknown data type 'bf17'; known: bf16",
                "tune --shape 1x2x8 --device gpu | --device: unknown device 'gpu'; known: auto, cuda:N",
                "tune --shape 1x2x8 --device emulated:0 | --device: an emulated GPU has from 1 to 132 SMs, got 0",
                "tune --shape 1x2x8 --device emulated:many | --device: unknown device 'emulated:many'; known: auto, cuda:N",
                "worker --api http://x --device emulated:133 | an emulated GPU has from 1 to 132 SMs, got 133",
                "tune --shape 1x2x8 --device simulated:b300 | unknown device 'simulated:b300'; known: auto, cuda:N, cuda:all, simulated:h200, simulated:h100, simulated:b200, simulated:gb200, emulated, emulated:N; did you mean simulated:b200?",
                "tune --shape 1x2x8 --trials 0 | --trials: must be at least 1, got 0",
                "tune --shape 1x2x8 --finalists -1 | --finalists: must be at least 0, got -1",
                "tune --shape 1x2x8 --trials many | --trials: must be a whole number, got 'many'",
                "tune --shape 1x2x8 --seconds -3 | --seconds: must be at least 1, got -3",
                "tune --shape 1x2x8 --set tileN | --set: expected name=value[,value...]",
                "tune --shape 1x2x8 --set tileN=64 --set tileN=128 | --set: parameter 'tileN' is given twice: 64 and 128",
                "tune --shape 1x2x8 --set tileN=64,, | --set tileN: the name of a value must not be blank",
                "tune --shape 1x2x8 --json /no/such/folder/x.json | --json: cannot write /no/such/folder/x.json",
                "tune --shape 1x2x8 --markdown /no/such/x.md | --markdown: cannot write /no/such/x.md",
                "tune --shape 1x2x8 --frobnicate | unknown option '--frobnicate' (see",
                "tune --shape 1x2x8 --trails 3 | unknown option '--trails'; did you mean --trials?",
                "tune --shape 1x2x8 --trails=3 | unknown option '--trails=3'; did you mean --trials?",
                "tune --shpae 1x2x8 | unknown option '--shpae'; did you mean --shape?",
                "check --shape 64x64x64 --accpet x | did you mean --accept?",
                "best --shape 1x2x8 --dtpye f16 | did you mean --dtype?",
                "token creat ci --api http://x | did you mean create?",
                "chekc --shape 64x64x64 | did you mean check?",
                "tune --shape 1x2x8 --api ftp://x --device simulated:h200 | --api: expected an address such as",
                "best --shape big | --shape: a shape is MxNxK",
                "best --family sm90gemm | --family: unknown kernel family 'sm90gemm'; known: sm90-gemm, sm100-gemm, cublaslt; did you mean sm90-gemm?",
                "worker | Missing required option: '--api=URL'",
                "worker --api nowhere --device simulated:h200 | --api: expected an address such as http://127.0.0.1:8080",
                "worker --api http://x --device simulated:h200 --token secret | --token: must be @FILE, or - for standard input",
                "best --api http://x --token secret | --token: must be @FILE, or - for standard input, since every user",
                "best --api https://x --tls-ca /no/such | --tls-ca: no certificate can be read from /no/such",
                "token list --api http://x --token @/no/such | --token: cannot read /no/such",
                "token create ci --api http://x | Missing required option: '--role=ROLE'",
                "token revoke a/b --api http://x | NAME: must be letters, digits, '.', '_' or '-', got 'a/b'",
                "token | Missing required subcommand; known: create, list, revoke",
                "worker --api http://x --device cuda:x | --device: unknown device 'cuda:x'",
                "worker --api http://x --device simulated:h200 --token @/no/such | --token: cannot read /no/such",
                "check | --shape: is missing; name a problem shape MxNxK, or a file KERNEL.ptx",
                "check --shape 712x648 | --shape: a shape is MxNxK, such as 2048x1024x768, got '712x648'",
                "check --shape 712x648x391 | --shape 712x648x391: k = 391 times 2 bytes is 782: rows of A and B must be",
                "check --shape 712x641x392 | --shape 712x641x392: n = 641 times 2 bytes is 1282: rows of D must be",
                "check --shape 64x64x64 --family sm80-gemm | --family: unknown kernel family 'sm80-gemm'; known: sm90-gemm",
                "check --shape 64x64x64 --dtype bf17 | --dtype: unknown data type 'bf17'; known: bf16",
                "check --shape 64x64x64 --dtype f32 | sm90-gemm takes one of [bf16, f16, e4m3, e5m2] for a and b",
                "check --shape 64x64x64 --types e4m3,bf16 | --types: must be the types of A, B and D, such as e4m3,e5m2,bf16, got 'e4m3,bf16'",
                "check --shape 64x64x64 --types e4m3,bf17,f16 | --types: unknown data type 'bf17'; known: bf16",
                "check --shape 64x64x64 --dtype f16 --types f16,f16,f32 | --types: give either --dtype or --types, got f16 and f16,f16,f32",
                "check --shape 64x64x64 --dtype e4m3 --scales rows | --scales: unknown scales 'rows'; known: tensor, row, block",
                "tune --shape 64x64x64 --scales row | --scales: scales = row: only inputs of 8 bits, e4m3 and e5m2, have scales, got a = bf16, b = bf16",
                "check --shape 64x64x64 --family sm100-gemm --dtype e4m3 --scales block | scales = block: sm100-gemm has no mainloop with block scales",
                "check --shape 64x64x64 --major k | --major: must be the majors of A and B, and perhaps of D, such as m,k or m,k,n, got 'k'",
                "check --shape 64x64x64 --major n,k | --major: major.a must be k or m: A is M x K, got n",
                "check --shape 64x64x64 --major m,q | --major: unknown dimension 'q'; known: m, n, k",
                "check --shape 64x64x64 --major k,k,m | major d = m: sm90-gemm stores D row-major, so d must be n",
                "check --shape 64x64x64 --dtype e4m3 --major m,k | major a = m with type e4m3: sm90-gemm takes a = k",
                "tune --shape 64x64x64 --types e4m3 | --types: must be the types of A, B and D",
                "tune --shape 64x64x64 --major k,m | --major: major.b must be k or n: B is N x K, got m",
                "check --shape 512x512x64 --scheduler clc | --scheduler: parameter 'scheduler' has no value clc; known: static, single, atomic; family sm100-gemm has it",
                "check --shape 512x512x64 --family sm100-gemm --dtype f32 | sm100-gemm takes one of [bf16, f16, e4m3] for a and b, got f32",
                "check --shape 512x512x64 --family sm100-gemm --set mode=pingpong | --set: family sm100-gemm has no parameter 'mode'",
                "check --shape 64x64x64 --scheduler lazy | --scheduler: parameter 'scheduler' has no value lazy; known: static, single",
                "check --shape 64x64x64 --scheduler static --set scheduler=single | --scheduler: parameter 'scheduler' is",
                "check --shape 64x64x64 --set tileQ=1 | --set: family sm90-gemm has no parameter 'tileQ'; known: tileLocation, splitK, clusterK, mode,",
                "check --shape 64x64x64 --set tileN=100 | parameter 'tileN' has no value 100; known: 16, 32, 48, 64, 72,",
                "check --shape 64x64x64 --set tileN | --set: expected name=value[,value...]",
                "check --shape 712x648x392 --set mode=pingpong --scheduler single | on 4 SMs: modeScheduler: the scheduler single gives a CTA 1 tile",
                "check --shape 712x648x392 --sms 1 --set clusterM=2 | waveClusters: a device with 1 SMs holds no cluster",
                "check --shape 64x64x64 --config s6 --set tileN=64 | --config: names every value, so --set cannot be given beside it",
                "check --shape 64x64x64 --config s6,s7 | --config: 's6,s7' is no part of a config. A part is NAME=VALUE or,",
                "check --shape 64x64x64 --config s6 | --config: a config of sm90-gemm has a value for each of its ",
                "check --shape 64x64x64 --config s77 | --config: parameter 'loadStages' has no value 77; known: 8, 7,",
                "tune --shape 1x2x8 --config s6 --scheduler static | --config: names every value, so --scheduler cannot be given",
                "check --shape 64x64x64 --trials 0 | --trials: must be at least 1, got 0",
                "check --shape 64x64x64 --trials 3 --all | --all: checks every config, so that --trials 3 has no meaning",
                "check --shape 64x64x64 --seeds 0 | --seeds: must be at least 1, got 0",
                "check --shape 64x64x64 --seed 9223372036854775807 | --seed: seed must be at most 9223372036854775802 with",
                "check --shape 64x64x64 --seed x | --seed: must be a whole number, got 'x'",
                "check --shape 64x64x64 --sms 0 | --sms: must be at least 1, got 0",
                "check --shape 64x64x64 --threads 0 | --threads: must be at least 1, got 0",
                "check --shape 64x64x64 --json /no/such/x.json | --json: cannot write /no/such/x.json",
                "check /no/such/kernel.ptx | KERNEL.ptx: must be a file, but /no/such/kernel.ptx does not exist",
                "check pom.xml --launch /no/such/launch.yaml | --launch: must be a file, but /no/such/launch.yaml does not exist",
                "check src | KERNEL.ptx: must be a file, but src is none",
                "check ../../docs/examples/bundles/ptx-bias-relu/kernel.yaml | describes a bundle: tilewright bundle check ../../docs/examples/bundles/ptx-bias-relu",
                "check ../../docs/examples/check/tile-gemm.cu | nvcc -ptx -arch=sm_90a ../../docs/examples/check/tile-gemm.cu -o ../../docs/examples/check/tile-gemm.ptx",
                "check pom.xml --launch pom.xml --family sm90-gemm | --family: is for configs of a family, got the file pom.xml",
                "check --shape 64x64x64 --frobnicate | unknown option '--frobnicate'",
                "dance | unknown argument 'dance'",
            })
    void saysOnOneLineWhatIsWrongAndExitsWith2(String line, String message) {
        Seen seen = run(words(line));

        assertThat(seen.exit()).isEqualTo(2);
        assertThat(seen.errorLines()).hasSize(1);
        assertThat(seen.err()).startsWith("tilewright").contains(message).doesNotContain("Exception", "\tat ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x.cu | x.cu is CUDA C++; nvcc -ptx -arch=sm_90a x.cu -o x.ptx, then tilewright check x.ptx",
                "y.fatbin | y.fatbin is a fatbin; cuobjdump -xptx all y.fatbin",
                "y.o | y.o is an object file; cuobjdump -xptx all y.o",
                "z.CUBIN | z.CUBIN is a cubin, which has no PTX in it; compile its source with nvcc -ptx",
                "m.py | m.py is Python; Triton keeps the PTX of a kernel in its cache; tilewright bundle from-triton",
            })
    void aKernelThatIsNoPtxIsMetWithTheWayToPtx(String name, String way) throws IOException {
        String file = Files.createFile(home.resolve(name)).toString();
        String words = way.replaceAll("(?<=^| )(?=" + name.replaceAll("\\..*", "") + "\\.)", home + "/");

        for (String further : List.of("", " --skeleton", " --launch " + file)) {
            Seen seen = run(words("check " + file + further));

            assertThat(seen.exit()).isEqualTo(2);
            assertThat(seen.errorLines()).hasSize(1);
            assertThat(seen.err()).startsWith("tilewright check: KERNEL.ptx: " + words);
        }
    }

    @Test
    void showsAStackTraceOnlyWhenAsked() {
        assertThat(run("tune", "--shape", "12x", "--debug").err()).contains("\tat dev.tilewright");
    }

    @Test
    void aMissingServiceThatCannotBeStartedIsInfrastructure() {
        Seen seen = run("tune", "--shape", "1x2x8");

        assertThat(seen.exit()).isEqualTo(4);
        assertThat(seen.errorLines()).hasSize(1);
        assertThat(seen.err()).contains("no service runs for " + home, "--api");
        assertThat(seen.notices()).contains("no NVIDIA driver on this machine: using simulated:h200");
    }

    @Test
    void neverSimulatesWhereADriverFails() {
        machine = new DeviceProbe.Failing("cuInit: CUDA_ERROR_SYSTEM_NOT_READY");
        for (String device : List.of("auto", "cuda:0", "cuda:all")) {
            Seen seen = run("tune", "--shape", "1x2x8", "--device", device);

            assertThat(seen.exit()).as(device).isEqualTo(4);
            assertThat(seen.err()).contains("driver is there but fails", "CUDA_ERROR_SYSTEM_NOT_READY");
            assertThat(seen.notices()).doesNotContain("using simulated");
        }
    }

    @Test
    void asksForAGpuWhereThereIsNone() {
        Seen seen = run("tune", "--shape", "1x2x8", "--device", "cuda:0");

        assertThat(seen.exit()).isEqualTo(4);
        assertThat(seen.err()).contains("--device cuda:0: there is no NVIDIA driver on this machine");
    }

    @Test
    void asksForAGpuThatIsNotThere() {
        machine = new DeviceProbe.Found(List.of(new DeviceProbe.Gpu(0, "NVIDIA H200")));

        Seen seen = run("tune", "--shape", "1x2x8", "--device", "cuda:3");

        assertThat(seen.exit()).isEqualTo(2);
        assertThat(seen.err()).contains("--device cuda:3", "NVIDIA H200");
    }

    @Test
    void aWorkerWhoseDeviceIsOutOfOrderSaysWhichAndWhy() {
        machine = new DeviceProbe.Found(List.of(new DeviceProbe.Gpu(0, "NVIDIA H200")));

        Seen seen = run("worker", "--api", "http://127.0.0.1:1", "--device", "simulated:h200,cuda:0");

        assertThat(seen.exit()).isEqualTo(4);
        assertThat(seen.err()).contains("simulated:h200: it is out of order");
    }

    @Test
    void leavesNoClientFileBehind() throws IOException {
        run("tune", "--shape", "1x2x8");

        try (Stream<Path> files = Files.walk(home)) {
            assertThat(files.map(Path::getFileName).map(Path::toString)).noneMatch(name -> name.matches("\\d+"));
        }
    }

    @Test
    void exitCodesAreThoseOfTheHandbook() {
        assertThat(Stream.of(ExitCode.values()).map(ExitCode::code)).containsExactly(0, 1, 2, 3, 4);
    }
}
