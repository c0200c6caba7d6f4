package dev.tilewright.worker.agent.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.GpuTime;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.Verdict;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.agent.check.FakeEmulator;
import dev.tilewright.worker.agent.check.ProofPool;
import dev.tilewright.worker.agent.check.RequiredCheck;
import dev.tilewright.worker.agent.check.StoreInMemory;
import dev.tilewright.worker.agent.compile.Assembler;
import dev.tilewright.worker.agent.compile.AssemblerId;
import dev.tilewright.worker.agent.compile.AssemblyResult;
import dev.tilewright.worker.agent.compile.CompilePool;
import dev.tilewright.worker.agent.compile.CubinCache;
import dev.tilewright.worker.agent.compile.FakeAssembler;
import dev.tilewright.worker.agent.compile.NoAssembler;
import dev.tilewright.worker.agent.device.Device;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.device.PreparedFinal;
import dev.tilewright.worker.agent.device.PreparedTrial;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From a lease to a report, with the check before the device and without it. */
@Timeout(60)
class TrialPathTest {

    private static final Runnable NO_RACE = () -> {};

    private static final Problem PROBLEM = Problem.of(new ProblemShape(2048, 1024, 768), DataType.BF16);
    private static final GemmFamilies FAMILIES = GemmFamilies.standard();

    @TempDir
    private Path directory;

    private final StoreInMemory store = new StoreInMemory();
    private final FakeGpuDevice gpu = new FakeGpuDevice();
    private ProofPool proofs;
    private CompilePool compiler;

    @AfterEach
    void close() {
        proofs.close();
        compiler.close();
    }

    private TrialPath path(Device device, FakeEmulator emulator, Assembler assembler) throws IOException {
        proofs = new ProofPool(_ -> emulator, 1);
        compiler = new CompilePool(() -> assembler, 1, new CubinCache(directory, 1 << 30), Duration.ofSeconds(10));
        return new TrialPath(
                FAMILIES.spaces(),
                "build",
                new KernelWorkshop(new GemmSource(FAMILIES), compiler, Runnable::run),
                device,
                new RequiredCheck(FAMILIES.spaces(), store, proofs, FakeEmulator.BUILD, Runnable::run));
    }

    private static Lease lease(Device device, String build) {
        Lease lease = screen(device, false);
        return new Lease(
                lease.leaseId(),
                lease.fence(),
                lease.ttlMs(),
                lease.jobId(),
                lease.studyId(),
                lease.problem(),
                build,
                lease.spaceHashes(),
                lease.seed(),
                lease.check(),
                lease.work());
    }

    private static Lease lease(Device device, boolean check, Function<Config, Work> work) {
        SearchSpace space = FAMILIES.named("sm90-gemm").space().space(PROBLEM, device.limits());
        Config config = SpaceTree.of(space).representatives(List.of()).getFirst();
        return new Lease(
                UUID.randomUUID(),
                5,
                900,
                UUID.randomUUID(),
                UUID.randomUUID(),
                PROBLEM,
                "build",
                Map.of("sm90-gemm", space.hash()),
                3,
                check,
                work.apply(config));
    }

    private static TrialResult screened(TrialPath path, Lease lease) throws DeviceUnusableException {
        return ((Report.Screened) path.finish(path.begin(lease), List.of(), NO_RACE)).result();
    }

    private static Lease screen(Device device, boolean check) {
        return lease(device, check, config -> new Work.Screen(UUID.randomUUID(), 1, config));
    }

    /** Waits for the kernels of a lease. */
    private static Begun made(TrialPath path, Lease lease) {
        Begun begun = path.begin(lease);
        begun.kernels().values().forEach(CompletableFuture::join);
        if (begun.anchor() != null) {
            begun.anchor().join();
        }
        return begun;
    }

    @Test
    void theDeviceIsToldTheFirstTrialThatComesNext() throws Exception {
        TrialPath path = path(gpu, FakeEmulator.saying(Verdict.PROVED), new FakeAssembler());
        Begun now = made(path, screen(gpu, false));
        Begun pruned = made(
                path,
                lease(
                        gpu,
                        false,
                        config -> new Work.Screen(UUID.randomUUID(), 1, config.with("tileK", ParameterValue.of(7)))));
        Begun following = made(path, screen(gpu, false));

        path.expect(now);
        path.finish(now, List.of(pruned, following), NO_RACE);
        path.finish(pruned, List.of(following), NO_RACE);
        path.finish(following, List.of(), NO_RACE);

        assertThat(gpu.seen).as("what was pruned never comes to the device").hasSize(2);
        assertThat(gpu.next).containsExactly(Optional.of(gpu.seen.get(1)), Optional.empty());
        assertThat(gpu.expected).as("all kernels were there").isEmpty();
    }

