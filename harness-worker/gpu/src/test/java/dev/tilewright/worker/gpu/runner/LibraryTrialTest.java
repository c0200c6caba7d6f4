package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.GpuTask.Compare;
import dev.tilewright.model.exchange.GpuTask.Side;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.LibraryVersion;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.cuda.CapturedLaunch;
import dev.tilewright.worker.gpu.peer.PeerAlgorithm;
import dev.tilewright.worker.gpu.peer.PeerArm;
import dev.tilewright.worker.gpu.peer.PeerArms;
import dev.tilewright.worker.gpu.peer.PeerDraw;
import dev.tilewright.worker.gpu.peer.Peers;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import dev.tilewright.worker.link.runner.RunnerRequest.Entrant;
import dev.tilewright.worker.link.runner.RunnerRequest.RunTrial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Trials of the algorithms of a library that is installed beside the GPU. */
class LibraryTrialTest extends FinalOnFakeGpu {

    private static final String FAMILY = "library";

    private static final String LAUNCH = " grid 6x2x1 block 384x1x1 shared 1024 cluster 2x1x1";

    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    /** One that is open for the data; each config names an entry, or is refused. */
    private PeerArms library(String family, TestData data) {
        opened.incrementAndGet();
        List<LoadedCubin> kernels = new ArrayList<>();
        LoadedCubin own = LoadedCubin.load(gpu, FAMILY + " algorithm=0", Candidate.kernel("vendor"), data);
        kernels.add(own);
        return new PeerArms.Found(
                "liblibrary.so 130100",
                List.of(new PeerArm(family, Config.of(Map.of("algorithm", ParameterValue.of(0))), own)),
                _ -> PeerDraw.NOTHING,
                config -> {
                    String entry = config.name("entry");
                    if (entry.equals("refused")) {
                        return new PeerAlgorithm.Refused("status 15");
                    }
                    LoadedCubin kernel =
                            LoadedCubin.load(gpu, FAMILY + " " + config.canonical(), Candidate.kernel(entry), data);
                    kernels.add(kernel);
                    return new PeerAlgorithm.Taken(
                            kernel,
                            new CapturedLaunch(List.of(new CapturedLaunch.Kernel(
                                    entry,
                                    new CapturedLaunch.Size(6, 2, 1),
                                    new CapturedLaunch.Size(384, 1, 1),
                                    1024,
                                    new CapturedLaunch.Size(2, 1, 1)))));
                },
                () -> {
                    closed.incrementAndGet();
                    kernels.forEach(LoadedCubin::close);
                });
    }

    private static Config config(String entry, int number) {
        return Config.of(Map.of("entry", ParameterValue.of(entry), "number", ParameterValue.of(number)));
    }

    private static Kernel.OfLibrary kernel(String entry, int number) {
        return new Kernel.OfLibrary(FAMILY, config(entry, number));
    }

    private Workbench bench(Peers peers) {
        return Workbench.open(gpu, state, PLAN, peers);
    }

    private TrialResult run(Workbench bench, Kernel.OfLibrary kernel, Mode... modes) {
        return new TrialRunner(bench, new Phases(() -> 0, announced::add))
                .run(new RunTrial(Candidate.PROBLEM, kernel.config(), kernel, null, 3, List.of(modes)))
                .answer();
    }

