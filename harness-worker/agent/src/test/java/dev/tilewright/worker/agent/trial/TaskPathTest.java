package dev.tilewright.worker.agent.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.bundle.BundleSpace;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTask.Side;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.GpuTaskResult.CompareVerdict;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.GpuTaskResult.ComparedSide;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.StopRule;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.Verdict;
import dev.tilewright.ptx.parse.DelayedText;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.vendor.VendorSpace;
import dev.tilewright.worker.agent.bundle.BundleSource;
import dev.tilewright.worker.agent.bundle.FetchedBundles;
import dev.tilewright.worker.agent.check.FakeEmulator;
import dev.tilewright.worker.agent.check.ProofPool;
import dev.tilewright.worker.agent.check.RequiredCheck;
import dev.tilewright.worker.agent.check.StoreInMemory;
import dev.tilewright.worker.agent.compile.Assembly;
import dev.tilewright.worker.agent.compile.AssemblyResult;
import dev.tilewright.worker.agent.compile.CompilePool;
import dev.tilewright.worker.agent.compile.CubinCache;
import dev.tilewright.worker.agent.compile.FakeAssembler;
import dev.tilewright.worker.agent.device.PreparedKernel;
import dev.tilewright.worker.agent.device.PreparedTrial;
import dev.tilewright.worker.link.Cubin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** From the lease of a comparison to the kernels that the device gets, of several families. */
@Timeout(60)
class TaskPathTest {

    private static final Runnable NO_RACE = () -> {};

    private static final Path EXAMPLE = Path.of("../../docs/examples/bundles/cuda-gemm");
    private static final Config THEIRS =
            Config.of(Map.of("TILE", ParameterValue.of(64), "STEP", ParameterValue.of(32)));

    @TempDir
    private Path directory;

    private final Map<String, byte[]> zips = new HashMap<>();
    private final List<PreparedKernel> given = new ArrayList<>();
    private final FakeGpuDevice gpu = new FakeGpuDevice() {
        @Override
        public GpuTaskResult run(GpuTask task, List<PreparedKernel> kernels) {
            given.addAll(kernels);
            return answer;
        }
    };
    private GpuTaskResult answer = new GpuTaskResult.Failed("that is all");
    private Function<PreparedTrial, TrialResult> emulator =
            _ -> TrialResult.failed(TrialOutcome.CRASH, "nobody asks for a proof");
    private final Families families = Families.standard().with(new FetchedBundles(version -> zips.get(version)));
    private Bundle bundle;
    private BundleSpace first;
    private BundleSpace second;
    private Problem problem;
    private ProofPool proofs;
    private CompilePool compiler;
    private TrialPath path;

    @BeforeEach
    void open() throws IOException {
        BundleFiles files = BundleFiles.read(EXAMPLE);
        bundle = Bundle.read(files);
        first = keep(files);
        Map<String, byte[]> changed = new TreeMap<>(files.contents());
        String text = files.text("gemm-TILE64-STEP32.ptx");
        changed.put("gemm-TILE64-STEP32.ptx", (text + "// another version\n").getBytes(StandardCharsets.UTF_8));
        second = keep(BundleFiles.of(changed));
        problem = bundle.problem().of(new ProblemShape(2048, 1024, 768), 1);
        FakeEmulator asked = new FakeEmulator(trial -> emulator.apply(trial));
        proofs = new ProofPool(_ -> asked, 1);
        compiler = new CompilePool(
                () -> new FakeAssembler(ptx -> new AssemblyResult.Assembled(new Assembly(
                        new Cubin(ptx.getBytes(StandardCharsets.UTF_8)), "cubin", 168, 0, 0, List.of(), ""))),
                1,
                new CubinCache(directory, 1 << 30),
                Duration.ofSeconds(10));
        KernelSource source = new BundleSource(
                new FetchedBundles(version -> zips.get(version)),
                new LibrarySource(Families.standard(), new GemmSource(GemmFamilies.standard())));
        path = new TrialPath(
                families,
                "build",
                new KernelWorkshop(source, compiler, Runnable::run),
                gpu,
                new RequiredCheck(families, new StoreInMemory(), proofs, FakeEmulator.BUILD, Runnable::run));
    }

    private BundleSpace keep(BundleFiles files) throws IOException {
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        files.zip(zip);
        BundleSpace space = BundleSpace.of(Bundle.read(files));
        zips.put(space.family().substring(space.family().indexOf('@') + 1), zip.toByteArray());
        return space;
    }

    @AfterEach
    void close() {
        proofs.close();
        compiler.close();
    }

