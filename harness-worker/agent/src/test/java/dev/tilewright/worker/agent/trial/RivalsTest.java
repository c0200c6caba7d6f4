package dev.tilewright.worker.agent.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.bundle.BundleSpace;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.Verdict;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
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
import dev.tilewright.worker.agent.device.PreparedFinal;
import dev.tilewright.worker.agent.device.PreparedTrial;
import dev.tilewright.worker.link.Cubin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From the lease of a final with peers to the kernels that the device gets. */
@Timeout(60)
class RivalsTest {

    private static final Runnable NO_RACE = () -> {};

    private static final Path EXAMPLE = Path.of("../../docs/examples/bundles/cuda-gemm");
    private static final String ABSENT = "bundle:absent@0123456789abcdef";

    @TempDir
    private Path directory;

    private final Map<String, byte[]> zips = new HashMap<>();
    private Verdict verdict = Verdict.PROVED;
    private String refusedText = "no such text";
    private Config wrong = Config.of(Map.of());
    private final FakeGpuDevice gpu = new FakeGpuDevice() {
        @Override
        public TrialResult run(PreparedTrial trial) {
            TrialResult result = super.run(trial);
            return trial.config().equals(wrong) ? TrialResult.failed(TrialOutcome.MISMATCH, "17 wrong") : result;
        }
    };
    private final Families families =
            GemmFamilies.standard().spaces().with(new FetchedBundles(version -> zips.get(version)));
    private Bundle bundle;
    private BundleSpace first;
    private BundleSpace second;
    private Problem problem;
    private ProofPool proofs;
    private CompilePool compiler;
    private TrialPath path;

    @BeforeEach
    void open() throws IOException {
        bundle = Bundle.read(BundleFiles.read(EXAMPLE));
        first = keep("cuda-gemm", yaml -> yaml);
        second = keep("other", yaml -> yaml.replace("name: cuda-gemm", "name: other"));
        problem = bundle.problem().of(new ProblemShape(2048, 1024, 768), 1);
        FakeEmulator asked = new FakeEmulator(_ -> FakeEmulator.result(FakeEmulator.checked(verdict)));
        proofs = new ProofPool(_ -> asked, 1);
        compiler = new CompilePool(
                () -> new FakeAssembler(ptx -> ptx.contains(refusedText)
                        ? new AssemblyResult.Refused("line 7: no")
                        : new AssemblyResult.Assembled(new Assembly(
                                new Cubin(ptx.getBytes(StandardCharsets.UTF_8)), "cubin", 168, 0, 0, List.of(), ""))),
                1,
                new CubinCache(directory, 1 << 30),
                Duration.ofSeconds(10));
        KernelSource source = new BundleSource(
                new FetchedBundles(version -> zips.get(version)), new GemmSource(GemmFamilies.standard()));
        path = new TrialPath(
                families,
                "build",
                new KernelWorkshop(source, compiler, Runnable::run),
                gpu,
                new RequiredCheck(families, new StoreInMemory(), proofs, FakeEmulator.BUILD, Runnable::run));
    }

    private BundleSpace keep(String name, UnaryOperator<String> change) throws IOException {
        Map<String, byte[]> files = new TreeMap<>(bundle.files().contents());
        String yaml = change.apply(bundle.files().text(BundleFiles.DESCRIPTION));
        files.put(BundleFiles.DESCRIPTION, yaml.getBytes(StandardCharsets.UTF_8));
        BundleFiles changed = BundleFiles.of(files);
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        changed.zip(zip);
        BundleSpace space = BundleSpace.of(Bundle.read(changed));
        assertThat(space.family()).startsWith("bundle:" + name + "@");
        zips.put(space.family().substring(space.family().indexOf('@') + 1), zip.toByteArray());
        return space;
    }

    private BundleSpace withRelu(String name) throws IOException {
        return keep(
                name,
                yaml -> yaml.replace("name: cuda-gemm", "name: " + name).replace("space:", "epilogue: relu\nspace:"));
    }

    @AfterEach
    void close() {
        proofs.close();
        compiler.close();
    }

    private Config any(FamilySpace family) {
        return SpaceTree.of(family.space(problem, gpu.limits()).usual(Map.of())).config(0);
    }

    private Lease lease(FamilySpace family, boolean check, String... more) {
        return new Lease(
                UUID.randomUUID(),
                1,
                900,
                UUID.randomUUID(),
                UUID.randomUUID(),
                problem,
                "build",
                Map.of(family.family(), family.space(problem, gpu.limits()).hash()),
                3,
                check,
                new Work.Final(
                        List.of(new Work.Contender(UUID.randomUUID(), any(family), 0)),
                        1,
                        Stream.concat(family.peers().stream(), Stream.of(more)).toList(),
                        null));
    }

    private FinalResult finish(Lease lease) throws Exception {
        return ((Report.Finished) path.finish(path.begin(lease), List.of(), NO_RACE)).result();
    }

    private List<String> rivals() {
        return gpu.finals.getFirst().rivals().stream()
                .map(PreparedFinal.Rival::name)
                .toList();
    }