    @Test
    void anAlgorithmIsVerifiedAndTimedAndSaysItsLibraryAndKernels() {
        TrialResult done = run(bench(this::library), kernel("fast", 1), Mode.SUSTAINED);
        assertThat(done.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(done.errorRatio()).isBetween(0.01, 1.0);
        assertThat(done.measurements().getFirst().medianNs()).isEqualTo(20_000);
        assertThat(done.executed()).isEqualTo(new Executed(12, 2, 384));
        assertThat(done.log()).isEqualTo("library: liblibrary.so 130100\nlaunches fast" + LAUNCH);
        assertThat(LibraryVersion.in(done.log())).contains(new LibraryVersion("liblibrary.so", 130_100));
    }

    @Test
    void coldLaunchesAreTimedToo() {
        TrialResult done = run(bench(this::library), kernel("fast", 1), Mode.SUSTAINED, Mode.COLD);
        assertThat(done.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(done.measurements()).hasSize(2);
    }

    @Test
    void ofThoseThatLaunchTheSameOneIsTimed() {
        Workbench bench = bench(this::library);
        assertThat(run(bench, kernel("fast", 1), Mode.SUSTAINED).outcome()).isEqualTo(TrialOutcome.COMPLETED);
        TrialResult same = run(bench, kernel("fast", 2), Mode.SUSTAINED);
        assertThat(same.outcome()).isEqualTo(TrialOutcome.PRUNED);
        assertThat(same.measurements()).isEmpty();
        assertThat(same.log()).isEqualTo("launches the same as entry=fast number=1: fast" + LAUNCH);
        assertThat(run(bench, kernel("slow", 3), Mode.SUSTAINED).outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(run(bench, kernel("fast", 1), Mode.SUSTAINED).outcome())
                .as("a trial that is run again")
                .isEqualTo(TrialOutcome.COMPLETED);
        assertThat(opened).as("the library stays open").hasValue(1);
    }

    @Test
    void aRefusalOfTheLibraryIsTheTrialsEnd() {
        Workbench bench = bench(this::library);
        TrialResult refused = run(bench, kernel("refused", 1), Mode.SUSTAINED);
        assertThat(refused.outcome()).isEqualTo(TrialOutcome.PRUNED);
        assertThat(refused.log()).isEqualTo("liblibrary.so 130100 refuses it: status 15");
        assertThat(run(bench, kernel("fast", 1), Mode.SUSTAINED).outcome()).isEqualTo(TrialOutcome.COMPLETED);
    }

    @Test
    void withoutTheLibraryThereIsNoKernel() {
        TrialResult absent =
                run(bench((_, _) -> new PeerArms.Absent("it is not here")), kernel("fast", 1), Mode.SUSTAINED);
        assertThat(absent.outcome()).isEqualTo(TrialOutcome.BUILD);
        assertThat(absent.log()).isEqualTo("library is absent: it is not here");
    }

    @Test
    void aWrongResultIsAMismatch() {
        gpu.with("wrong", 10_000, (_, _) -> {});
        assertThat(run(bench(this::library), kernel("wrong", 1), Mode.SUSTAINED).outcome())
                .isEqualTo(TrialOutcome.MISMATCH);
    }

    @Test
    void anotherProblemClosesTheLibrary() {
        Workbench bench = bench(this::library);
        run(bench, kernel("fast", 1), Mode.SUSTAINED);
        bench.library().leaveAllBut(Candidate.PROBLEM);
        assertThat(closed).hasValue(0);
        bench.library().leaveAllBut(Problem.of(ProblemShape.parse("64x64x64"), DataType.BF16));
        assertThat(closed).hasValue(1);
    }

    @Test
    void aFinalHasAlgorithmsOfTheFamilyBesideTheHeuristicsOwn() {
        List<Entrant> entrants = List.of(
                new Entrant("one", null, 0, FAMILY, config("fast", 1), kernel("fast", 1)),
                new Entrant("two", null, 1, FAMILY, config("slow", 2), kernel("slow", 2)),
                new Entrant("three", null, 2, FAMILY, config("refused", 3), kernel("refused", 3)));
        FinalResult done = run(Candidate.PROBLEM, this::library, 4, null, entrants);
        assertThat(arm(done, "one").outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(arm(done, "one").log()).contains("library: liblibrary.so 130100", "launches fast");
        Report.Arm refused = arm(done, "three");
        assertThat(refused.outcome()).isEqualTo(TrialOutcome.BUILD);
        assertThat(refused.log()).contains("refuses it: status 15");
        assertThat(arm(done, FAMILY + " algorithm=0").trialId()).isNull();
        assertThat(done.ratios()).anySatisfy(ratio -> {
            assertThat(ratio.arm()).isEqualTo("one");
            assertThat(ratio.peer()).isEqualTo(FAMILY + " algorithm=0");
            assertThat(ratio.ratio().value()).isGreaterThan(1.2);
        });
    }

    @Test
    void aConfigIsComparedWithTheHeuristicsOwn() {
        Compare task = new Compare(
                Candidate.PROBLEM, new Side.Own(FAMILY, config("fast", 1)), new Side.OfPeer(FAMILY, "0"), false, 7);
        RequestHandler.Answer answer = new GpuRequests(bench(this::library), () -> 0)
                .answer(
                        new RunnerRequest.RunTask(task, List.of(kernel("fast", 1))),
                        new Phases(() -> 0, announced::add));
        GpuTaskResult.Compared compared =
                (GpuTaskResult.Compared) ((RunnerReply.TaskDone) answer.reply().get()).result();
        assertThat(compared.verdict()).isEqualTo(GpuTaskResult.CompareVerdict.FASTER);
        assertThat(compared.second().name()).isEqualTo(FAMILY + " algorithm=0");
        assertThat(compared.first().log()).contains("library: liblibrary.so 130100");
    }
}
