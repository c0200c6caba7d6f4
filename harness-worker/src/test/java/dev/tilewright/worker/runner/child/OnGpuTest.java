package dev.tilewright.worker.runner.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.gemm.oracle.Bf16;
import dev.tilewright.gemm.oracle.HolderKernel;
import dev.tilewright.gemm.oracle.SpinKernel;
import dev.tilewright.gemm.space.DeviceLimits;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.space.SearchSpace;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.board.TileHistogram;
import dev.tilewright.worker.compile.link.AssemblerReply;
import dev.tilewright.worker.device.cuda.CudaException;
import dev.tilewright.worker.device.cuda.CudaGpu;
import dev.tilewright.worker.device.cuda.CudaJit;
import dev.tilewright.worker.device.cuda.CudaProbe;
import dev.tilewright.worker.device.cuda.DeviceBuffer;
import dev.tilewright.worker.device.cuda.GpuEvent;
import dev.tilewright.worker.device.cuda.GpuState;
import dev.tilewright.worker.device.cuda.HostBuffer;
import dev.tilewright.worker.device.cuda.HostFlag;
import dev.tilewright.worker.device.cuda.Nvml;
import dev.tilewright.worker.device.cuda.PreparedLaunch;
import dev.tilewright.worker.link.Blob;
import dev.tilewright.worker.measure.Run;
import dev.tilewright.worker.measure.Screen;
import dev.tilewright.worker.measure.TimingPlan;
import dev.tilewright.worker.peer.PeerArm;
import dev.tilewright.worker.peer.PeerArms;
import dev.tilewright.worker.peer.Peers;
import dev.tilewright.worker.runner.link.Kernel;
import dev.tilewright.worker.runner.link.RunnerReply.FinalDone;
import dev.tilewright.worker.runner.link.RunnerReply.TrialDone;
import dev.tilewright.worker.runner.link.RunnerRequest;
import dev.tilewright.worker.runner.link.RunnerRequest.RunFinal;
import dev.tilewright.worker.runner.link.RunnerRequest.RunTrial;
import dev.tilewright.worker.verify.HealthProbe;
import dev.tilewright.worker.verify.OperandSet;
import dev.tilewright.worker.verify.OracleModule;
import dev.tilewright.worker.verify.TestData;
import dev.tilewright.worker.verify.Verifier.Verdict;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole of the runner on a real GPU, from the smallest thing to the largest; skipped where there is none. */
@Tag("gpu")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OnGpuTest {

    private CudaGpu gpu;
    private GpuState state;
    private Workbench bench;

    @BeforeAll
    void open() {
        assumeThat(CudaProbe.run()).isInstanceOf(CudaProbe.Present.class);
        gpu = CudaGpu.open(0);
        state = Nvml.load()
                .flatMap(nvml -> nvml.device(gpu.info().uuid()))
                .<GpuState>map(device -> device)
                .orElse(GpuState.UNKNOWN);
        bench = Workbench.open(gpu, state, TimingPlan.STANDARD, Peers.installed(gpu, System.getenv()));
    }

    @AfterAll
    void close() {
        if (gpu != null) {
            gpu.close();
        }
    }

    private static Problem problem(String shape) {
        return Problem.of(ProblemShape.parse(shape), DataType.BF16);
    }

    @Test
    @Order(1)
    void theGpuIsWhatTheDriverSays() {
        System.out.println(gpu.info() + ", free " + gpu.freeBytes() + " of " + gpu.totalBytes() + ", driver "
                + Nvml.load().flatMap(Nvml::driverVersion).orElse("without NVML") + ", clock " + state.smClockMhz()
                + " MHz, " + state.powerWatts() + " W, " + state.temperatureCelsius() + " C, throttle "
                + state.throttleReasons());
        assertThat(gpu.info().smCount()).isPositive();
        assertThat(gpu.info().l2Bytes()).isGreaterThan(1 << 20);
        assertThat(gpu.totalBytes()).isGreaterThan(gpu.freeBytes());
    }

    @Test
    @Order(2)
    void theKnownGoodKernelIsRight() {
        new HealthProbe(gpu).run(42);
    }

    @Test
    @Order(3)
    void aFlagOfTheHostReachesARunningKernel() {
        try (OracleModule module = OracleModule.load(gpu, SpinKernel.build());
                HostFlag flag = gpu.hostFlag(2)) {
            module.enqueue(SpinKernel.launch(flag.deviceAddress(), 5_000_000_000L, flag.deviceAddress() + 4));
            flag.set(0, 1);
            gpu.synchronize();
            assertThat(flag.get(1)).isEqualTo(SpinKernel.RELEASED);
            flag.set(0, 0);
            module.enqueue(SpinKernel.launch(flag.deviceAddress(), 1_000_000, flag.deviceAddress() + 4));
            gpu.synchronize();
            assertThat(flag.get(1)).isEqualTo(SpinKernel.EXPIRED);
        }
    }

    @ParameterizedTest
    @Order(4)
    @ValueSource(strings = {"256x512x192", "1024x1408x512", "1000x1512x704", "3000x360x4096", "129x136x8"})
    void theReferenceIsProved(String shape) {
        TestData data = bench.store().get(problem(shape), 7);
        assertThat(data.sets()).isNotEmpty();
    }

    @Test
    @Order(5)
    void theComparisonSeesOneWrongElement() {
        Problem problem = problem("1000x1512x704");
        TestData data = bench.store().get(problem, 7);
        List<OperandSet> first = List.of(data.sets().getFirst());
        bench.verifier().poison(first);
        Verdict poisoned = bench.verifier().judge(data, first);
        assertThat(poisoned.complaints()).anySatisfy(line -> assertThat(line).contains("1512000 still poisoned"));
        try (PeerArms peers = bench.peers().arms("cublaslt", data)) {
            assumeThat(peers).isInstanceOf(PeerArms.Found.class);
            ((PeerArms.Found) peers).arms().getFirst().arm().enqueue(0);
            assertThat(bench.verifier().judge(data, first).complaints()).isEmpty();
            long address = first.getFirst().d().address() + 2L * (999 * 1512 + 1511);
            byte[] last = new byte[2];
            gpu.read(address, last);
            last[1] ^= 1;
            gpu.write(address, last);
            Verdict wrong = bench.verifier().judge(data, first);
            assertThat(wrong.complaints().getFirst())
                    .contains("1 of 1512000 elements wrong")
                    .contains("row 999, column 1511");
            gpu.write(first.getFirst().d().address() + first.getFirst().d().bytes(), new byte[] {0});
            assertThat(bench.verifier().judge(data, first).complaints())
                    .anySatisfy(line -> assertThat(line).contains("red zone written 0 bytes after"));
        }
    }

    @Test
    @Order(6)
    void everyVendorAlgorithmIsRightAndTheFirstIsWhatGemmExPicks() {
        Problem problem = problem("4096x4096x4096");
        TestData data = bench.store().get(problem, 7);
        Screen screen = new Screen(bench.stopwatch(), TimingPlan.STANDARD);
        try (PeerArms peers = bench.peers().arms("cublaslt", data)) {
            assumeThat(peers).isInstanceOf(PeerArms.Found.class);
            PeerArms.Found found = (PeerArms.Found) peers;
            System.out.println(found.library());
            for (PeerArm peer : found.arms()) {
                List<OperandSet> first = List.of(data.sets().getFirst());
                bench.verifier().poison(first);
                peer.arm().enqueue(0);
                Verdict verdict = bench.verifier().judge(data, first);
                Measurement sustained = screen.sustained(problem, peer.arm(), null, 1)
                        .measurement()
                        .orElseThrow();
                Measurement cold = screen.cold(problem, peer.arm());
                System.out.printf(
                        "%-28s errorRatio %.3f sustained %.1f cold %.1f TFLOP/s at %s MHz%n",
                        peer.arm().name(),
                        verdict.errorRatio(),
                        sustained.tflops(),
                        cold.tflops(),
                        sustained.smClockMhz());
                assertThat(verdict.complaints()).isEmpty();
                assertThat(sustained.tflops()).isBetween(50.0, 1100.0);
            }
        }
    }

    @Test
    @Order(7)
    void timesOfALaunchDoNotDependOnTheNumberOfLaunches() {
        TestData data = bench.store().get(problem("2048x2048x2048"), 7);
        try (PeerArms peers = bench.peers().arms("cublaslt", data)) {
            assumeThat(peers).isInstanceOf(PeerArms.Found.class);
            PeerArm peer = ((PeerArms.Found) peers).arms().getFirst();
            peer.arm().enqueue(0);
            bench.stopwatch().sustained(peer.arm(), 50);
            Run few = bench.stopwatch().sustained(peer.arm(), 100);
            Run many = bench.stopwatch().sustained(peer.arm(), 400);
            System.out.println("100 launches " + few + ", 400 launches " + many);
            assertThat(many.launchNs() / few.launchNs()).isBetween(0.85, 1.15);
        }
    }

    @Test
    @Order(8)
    void configsOfOurFamilyRunThroughTrialAndFinal() {
        Problem problem = problem("1000x1512x704");
        DeviceLimits limits = DeviceLimits.of(gpu.info().smCount());
        GemmFamily family = GemmFamilies.standard().named("sm90-gemm");
        CudaJit jit = new CudaJit(0);
        assertThat(jit.open()).isInstanceOf(AssemblerReply.Ready.class);
        Random random = new Random(1);
        SearchSpace space = family.space().space(problem, limits);
        List<Config> configs = Stream.generate(() -> space.draw(random))
                .filter(config -> space.violation(config).isEmpty())
                .limit(6)
                .toList();
        for (Config config : configs) {
            TrialDone done = trial(jit, family, problem, limits, config);
            System.out.println(config + ": " + done);
            assertThat(done.outcome()).as(config + "\n" + done.log()).isEqualTo(TrialOutcome.COMPLETED);
            assertThat(done.evidence().tilesPerSm()).hasSize(gpu.info().smCount());
        }
        FinalDone round = new FinalRunner(bench, new Phases(System::nanoTime, name -> {}))
                .run(new RunFinal(
                        problem, List.of(), 3, null, List.of("cublaslt"), 8, List.of(Mode.SUSTAINED, Mode.COLD)));
        assertThat(round.arms()).extracting(Report.Arm::outcome).containsOnly(TrialOutcome.COMPLETED);
    }

    /** The device copies into pinned memory by itself, at any offset. */
    @Test
    @Order(3)
    void whatIsFetchedIsThereWhenTheStreamHasPassedIt() {
        byte[] seen = new byte[8];
        try (DeviceBuffer words = gpu.allocate(4096);
                HostBuffer host = gpu.hostBuffer(1 << 16);
                GpuEvent copied = gpu.event()) {
            gpu.fill(words.address(), 0x01020304, 4096);
            gpu.fetch(words.address() + 4, host, 40_000, seen.length);
            copied.record();
            copied.await();
            host.read(40_000, seen);
            assertThat(seen).containsExactly(4, 3, 2, 1, 4, 3, 2, 1);
            assertThatThrownBy(() -> gpu.fetch(words.address(), host, 1 << 16, 4))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("do not fit");
        }
    }

    /** The account of trials in a row, each known before the one ahead of it is answered. */
    @Test
    @Order(8)
    void trialsInARowKeepTheGpuAtWork() {
        Problem problem = problem("4096x3840x4096");
        GemmFamily family = GemmFamilies.standard().named("sm90-gemm");
        DeviceLimits limits = DeviceLimits.of(gpu.info().smCount());
        SearchSpace space = family.space().space(problem, limits);
        SplittableRandom random = new SplittableRandom(5);
        CudaJit jit = new CudaJit(0);
        assertThat(jit.open()).isInstanceOf(AssemblerReply.Ready.class);
        List<RunTrial> trials = Stream.generate(() -> space.draw(random))
                .filter(config -> space.violation(config).isEmpty())
                .limit(12)
                .map(config -> new RunTrial(
                        problem,
                        config,
                        kernel(jit, family.build(config, false), problem, limits, config),
                        kernel(jit, family.build(config, true), problem, limits, config),
                        7,
                        List.of(Mode.SUSTAINED)))
                .toList();
        double busy = 0;
        double waited = 0;
        for (int i = 0; i < trials.size(); i++) {
            Optional<RunnerRequest> next = i + 1 < trials.size() ? Optional.of(trials.get(i + 1)) : Optional.empty();
            TrialDone done =
                    new TrialRunner(bench, new Phases(System::nanoTime, name -> {}), () -> next).run(trials.get(i));
            System.out.println(trials.get(i).config() + ": " + done.outcome() + " " + done.timesNs());
            assertThat(done.outcome()).as(done.log()).isEqualTo(TrialOutcome.COMPLETED);
            // The first ones are run by code that is not compiled yet.
            if (i >= trials.size() / 2) {
                busy += done.timesNs().get("gpuBusy");
                waited += done.timesNs().entrySet().stream()
                        .filter(part -> part.getKey().startsWith(TrialRunner.GPU_WAIT))
                        .mapToLong(part -> part.getValue())
                        .sum();
            }
        }
        assertThat(waited / busy)
                .as("share of the work that is waited beside it")
                .isLessThan(0.08);
    }

    private TrialDone trial(CudaJit jit, GemmFamily family, Problem problem, DeviceLimits limits, Config config) {
        return new TrialRunner(bench, new Phases(System::nanoTime, name -> {}))
                .run(new RunTrial(
                        problem,
                        config,
                        kernel(jit, family.build(config, false), problem, limits, config),
                        kernel(jit, family.build(config, true), problem, limits, config),
                        7,
                        List.of(Mode.SUSTAINED, Mode.COLD)));
    }

    private static Kernel kernel(CudaJit jit, GemmKernel built, Problem problem, DeviceLimits limits, Config config) {
        AssemblerReply reply = jit.assemble(built.text(), "sm_90a");
        assertThat(reply).isInstanceOf(AssemblerReply.Assembled.class);
        AssemblerReply.Assembled assembled = (AssemblerReply.Assembled) reply;
        System.out.println("driver's assembler: " + assembled.log());
        return new Kernel(new Blob(assembled.cubin().bytes()), built.launch(problem, limits, config), 0);
    }

    private static Problem several(int batch, String shapes) {
        return new Problem(
                Arrays.stream(shapes.split(" ")).map(ProblemShape::parse).toList(),
                batch,
                OperandTypes.all(DataType.BF16),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
    }

    private static final String TABLE = "clusterM=1 clusterN=1 epilogueN=64 gridSize=0 loadStages=4 multicast=none"
            + " rasterGroup=4 rasterOrder=alongM registers=232 swizzle=128 tileK=64 tileLocation=table waitDepth=1"
            + " clcThrottle=none consumers=2 tileM=128 tileN=128 mode=cooperative tileOrder=asGiven ";

    /** Every scheduler in every mode that it has, over groups with all tails and of very different depth. */
    @ParameterizedTest
    @Order(8)
    @ValueSource(
            strings = {
                "scheduler=single",
                "scheduler=single tileN=256 tileOrder=longestFirst",
                "scheduler=static",
                "scheduler=static tileN=176 clusterM=2 multicast=both",
                "scheduler=static mode=pingpong tileM=64",
                "scheduler=static mode=pingpong tileM=64 tileN=176 tileOrder=longestFirst",
                "scheduler=atomic",
                "scheduler=atomic clcThrottle=loaded clusterN=2 multicast=both",
                "scheduler=atomic mode=pingpong tileM=64",
                "scheduler=atomic clcThrottle=loaded mode=pingpong tileM=64 tileN=176",
                "scheduler=atomic clcThrottle=loaded mode=pingpong tileM=64 clusterM=2 multicast=both"
            })
    void severalGemmsRunThroughTrials(String parameters) {
        GemmFamily family = GemmFamilies.standard().named("sm90-gemm");
        DeviceLimits limits = DeviceLimits.of(gpu.info().smCount());
        CudaJit jit = new CudaJit(0);
        assertThat(jit.open()).isInstanceOf(AssemblerReply.Ready.class);
        Map<String, ParameterValue> values = Config.pairs(TABLE + parameters);
        Config config = Config.of(values);
        for (Problem problem : List.of(
                several(1, "1000x1512x72 2056x520x4104 1000x1512x72 136x2000x264 1x8x8"),
                several(1, "130x264x1032 40x24x64"),
                several(3, "392x1096x520"),
                several(2, "1000x520x136 72x2056x2056"))) {
            TrialDone done = trial(jit, family, problem, limits, config);
            System.out.println(problem.shapes() + " " + config.canonical() + ": " + done);
            assertThat(done.outcome()).as(config + "\n" + done.log()).isEqualTo(TrialOutcome.COMPLETED);
            assertThat(done.evidence().tilesPerSm()).hasSize(gpu.info().smCount());
        }
    }

    @Test
    @Order(8)
    void theComparisonSeesOneWrongElementOfTheLastGemm() {
        Problem problem = several(2, "1000x520x136 72x2056x1032");
        TestData data = bench.store().get(problem, 7);
        OperandSet first = data.sets().getFirst();
        OperandLayout.Gemm last = data.layout().gemms().getLast();
        bench.verifier().poison(List.of(first));
        assertThat(bench.verifier().judge(data, List.of(first)).complaints())
                .anySatisfy(line ->
                        assertThat(line).contains(data.layout().elementsD() + " still poisoned", "column 0 of GEMM 0"));
        // The reference as bf16, but for one element.
        byte[] reference = new byte[Math.toIntExact(4 * data.layout().elementsD())];
        gpu.read(data.reference().address(), reference);
        ByteBuffer wide = ByteBuffer.wrap(reference).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer narrow = ByteBuffer.allocate(reference.length / 2).order(ByteOrder.LITTLE_ENDIAN);
        while (wide.hasRemaining()) {
            narrow.putShort(Bf16.ofFloat(wide.getFloat()));
        }
        gpu.write(first.d().address(), narrow.array());
        assertThat(bench.verifier().judge(data, List.of(first)).complaints()).isEmpty();
        int at = Math.toIntExact(2 * (last.d() + 71 * 2056 + 2055));
        narrow.put(at + 1, (byte) (narrow.get(at + 1) ^ 1));
        gpu.write(first.d().address(), narrow.array());
        assertThat(bench.verifier().judge(data, List.of(first)).complaints().getFirst())
                .contains("1 of " + data.layout().elementsD() + " elements wrong", "row 71, column 2055 of GEMM 3");
    }

    @Test
    @Order(8)
    void theVendorComputesABatchAndNoGroups() {
        TestData batch = bench.store().get(several(5, "1000x1512x704"), 7);
        try (PeerArms peers = bench.peers().arms("cublaslt", batch)) {
            assumeThat(peers).isInstanceOf(PeerArms.Found.class);
            List<PeerArm> found = ((PeerArms.Found) peers).arms();
            assertThat(found).isNotEmpty();
            List<OperandSet> first = List.of(batch.sets().getFirst());
            for (PeerArm peer : found) {
                bench.verifier().poison(first);
                peer.arm().enqueue(0);
                assertThat(bench.verifier().judge(batch, first).complaints())
                        .as(peer.config().canonical())
                        .isEmpty();
            }
        }
        TestData groups = bench.store().get(several(1, "1000x1512x704 1000x1512x72"), 7);
        try (PeerArms peers = bench.peers().arms("cublaslt", groups)) {
            assertThat(peers).isInstanceOf(PeerArms.Absent.class);
        }
    }

    @Test
    @Order(9)
    void holdersWhoseHostIsDeadHoldDifferentSmsAndEndByThemselves() {
        int sms = 32;
        try (OracleModule module = OracleModule.load(gpu, HolderKernel.build());
                HostFlag flag = gpu.hostFlag(1 + HolderKernel.REPORT_WORDS * sms)) {
            flag.set(0, 1);
            try (PreparedLaunch holders = module.prepareBeside(HolderKernel.launch(
                    sms,
                    gpu.info().sharedBytesPerCta(),
                    flag.deviceAddress(),
                    50_000_000,
                    flag.deviceAddress() + Integer.BYTES))) {
                holders.enqueue();
            }
            long start = System.nanoTime();
            while (System.nanoTime() - start < 2_000_000_000L
                    && reports(flag, sms, HolderKernel.OUTCOME).contains(0)) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(reports(flag, sms, HolderKernel.OUTCOME)).containsOnly(HolderKernel.EXPIRED);
            assertThat(reports(flag, sms, HolderKernel.PLACE))
                    .doesNotHaveDuplicates()
                    .allMatch(sm -> sm >= 1 && sm <= gpu.info().smCount());
        }
    }

    private static List<Integer> reports(HostFlag flag, int sms, int word) {
        return IntStream.range(0, sms)
                .mapToObj(holder -> flag.get(1 + HolderKernel.REPORT_WORDS * holder + word))
                .toList();
    }

    /** 2048 tiles: 15.5 a SM on 132. What is printed is what the scenario is for. */
    @Test
    @Order(10)
    void whereSmsAreHeldDrawingTilesBeatsDealingThem() {
        DeviceLimits limits = DeviceLimits.of(gpu.info().smCount());
        GemmFamily family = GemmFamilies.standard().named("sm90-gemm");
        Problem quiet = problem("8192x8192x1024");
        CudaJit jit = new CudaJit(0);
        assertThat(jit.open()).isInstanceOf(AssemblerReply.Ready.class);
        Map<String, Double> quietNs = new HashMap<>();
        for (int held : List.of(0, 8, 16, 32)) {
            Problem problem = quiet.beside(new Scenario(held));
            Map<String, Double> slowdown = new HashMap<>();
            for (String scheduler : List.of("single", "static", "atomic")) {
                Config config = family.space()
                        .space(problem, limits)
                        .restrict(Map.of(
                                "scheduler", List.of(ParameterValue.of(scheduler)),
                                "mode", List.of(ParameterValue.of("cooperative")),
                                "tileM", List.of(ParameterValue.of(128)),
                                "tileN", List.of(ParameterValue.of(256)),
                                "tileK", List.of(ParameterValue.of(64)),
                                "loadStages", List.of(ParameterValue.of(3)),
                                "rasterOrder", List.of(ParameterValue.of("groupedM")),
                                "clusterM", List.of(ParameterValue.of(1)),
                                "clusterN", List.of(ParameterValue.of(1))))
                        .configs()
                        .findFirst()
                        .orElseThrow();
                TrialDone done = trial(jit, family, problem, limits, config);
                assertThat(done.outcome()).as(config + "\n" + done.log()).isEqualTo(TrialOutcome.COMPLETED);
                assertThat(done.evidence().heldSms()).hasSize(held).doesNotHaveDuplicates();
                assertThat(done.evidence().heldSms())
                        .allMatch(sm -> done.evidence().tilesPerSm().get(sm) == 0);
                double medianNs = done.measurements().getFirst().medianNs();
                quietNs.putIfAbsent(scheduler, medianNs);
                slowdown.put(scheduler, medianNs / quietNs.get(scheduler));
                System.out.printf(
                        "%2d SMs held, %-6s: %8.0f ns, %.3f of quiet, tiles per SM %s, %s%n",
                        held,
                        scheduler,
                        medianNs,
                        slowdown.get(scheduler),
                        TileHistogram.of(done.evidence().tilesPerSm()),
                        done.log());
            }
            if (held > 0) {
                assertThat(slowdown.get("static"))
                        .as("%s SMs held", held)
                        .isGreaterThan(1.15 * slowdown.get("atomic"))
                        .isGreaterThan(1.15 * slowdown.get("single"));
            }
        }
    }

    @Test
    @Order(11)
    void peersRunBesideTheSameHolders() {
        FinalDone round = new FinalRunner(bench, new Phases(System::nanoTime, name -> {}))
                .run(new RunFinal(
                        problem("1000x1512x704").beside(new Scenario(16)),
                        List.of(),
                        3,
                        null,
                        List.of("cublaslt"),
                        8,
                        List.of(Mode.SUSTAINED)));
        System.out.println(round.log());
        assertThat(round.log()).contains("SMs held while timed: ");
        assertThat(round.arms()).extracting(Report.Arm::outcome).containsOnly(TrialOutcome.COMPLETED);
    }

    @Test
    @Order(12)
    void badImagesAreRefusedWithTheAssemblersWords() {
        assertThatThrownBy(() -> gpu.load(".version 8.0\n.target sm_90a\n.address_size 64\nnonsense;".getBytes()))
                .isInstanceOf(CudaException.class)
                .hasMessageContaining("nonsense");
        assertThat(gpu.freeBytes()).as("the context is still good").isPositive();
    }

    @Test
    @Order(13)
    void aFaultIsSticky() {
        assertThatThrownBy(() -> {
                    try (OracleModule module = OracleModule.load(gpu, SpinKernel.build())) {
                        module.enqueue(SpinKernel.launch(8, 1_000_000, 8));
                        gpu.synchronize();
                    }
                })
                .isInstanceOfSatisfying(
                        CudaException.class,
                        fault -> assertThat(fault.isSticky()).isTrue());
        gpu = null;
    }
}