    private Config ours() {
        return SpaceTree.of(
                        families.named("sm90-gemm").space(problem, gpu.limits()).usual(Map.of()))
                .representatives(List.of())
                .getFirst();
    }

    private Lease lease(Side one, Side other) {
        return lease(new GpuTask.Compare(problem, one, other, false, 3));
    }

    private Lease lease(GpuTask task) {
        return new Lease(
                UUID.randomUUID(),
                1,
                900,
                null,
                null,
                problem,
                "build",
                task.families().stream()
                        .collect(Collectors.toMap(
                                family -> family,
                                family -> families.named(family)
                                        .space(problem, gpu.limits())
                                        .hash())),
                3,
                false,
                new Work.Run(task));
    }

    private Report finish(Lease lease) throws Exception {
        return path.finish(path.begin(lease), List.of(), NO_RACE);
    }

    /** The texts, which the assembler here passes on as they are. */
    private List<String> given() {
        return given.stream()
                .map(kernel -> new String(built(kernel).assembly().cubin().bytes(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void eachSideIsBuiltByItsFamily() throws Exception {
        finish(lease(new Side.Own(first.family(), THEIRS), new Side.Own("sm90-gemm", ours())));
        assertThat(given()).hasSize(2);
        assertThat(given().getFirst()).isEqualTo(bundle.files().text("gemm-TILE64-STEP32.ptx"));
        assertThat(given().getLast()).contains("wgmma");
        assertThat(given).extracting(kernel -> kernel.bundle() == null).containsExactly(false, true);
    }

    /** One config, two kernels. */
    @Test
    void versionsOfABundleAreKeptApart() throws Exception {
        finish(lease(new Side.Own(first.family(), THEIRS), new Side.Own(second.family(), THEIRS)));
        assertThat(given()).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void besideASlowedSideBothHaveAWait() throws Exception {
        Side plain = new Side.Own(first.family(), THEIRS);
        finish(lease(plain, plain));
        String text = given().getFirst();
        String entry = launch(given.getFirst()).entry().orElseThrow();
        given.clear();
        finish(lease(plain, new Side.Own(first.family(), THEIRS, 0.01)));
        assertThat(given()).containsExactly(DelayedText.of(text, entry), DelayedText.of(text, entry));
    }

    private Compared proved(Side one, Side other) throws Exception {
        return proved(one, other, List.of());
    }

    private Compared proved(Side one, Side other, List<String> accept) throws Exception {
        answer = new Compared(
                CompareVerdict.SAME,
                new Ratio(1, 0.999, 1.001, 20),
                new ComparedSide("first", TrialOutcome.COMPLETED, 0.2, ""),
                new ComparedSide("second", TrialOutcome.COMPLETED, 0.2, ""),
                List.of(),
                List.of(),
                "");
        Report report = finish(
                lease(new GpuTask.Compare(problem, one, other, false, 3, StopRule.COMPARISON, false, true, accept)));
        return (Compared) ((Report.Ran) report).result();
    }

    @Test
    void sidesSayTheirHashesAndWhatTheEmulatorSays() throws Exception {
        emulator = _ -> FakeEmulator.result(FakeEmulator.checked(Verdict.PROVED));
        Compared compared = proved(new Side.Own(first.family(), THEIRS), new Side.Own(first.family(), THEIRS, 0.01));
        assertThat(given).hasSize(2);
        assertThat(compared.first().ptxHash()).isEqualTo(given.getFirst().hash());
        assertThat(compared.first().cubinHash()).isNotNull();
        assertThat(compared.second().ptxHash())
                .as("that of the twin, which is timed")
                .isEqualTo(given.getLast().hash());
        assertThat(compared.first().checked().verdict()).isEqualTo(Verdict.PROVED);
    }

    @Test
    void theEmulatorHearsWhatMayBeBroken() throws Exception {
        List<List<String>> accepted = new CopyOnWriteArrayList<>();
        emulator = trial -> {
            accepted.add(trial.accept());
            return FakeEmulator.result(FakeEmulator.checked(Verdict.PROVED));
        };
        Side side = new Side.Own(first.family(), THEIRS);
        proved(side, side, List.of("cluster-scope"));
        assertThat(accepted).containsExactly(List.of("cluster-scope"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Verdict.class,
            names = {"SHALLOW", "UNSUPPORTED"})
    void whatCannotBeProvedIsSaidAndTimed(Verdict verdict) throws Exception {
        emulator = _ -> FakeEmulator.result(FakeEmulator.checked(verdict));
        Compared compared = proved(new Side.Own(first.family(), THEIRS), new Side.Own("sm90-gemm", ours()));
        assertThat(given).hasSize(2);
        assertThat(compared.verdict()).isEqualTo(CompareVerdict.SAME);
        assertThat(compared.second().checked().verdict()).isEqualTo(verdict);
    }

    @Test
    void aProofThatCameToNoVerdictSaysWhy() throws Exception {
        emulator = _ -> TrialResult.failed(TrialOutcome.TIMEOUT, "killed after 60 s");
        Compared compared = proved(new Side.Own(first.family(), THEIRS), new Side.OfPeer("cublaslt", null));
        assertThat(compared.verdict()).isEqualTo(CompareVerdict.SAME);
        assertThat(compared.first().checked()).isNull();
        assertThat(compared.first().log()).isEqualTo("the check came to no verdict\nkilled after 60 s");
        assertThat(compared.second().log()).isEmpty();
    }

    /** The header of a cubin for sm_90, which is all that is read of one before a GPU gets it. */
    private static byte[] cubin() {
        return ByteBuffer.allocate(100)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0, 0x464C_457F)
                .put(7, (byte) 0x41)
                .putShort(18, (short) 190)
                .putInt(48, 0x0600_5A04)
                .array();
    }

    /** The same bundle with cubins alone. */
    private BundleSpace binary() throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        String yaml = bundle.files()
                .text(BundleFiles.DESCRIPTION)
                .replaceFirst("kernel: (\\S+)\\.ptx", "kernel: {file: \"$1.cubin\", target: sm_90a}")
                .replace("launch:\n", "launch:\n  entry: gemm\n");
        files.put(BundleFiles.DESCRIPTION, yaml.getBytes(StandardCharsets.UTF_8));
        bundle.files().names().stream()
                .filter(name -> name.endsWith(".ptx"))
                .forEach(name -> files.put(name.replace(".ptx", ".cubin"), cubin()));
        return keep(BundleFiles.of(files));
    }

    @Test
    void aCubinIsLoadedAsItIsAndSaysThatItIsNotProved() throws Exception {
        BundleSpace binary = binary();
        answer = new Compared(
                CompareVerdict.SAME,
                new Ratio(1, 0.999, 1.001, 20),
                new ComparedSide("first", TrialOutcome.COMPLETED, 0.2, ""),
                new ComparedSide("second", TrialOutcome.COMPLETED, 0.2, ""),
                List.of(),
                List.of(),
                "");
        Report report = finish(lease(new Side.Own(binary.family(), THEIRS), new Side.Own(first.family(), THEIRS)));
        Compared compared = (Compared) ((Report.Ran) report).result();
        assertThat(built(given.getFirst()).assembly().cubin().bytes()).isEqualTo(cubin());
        assertThat(launch(given.getFirst()).entry()).contains("gemm");
        assertThat(launch(given.getFirst()).grid())
                .isEqualTo(launch(given.getLast()).grid());
        assertThat(compared.first().ptxHash()).isNull();
        assertThat(compared.first().cubinHash())
                .isEqualTo(built(given.getFirst()).assembly().cubinHash());
        assertThat(compared.first().log()).isEqualTo("not proved: gemm-TILE64-STEP32.cubin is a cubin");
        assertThat(compared.second().log()).isEmpty();
    }

    @Test
    void aCubinIsNotSlowed() throws Exception {
        Report report =
                finish(lease(new Side.Own(binary().family(), THEIRS), new Side.Own(first.family(), THEIRS, 0.01)));
        Compared compared = (Compared) ((Report.Ran) report).result();
        assertThat(compared.verdict()).isEqualTo(CompareVerdict.INVALID);
        assertThat(compared.first().outcome()).isEqualTo(TrialOutcome.BUILD);
        assertThat(compared.first().log())
                .isEqualTo("gemm-TILE64-STEP32.cubin is a cubin: no wait can be put in front of it");
    }

    @Test
    void aCubinOfWhichAProofWasAskedSaysThatThereIsNone() throws Exception {
        emulator = _ -> FakeEmulator.result(FakeEmulator.checked(Verdict.UNSUPPORTED));
        Compared compared = proved(new Side.Own(binary().family(), THEIRS), new Side.OfPeer("cublaslt", null));
        assertThat(compared.verdict()).isEqualTo(CompareVerdict.SAME);
        assertThat(compared.first().checked().verdict()).isEqualTo(Verdict.UNSUPPORTED);
    }

    /** Its first that is worth a try. */
    private Config algorithm() {
        return new VendorSpace().promising(problem, 1).findFirst().orElseThrow();
    }

    /** Nothing is built or proved of it: the runner is told which algorithm it is. */
    @Test
    void anAlgorithmOfALibraryGoesToTheGpuAndIsNotProved() throws Exception {
        emulator = trial -> FakeEmulator.result(
                FakeEmulator.checked(trial.family().equals("cublaslt") ? Verdict.REFUTED : Verdict.PROVED));
        Compared compared = proved(new Side.Own("cublaslt", algorithm()), new Side.Own(first.family(), THEIRS));
        assertThat(compared.verdict()).isEqualTo(CompareVerdict.SAME);
        assertThat(given.getFirst()).isEqualTo(new PreparedKernel.OfLibrary("cublaslt", algorithm(), problem));
        assertThat(given.getLast()).isInstanceOf(PreparedKernel.Built.class);
        assertThat(compared.first().checked()).isNull();
        assertThat(compared.first().log())
                .isEqualTo("not proved: the kernels of cublaslt are those of an installed library, which has no text of"
                        + " them");
    }

    @Test
    void anAlgorithmOfALibraryIsNotSlowed() throws Exception {
        Report report =
                finish(lease(new Side.Own("cublaslt", algorithm(), 0.01, null), new Side.Own(first.family(), THEIRS)));
        Compared compared = (Compared) ((Report.Ran) report).result();
        assertThat(given).isEmpty();
        assertThat(compared.first().outcome()).isEqualTo(TrialOutcome.BUILD);
        assertThat(compared.first().log()).endsWith("no wait can be put in front of one");
    }

    /** A rule of its space is asked before the library is. */
    @Test
    void anAlgorithmThatTheTableDoesNotHaveIsPruned() throws Exception {
        Config wrong = algorithm().with("stagesId", ParameterValue.of(34));
        Report report = finish(lease(new Side.Own("cublaslt", wrong), new Side.Own(first.family(), THEIRS)));
        Compared compared = (Compared) ((Report.Ran) report).result();
        assertThat(compared.first().outcome()).isEqualTo(TrialOutcome.PRUNED);
        assertThat(compared.first().log()).contains("vendorStages");
    }

    @Test
    void whatIsRefutedIsNotRun() throws Exception {
        emulator = trial -> FakeEmulator.result(
                FakeEmulator.checked(trial.family().equals("sm90-gemm") ? Verdict.REFUTED : Verdict.PROVED));
        Compared compared = proved(new Side.Own("sm90-gemm", ours()), new Side.Own(first.family(), THEIRS));
        assertThat(given).isEmpty();
        assertThat(compared.verdict()).isEqualTo(CompareVerdict.INVALID);
        assertThat(compared.first().outcome()).isEqualTo(TrialOutcome.HAZARD);
        assertThat(compared.first().checked().verdict()).isEqualTo(Verdict.REFUTED);
        assertThat(compared.first().log()).contains("finding: ");
        assertThat(compared.second().outcome()).isEqualTo(TrialOutcome.CANCELLED);
        assertThat(compared.second().checked().verdict()).isEqualTo(Verdict.PROVED);
    }

    @Test
    void aFamilyThatTheWorkerHasOtherwiseIsRefusedByName() throws Exception {
        Lease good = lease(new Side.Own(first.family(), THEIRS), new Side.Own("sm90-gemm", ours()));
        Map<String, String> hashes = new HashMap<>(good.spaceHashes());
        hashes.put("sm90-gemm", "0000");
        Lease other = new Lease(good.leaseId(), 1, 900, null, null, problem, "build", hashes, 3, false, good.work());
        assertThat(((Report.Refused) finish(other)).reason()).startsWith("this worker's space of sm90-gemm has hash ");
        zips.clear();
        assertThat(Stream.of(good).map(lease -> path.begin(lease).refusal()))
                .as("it was fetched before")
                .containsOnlyNulls();
    }

    @Test
    void twoPeersNeedNoFamily() throws Exception {
        Lease lease = lease(new Side.OfPeer("cublaslt", null), new Side.OfPeer("cublaslt", "3"));
        assertThat(lease.spaceHashes()).isEmpty();
        assertThat(((Report.Ran) finish(lease)).result()).isEqualTo(new GpuTaskResult.Failed("that is all"));
        assertThat(given).isEmpty();
    }

    private static LaunchDescription launch(PreparedKernel kernel) {
        return built(kernel).launch();
    }

    private static PreparedKernel.Built built(PreparedKernel kernel) {
        return (PreparedKernel.Built) kernel;
    }
}