    @Test
    void whatIsNotMadeYetIsNotWaitedFor() throws Exception {
        CompletableFuture<Void> released = new CompletableFuture<>();
        Assembler slow = new Assembler() {
            @Override
            public AssemblerId id() {
                return new AssemblerId("slow", "1.0", "");
            }

            @Override
            public AssemblyResult assemble(String ptx, String target, Duration limit) {
                released.join();
                return new FakeAssembler().assemble(ptx, target, limit);
            }

            @Override
            public void close() {
                // Nothing to end.
            }
        };
        long waited = Duration.ofHours(1).toNanos();
        FakeGpuDevice device = new FakeGpuDevice() {
            @Override
            public void expect(Problem problem, long seed) {
                super.expect(problem, seed);
                released.complete(null);
            }

            @Override
            public TrialResult run(PreparedTrial trial) {
                TrialResult result = super.run(trial);
                return new TrialResult(
                        result.outcome(),
                        result.errorRatio(),
                        result.executed(),
                        result.measurements(),
                        null,
                        null,
                        Map.of(GpuTime.WAIT + GpuTime.REQUEST, waited, GpuTime.WAIT + "load", 1000L, "measure", waited),
                        "");
            }
        };
        TrialPath path = path(device, FakeEmulator.saying(Verdict.PROVED), slow);
        Begun refused = path.begin(lease(device, "another build"));

        long began = System.nanoTime();
        Begun begun = path.begin(screen(device, false));
        path.expect(begun);
        TrialResult report = ((Report.Screened) path.finish(begun, List.of(refused), NO_RACE)).result();
        long ran = System.nanoTime() - began;

        assertThat(device.expected).as("data are made while the kernel is").containsExactly(3L);
        assertThat(device.next).containsExactly(Optional.empty());
        Map<String, Long> times = report.timesNs();
        assertThat(times.get(GpuTime.WAIT + GpuTime.ASSEMBLER))
                .as("what the GPU waited for the assembler")
                .isPositive();
        assertThat(times.get(GpuTime.WAIT + GpuTime.ASSEMBLER) + times.get(GpuTime.WAIT + GpuTime.REQUEST))
                .as("the GPU of a runner that was up for an hour has not waited for this study so long")
                .isPositive()
                .isLessThanOrEqualTo(ran - 1000);
    }

