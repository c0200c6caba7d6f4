package dev.tilewright.worker.agent.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.reader.LaunchReader;
import dev.tilewright.model.exchange.BuiltKernel;
import dev.tilewright.model.exchange.KernelFiles;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.ptx.parse.DelayedText;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.worker.agent.compile.Assembly;
import dev.tilewright.worker.agent.compile.AssemblyResult;
import dev.tilewright.worker.agent.compile.CompilePool;
import dev.tilewright.worker.agent.compile.CubinCache;
import dev.tilewright.worker.agent.compile.FakeAssembler;
import dev.tilewright.worker.agent.device.PreparedKernel;
import dev.tilewright.worker.link.Cubin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which outcome a config gets before it ever reaches a device. */
class KernelWorkshopTest {

    private static final Problem PROBLEM = Problem.of(new ProblemShape(300, 136, 72), DataType.BF16);
    private static final DeviceLimits LIMITS = DeviceLimits.of(132);

    @TempDir
    private Path directory;

    @Test
    void aRehearsalMakesTheAnchorAndConfigsOfTheSpaceWithTheirTwins() throws IOException {
        AtomicInteger texts = new AtomicInteger();
        Function<String, AssemblyResult> assembled = text -> {
            texts.incrementAndGet();
            return new AssemblyResult.Assembled(new Assembly(
                    new Cubin(new byte[] {1}), Integer.toString(text.hashCode()), 168, 0, 0, List.of(), ""));
        };
        GemmFamilies families = GemmFamilies.standard();
        try (CompilePool pool = new CompilePool(
                () -> new FakeAssembler(assembled), 1, new CubinCache(directory, 1 << 30), Duration.ofSeconds(10))) {
            List<Preparation> made = new Rehearsal(
                            families,
                            "sm90-gemm",
                            new KernelWorkshop(new GemmSource(families), pool, Runnable::run),
                            Runnable::run)
                    .made().stream().map(one -> one.kernel().join()).toList();

            assertThat(made)
                    .hasSize(9)
                    .allSatisfy(one -> assertThat(one)
                            .isInstanceOfSatisfying(
                                    Preparation.Ready.class,
                                    ready -> assertThat(ready.traced()).isNotNull()));
            assertThat(texts).as("each is another text").hasValue(18);
        }
    }

    @Test
    void aRehearsalRunsTwoTrialsBesideTheAnchorTheSecondToldWithTheFirst() throws IOException {
        GemmFamilies families = GemmFamilies.standard();
        FakeGpuDevice gpu = new FakeGpuDevice();
        try (CompilePool pool =
                new CompilePool(FakeAssembler::new, 1, new CubinCache(directory, 1 << 30), Duration.ofSeconds(10))) {
            new Rehearsal(
                            families,
                            "sm90-gemm",
                            new KernelWorkshop(new GemmSource(families), pool, Runnable::run),
                            Runnable::run)
                    .on(gpu);
        }
        assertThat(gpu.expected).as("data are made first").hasSize(1);
        assertThat(gpu.seen)
                .hasSize(2)
                .allSatisfy(trial -> assertThat(trial.anchor()).isNotNull().isNotEqualTo(trial.kernel()));
        assertThat(gpu.next).containsExactly(Optional.of(gpu.seen.get(1)), Optional.empty());
    }

    private static Config config() {
        SearchSpace space = GemmFamilies.standard().named("sm90-gemm").space().space(PROBLEM, LIMITS);
        return SpaceTree.of(space).representatives(List.of()).getFirst();
    }

    private Preparation prepare(Config config, boolean withTwin, Function<String, AssemblyResult> answer) {
        return prepare(PROBLEM, config, withTwin, answer);
    }