    private List<String> variants(BundleSpace space) {
        return Stream.of("STEP=16 TILE=32", "STEP=32 TILE=32", "STEP=16 TILE=64", "STEP=32 TILE=64")
                .map(config -> space.family() + " " + config)
                .toList();
    }

    @Test
    void besideABundleAreOurFamilyAndEachConfigOfAnother() throws Exception {
        FinalResult result = finish(lease(first, false, second.family()));
        assertThat(rivals()).startsWith("sm90-gemm").hasSize(5).containsAll(variants(second));
        assertThat(gpu.finals.getFirst().peers()).containsExactly("cublaslt");
        assertThat(gpu.seen)
                .as("what nothing is known of shows first that it is right")
                .extracting(PreparedTrial::family)
                .containsExactly(second.family(), second.family(), second.family(), second.family());
        assertThat(result.arms()).isEmpty();
        assertThat(result.log()).doesNotContain("is no peer");
    }

    @Test
    void besideOurFamilyAreTheConfigsOfTwoBundles() throws Exception {
        finish(lease(families.named("sm90-gemm"), false, first.family(), second.family()));
        assertThat(rivals())
                .containsExactlyInAnyOrderElementsOf(Stream.concat(variants(first).stream(), variants(second).stream())
                        .toList());
        assertThat(gpu.finals.getFirst().rivals())
                .extracting(PreparedFinal.Rival::family)
                .contains(first.family(), second.family());
    }

    @Test
    void oneThatIsWrongOrIsNotAssembledIsNoPeerAndTheOthersAre() throws Exception {
        wrong = Config.parse("STEP=16 TILE=32");
        refusedText = bundle.files().text("gemm-TILE64-STEP32.ptx");
        FinalResult result = finish(lease(families.named("sm90-gemm"), false, second.family()));
        assertThat(rivals())
                .containsExactlyInAnyOrder(second.family() + " STEP=16 TILE=64", second.family() + " STEP=32 TILE=32");
        assertThat(result.log())
                .contains(second.family() + " STEP=16 TILE=32 is no peer: mismatch: 17 wrong")
                .contains(second.family() + " STEP=32 TILE=64 is no peer: compile: line 7: no");
        assertThat(result.arms()).hasSize(2).allSatisfy(arm -> {
            assertThat(arm.trialId()).isNull();
            assertThat(arm.family()).isEqualTo(second.family());
            assertThat(arm.outcome()).isIn(TrialOutcome.MISMATCH, TrialOutcome.COMPILE);
            assertThat(arm.measurements()).isEmpty();
        });
    }

    @Test
    void aJobWithCheckHasItsPeersProvedToo() throws Exception {
        verdict = Verdict.UNSUPPORTED;
        FinalResult result = finish(lease(families.named("sm90-gemm"), true, second.family()));
        assertThat(rivals()).isEmpty();
        assertThat(gpu.seen).isEmpty();
        assertThat(result.log()).contains(second.family() + " STEP=16 TILE=32 is no peer: unassembled: ");
    }

    @Test
    void oneThatCannotBeHadIsSaid() throws Exception {
        zips.put("0123456789abcdef", zips.values().iterator().next());
        FinalResult result = finish(lease(families.named("sm90-gemm"), false, ABSENT, second.family()));
        assertThat(rivals()).containsExactlyInAnyOrderElementsOf(variants(second));
        assertThat(result.log()).contains(ABSENT + " is no peer: the service gave bundle:");
        assertThat(result.arms())
                .as("who asked for it sees it beside the others")
                .filteredOn(arm -> arm.name().equals(ABSENT))
                .singleElement()
                .satisfies(arm -> assertThat(arm.outcome()).isEqualTo(TrialOutcome.BUILD))
                .satisfies(arm -> assertThat(arm.log()).contains("the service gave bundle:"));
    }

    /** The service knows how many there are for the SMs that it expects. */
    @Test
    void oneOfMoreKernelsThanAPeerHasIsSaid() throws Exception {
        BundleSpace large = keep(
                "large",
                yaml -> yaml.replace("name: cuda-gemm", "name: large")
                        .replace("STEP: [16, 32]", "STEP: [16, 32, 1, 2, 3, 4, 5, 6, 7]"));
        FinalResult result = finish(lease(families.named("sm90-gemm"), false, large.family()));
        assertThat(rivals()).isEmpty();
        assertThat(result.log())
                .contains(large.family() + " is no peer: a peer has at most 16 kernels, on 132 SMs it has 18");
    }

    @Test
    void besideAnEpilogueAreThoseWithTheSame() throws Exception {
        BundleSpace own = withRelu("own");
        BundleSpace alike = withRelu("alike");
        FinalResult result = finish(lease(own, false, alike.family(), second.family()));
        assertThat(rivals()).containsExactlyInAnyOrderElementsOf(variants(alike));
        assertThat(result.log())
                .contains("sm90-gemm is no peer: its epilogue is none, that of " + own.family() + " relu")
                .contains(second.family() + " is no peer: its epilogue is none");
        assertThat(gpu.finals.getFirst().peers())
                .as("the device says of it that it is absent")
                .containsExactly("cublaslt");
    }
}