    @Test
    void withoutACheckTheEmulatorIsNotAsked() throws Exception {
        FakeEmulator emulator = FakeEmulator.saying(Verdict.REFUTED);
        TrialResult report = screened(path(gpu, emulator, new FakeAssembler()), screen(gpu, false));
        assertThat(report.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(report.checked()).isNull();
        assertThat(report.timesNs()).doesNotContainKey("check");
        assertThat(emulator.seen()).isEmpty();
    }

    @Test
    void aProvedTextRunsAndBringsItsProof() throws Exception {
        FakeEmulator emulator = FakeEmulator.saying(Verdict.PROVED);
        TrialPath path = path(gpu, emulator, new FakeAssembler());
        TrialResult first = screened(path, screen(gpu, true));
        TrialResult again = screened(path, screen(gpu, true));

        assertThat(first.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(first.measurements()).hasSize(1);
        assertThat(first.checked()).isEqualTo(FakeEmulator.checked(Verdict.PROVED));
        assertThat(first.timesNs()).containsKeys("build", "assemble", "check", "measure");
        assertThat(again.checked())
                .isEqualTo(FakeEmulator.checked(Verdict.PROVED).fromCache());
        assertThat(gpu.seen).hasSize(2);
        assertThat(emulator.seen()).hasSize(1);
        PreparedTrial proved = emulator.seen().getFirst();
        assertThat(proved.family()).isEqualTo("sm90-gemm");
        assertThat(first.checked().shape()).isEqualTo(PROBLEM.shape());
        assertThat(proved.kernel().hash()).isEqualTo(first.compilation().ptxHash());
        assertThat(proved.seed()).isEqualTo(3);
    }

    @Test
    void aRefutedTextNeverTouchesTheGpu() throws Exception {
        TrialPath path = path(gpu, FakeEmulator.saying(Verdict.REFUTED), new FakeAssembler());
        for (boolean cached : new boolean[] {false, true}) {
            TrialResult report = screened(path, screen(gpu, true));
            assertThat(report.outcome()).isEqualTo(TrialOutcome.HAZARD);
            assertThat(report.checked().cached()).isEqualTo(cached);
            assertThat(report.compilation().registers()).isEqualTo(168);
            assertThat(report.executed()).isNull();
            assertThat(report.log()).contains("finding: refuted");
        }
        assertThat(gpu.seen).isEmpty();
    }

    @Test
    void aShallowTextIsPruned() throws Exception {
        TrialPath path = path(gpu, FakeEmulator.saying(Verdict.SHALLOW), new FakeAssembler());
        TrialResult report = screened(path, screen(gpu, true));
        assertThat(report.outcome()).isEqualTo(TrialOutcome.PRUNED);
        assertThat(report.checked().verdict()).isEqualTo(Verdict.SHALLOW);
        assertThat(gpu.seen).isEmpty();
    }

    /** A kernel of a range of M has values that nobody would try for these rows, and a user may name it. */
    @Test
    void aConfigThatWasFoundForOtherRowsNeedsNoListedValues() throws Exception {
        FamilySpace family = FAMILIES.named("sm90-gemm").space();
        SearchSpace space = family.space(PROBLEM, gpu.limits());
        ProblemShape shape = PROBLEM.shape();
        Config elsewhere = IntStream.iterate(shape.m() + 72, m -> m + 72)
                .mapToObj(m -> Problem.of(new ProblemShape(m, shape.n(), shape.k()), DataType.BF16))
                .flatMap(other ->
                        SpaceTree.of(family.space(other, gpu.limits())).representatives(List.of("tileM")).stream())
                .filter(config -> space.violation(config).isPresent()
                        && space.broken(config).isEmpty())
                .findFirst()
                .orElseThrow();
        TrialPath path = path(gpu, FakeEmulator.saying(Verdict.PROVED), new FakeAssembler());

        for (boolean found : new boolean[] {false, true}) {
            Lease lease = lease(gpu, false, _ -> new Work.Screen(UUID.randomUUID(), 1, elsewhere, null, found));
            assertThat(screened(path, lease).outcome()).isEqualTo(TrialOutcome.COMPLETED);
        }
    }

    /** Families need not list for one shape what they list for another. */
    @Test
    void onlyASearchOfOtherRowsNeedsNoListedValues() throws Exception {
        FamilySpace family = FAMILIES.named("sm90-gemm").space();
        Config unlisted = SpaceTree.of(family.space(PROBLEM, gpu.limits()))
                .configs()
                .filter(config -> config.name("rasterOrder").equals("groupedM"))
                .findFirst()
                .orElseThrow()
                .with("rasterGroup=32");
        TrialPath path = path(gpu, FakeEmulator.saying(Verdict.PROVED), new FakeAssembler());

        Function<Boolean, Lease> of =
                found -> lease(gpu, false, _ -> new Work.Screen(UUID.randomUUID(), 1, unlisted, null, found));
        assertThat(screened(path, of.apply(false)).outcome()).isEqualTo(TrialOutcome.PRUNED);
        assertThat(screened(path, of.apply(true)).outcome()).isEqualTo(TrialOutcome.COMPLETED);
    }

    private Lease beside(Config anchor) {
        return lease(gpu, false, config -> new Work.Screen(UUID.randomUUID(), 1, config, anchor, false));
    }

    private Config anchor() {
        FamilySpace family = FAMILIES.named("sm90-gemm").space();
        SearchSpace space = family.space(PROBLEM, gpu.limits());
        return family.anchor(SpaceTree.of(space.usual(Map.of()))).orElseThrow();
    }

    @Test
    void theAnchorOfAStudyIsMadeOnceWhateverIsAbandoned() throws Exception {
        TrialPath path = path(gpu, FakeEmulator.saying(Verdict.PROVED), new FakeAssembler());
        Config anchor = anchor();
        path.begin(beside(anchor)).abandon();
        assertThat(screened(path, beside(anchor)).log()).isEmpty();
        screened(path, beside(anchor));
        assertThat(gpu.seen).hasSize(2);
        assertThat(gpu.seen.getFirst().anchor())
                .isNotNull()
                .isSameAs(gpu.seen.getLast().anchor());
        assertThat(gpu.seen.getFirst().anchor().hash())
                .isNotEqualTo(gpu.seen.getFirst().kernel().hash());
    }

    @Test
    void aTrialWhoseAnchorCannotBeMadeIsTimedAloneAndSaysSo() throws Exception {
        TrialPath path = path(gpu, FakeEmulator.saying(Verdict.PROVED), new FakeAssembler());
        Config anchor = anchor().with("loadStages", ParameterValue.of(99));
        TrialResult report = screened(path, beside(anchor));
        assertThat(report.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(report.log())
                .startsWith("timed without the anchor: pruned: ")
                .contains("99");
        assertThat(gpu.seen.getFirst().anchor()).isNull();
    }

    @Test
    void contendersGoToTheDeviceWithTheAnchorAndOtherDataThanTheirScreens() throws Exception {
        TrialPath path = path(gpu, FakeEmulator.saying(Verdict.PROVED), new FakeAssembler());
        Config anchor = anchor();
        screened(path, beside(anchor));
        Lease lease = lease(
                gpu,
                false,
                config -> new Work.Final(
                        List.of(new Work.Contender(UUID.randomUUID(), config, 3)), 2, List.of("cublaslt"), anchor));
        path.finish(path.begin(lease), List.of(), NO_RACE);
        PreparedFinal work = gpu.finals.getFirst();
        assertThat(work.finalists()).isEqualTo(2);
        assertThat(work.arms()).extracting(PreparedFinal.Arm::team).containsExactly(3);
        assertThat(work.anchor()).isSameAs(gpu.seen.getFirst().anchor());
        assertThat(work.seed()).isNotEqualTo(gpu.seen.getFirst().seed());
    }

    @Test
    void aFinalistIsCheckedToo() throws Exception {
        TrialPath path = path(gpu, FakeEmulator.saying(Verdict.REFUTED), new FakeAssembler());
        UUID finalist = UUID.randomUUID();
        Lease lease = lease(
                gpu,
                true,
                config ->
                        new Work.Final(List.of(new Work.Contender(finalist, config, 0)), 3, List.of("cublaslt"), null));
        FinalResult report = ((Report.Finished) path.finish(path.begin(lease), List.of(), NO_RACE)).result();
        assertThat(report.log()).startsWith("0 arms\nfinal took ").contains(": contenders prepared ");
        assertThat(report.arms()).singleElement().satisfies(arm -> {
            assertThat(arm.trialId()).isEqualTo(finalist);
            assertThat(arm.outcome()).isEqualTo(TrialOutcome.HAZARD);
        });
    }

    @Test
    void onAnEmulatedDeviceTheTrialIsTheProof() throws Exception {
        FakeEmulator device = FakeEmulator.saying(Verdict.PROVED);
        FakeEmulator emulator = FakeEmulator.saying(Verdict.REFUTED);
        TrialPath path = path(device, emulator, new FakeAssembler());
        TrialResult report = screened(path, screen(device, true));
        assertThat(report.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(report.measurements()).isEmpty();
        assertThat(report.errorRatio()).isEqualTo(0.5);
        assertThat(report.evidence().tilesPerSm()).containsExactly(3, 3, 4, 3);
        assertThat(report.checked()).isEqualTo(FakeEmulator.checked(Verdict.PROVED));
        assertThat(report.compilation().registers()).isEqualTo(168);
        assertThat(emulator.seen()).isEmpty();
        assertThat(store.of(report.compilation().ptxHash())).contains(FakeEmulator.checked(Verdict.PROVED));
    }

    @Test
    void withoutCheckAProofOfAnEmulatedDeviceIsItsTrialsAlone() throws Exception {
        FakeEmulator device = FakeEmulator.saying(Verdict.PROVED);
        TrialPath path = path(device, device, new FakeAssembler());
        TrialResult report = screened(path, screen(device, false));
        assertThat(report.checked()).isEqualTo(FakeEmulator.checked(Verdict.PROVED));
        assertThat(store.of(report.compilation().ptxHash())).isEmpty();
    }

    @Test
    void whatNoAssemblerTakesCanBeProvedButNotRun() throws Exception {
        Assembler none = new NoAssembler("no assembler knows sm_100a");
        FakeEmulator emulator = FakeEmulator.saying(Verdict.PROVED);
        TrialResult proved = screened(path(emulator, emulator, none), screen(emulator, false));
        assertThat(proved.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(proved.compilation()).isNull();
        assertThat(proved.log()).contains("no assembler knows sm_100a").contains("finding: proved");
        close();
        TrialResult refused = screened(path(gpu, emulator, none), screen(gpu, true));
        assertThat(refused.outcome()).isEqualTo(TrialOutcome.UNASSEMBLED);
        assertThat(refused.log()).isEqualTo("no assembler knows sm_100a");
        assertThat(gpu.seen).isEmpty();
    }

    @Test
    void aCheckWithoutAVerdictIsNoProof() throws Exception {
        FakeEmulator overdue = new FakeEmulator(trial -> TrialResult.failed(TrialOutcome.TIMEOUT, "killed"));
        TrialResult report = screened(path(gpu, overdue, new FakeAssembler()), screen(gpu, true));
        assertThat(report.outcome()).isEqualTo(TrialOutcome.TIMEOUT);
        Checked none = report.checked();
        assertThat(none).isNull();
        assertThat(gpu.seen).isEmpty();
    }
}