    private Preparation prepare(
            Problem problem, Config config, boolean withTwin, Function<String, AssemblyResult> answer) {
        try (CompilePool pool = new CompilePool(
                () -> new FakeAssembler(answer), 1, new CubinCache(fresh(), 1 << 30), Duration.ofSeconds(60))) {
            return new KernelWorkshop(new GemmSource(GemmFamilies.standard()), pool, Runnable::run)
                    .prepare(new BuiltKernel("sm90-gemm", config), problem, LIMITS, withTwin)
                    .join();
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** What one answer left behind must not be the next one. */
    private Path fresh() {
        return directory.resolve(UUID.randomUUID().toString());
    }

    private static AssemblyResult assembled(int spillBytes, String... alarms) {
        return new AssemblyResult.Assembled(
                new Assembly(new Cubin(new byte[] {1}), "cubin", 168, spillBytes, 16, List.of(alarms), ""));
    }

    private static void assertFailed(Preparation preparation, TrialOutcome outcome, String log) {
        assertThat(preparation).isInstanceOfSatisfying(Preparation.Failed.class, failed -> {
            assertThat(failed.result().outcome()).isEqualTo(outcome);
            assertThat(failed.result().log()).contains(log);
            assertThat(failed.timesNs()).containsKeys("build", "assemble");
        });
    }

    @Test
    void aGoodKernelIsReadyWithItsResources() {
        assertThat(prepare(config(), false, ptx -> assembled(0)))
                .isInstanceOfSatisfying(Preparation.Ready.class, ready -> {
                    assertThat(ready.traced()).isNull();
                    assertThat(ready.compilation().registers()).isEqualTo(168);
                    assertThat(ready.compilation().sharedBytes())
                            .isEqualTo(16 + launch(ready.kernel()).dynamicShared());
                    assertThat(ready.compilation().ptxHash()).matches("[0-9a-f]{64}");
                    KernelFiles files = Objects.requireNonNull(ready.kernel().files());
                    assertThat(Sha256.hex(files.ptx().content()))
                            .isEqualTo(ready.compilation().ptxHash());
                    assertThat(files.cubin().content()).containsExactly(1);
                    assertThat(LaunchReader.described(new String(files.launch().content(), StandardCharsets.UTF_8))
                                    .grid()
                                    .x())
                            .isEqualTo(launch(ready.kernel()).grid().x());
                    assertThat(ready.compilation().cubinHash()).isEqualTo("cubin");
                });
    }

    @Test
    void launchesOverlapInTheirOwnScenarioAlone() {
        Problem overlapped = PROBLEM.beside(Scenario.QUIET.overlapping());
        Config overlapping = config().with("launchOverlap=prologue");
        assertThat(prepare(overlapped, overlapping, true, ptx -> assembled(0)))
                .isInstanceOfSatisfying(Preparation.Ready.class, ready -> {
                    assertThat(launch(ready.kernel()).launchOverlap()).isTrue();
                    assertThat(launch(ready.traced()).launchOverlap()).isTrue();
                });
        assertFailed(
                prepare(overlapping, false, ptx -> assembled(0)),
                TrialOutcome.BUILD,
                "launches of the kernel overlap, the scenario has launchOverlap = false");
        assertFailed(
                prepare(overlapped, config(), false, ptx -> assembled(0)),
                TrialOutcome.BUILD,
                "launches of the kernel follow each other, the scenario has launchOverlap = true");
    }

    @Test
    void theTwinHasItsOwnText() {
        assertThat(prepare(config(), true, ptx -> assembled(0)))
                .isInstanceOfSatisfying(Preparation.Ready.class, ready -> {
                    assertThat(ready.traced()).isNotNull();
                    assertThat(ready.traced().hash())
                            .isNotEqualTo(ready.kernel().hash());
                });
    }

    @Test
    void aTextThatNoAssemblerTakesIsLeftToTheEmulator() {
        assertThat(prepare(config(), false, ptx -> new AssemblyResult.Unsupported("ISA 9.0")))
                .isInstanceOfSatisfying(Preparation.Unassembled.class, left -> {
                    assertThat(left.log()).contains("ISA 9.0");
                    assertThat(left.kernel().hash()).matches("[0-9a-f]{64}");
                    assertThat(left.timesNs()).containsKeys("build", "assemble");
                });
    }

    @Test
    void everyWayToFailHasItsOutcome() {
        assertFailed(prepare(config(), false, ptx -> assembled(48)), TrialOutcome.SPILL, "48 bytes");
        assertFailed(
                prepare(config(), false, ptx -> assembled(0, "(C7510) serialized")), TrialOutcome.COMPILE, "C7510");
        assertFailed(
                prepare(config(), false, ptx -> new AssemblyResult.Refused("line 7: no")),
                TrialOutcome.COMPILE,
                "line 7");
        assertFailed(
                prepare(config(), false, ptx -> new AssemblyResult.Overdue(Duration.ofSeconds(60))),
                TrialOutcome.COMPILE,
                "not done with the text after 60.0 s");
        assertFailed(
                prepare(config(), false, ptx -> new AssemblyResult.Broken("disk full")),
                TrialOutcome.INFRASTRUCTURE,
                "disk full");
        assertFailed(
                prepare(config().with("scheduler", ParameterValue.of("lottery")), false, ptx -> assembled(0)),
                TrialOutcome.BUILD,
                "lottery");
    }

    @Test
    void aTwinThatCannotBeHadCostsTheEvidenceAlone() {
        Preparation preparation = prepare(
                config(),
                true,
                ptx -> ptx.contains("globaltimer") ? new AssemblyResult.Refused("line 9") : assembled(0));

        assertThat(preparation).isInstanceOfSatisfying(Preparation.Ready.class, ready -> {
            assertThat(ready.traced()).isNull();
            assertThat(ready.log()).contains("no traced twin", "line 9");
        });
    }

    @Test
    void theTextOfASlowedKernelHasAWaitAndItsLaunchIsTheSame() {
        List<String> texts = new ArrayList<>();
        try (CompilePool pool = new CompilePool(
                () -> new FakeAssembler(ptx -> {
                    texts.add(ptx);
                    return assembled(0);
                }),
                1,
                new CubinCache(fresh(), 1 << 30),
                Duration.ofSeconds(60))) {
            KernelWorkshop workshop = new KernelWorkshop(new GemmSource(GemmFamilies.standard()), pool, Runnable::run);
            List<PreparedKernel> kernels = Stream.of(false, true)
                    .map(delayed -> (Preparation.Ready)
                            workshop.prepare(new BuiltKernel("sm90-gemm", config(), delayed), PROBLEM, LIMITS, false)
                                    .join())
                    .map(Preparation.Ready::kernel)
                    .toList();
            assertThat(launch(kernels.getLast())).isEqualTo(launch(kernels.getFirst()));
            assertThat(kernels.getLast().hash()).isNotEqualTo(kernels.getFirst().hash());
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        assertThat(texts.getFirst()).doesNotContain(DelayedText.VARIABLE);
        assertThat(texts.getLast()).contains(DelayedText.VARIABLE);
    }

    /** Kernels of others are timed as they are. */
    @Test
    void whatIsAFaultOfOurTextsIsNoneOfABundle() {
        AssemblyResult spilt = assembled(84, "C7510 wgmma instructions are serialized");
        assertFailed(prepare(config(), false, ptx -> spilt), TrialOutcome.COMPILE, "C7510");
        assertFailed(prepare(config(), false, ptx -> assembled(84)), TrialOutcome.SPILL, "84 bytes");
        KernelSource brought = (family, problem, config, limits, traced) -> {
            KernelSource.Written own =
                    new GemmSource(GemmFamilies.standard()).kernel(family, problem, config, limits, traced);
            return new KernelSource.Written(own.ptx(), own.target(), own.launch(), new byte[] {1});
        };
        try (CompilePool pool = new CompilePool(
                () -> new FakeAssembler(ptx -> spilt), 1, new CubinCache(fresh(), 1 << 30), Duration.ofSeconds(60))) {
            assertThat(new KernelWorkshop(brought, pool, Runnable::run)
                            .prepare(new BuiltKernel("sm90-gemm", config()), PROBLEM, LIMITS, false)
                            .join())
                    .isInstanceOfSatisfying(
                            Preparation.Ready.class,
                            ready ->
                                    assertThat(ready.compilation().spillBytes()).isEqualTo(84));
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static LaunchDescription launch(PreparedKernel kernel) {
        return ((PreparedKernel.Built) kernel).launch();
    }
}
