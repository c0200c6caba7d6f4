package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.PeerSearch;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.cuda.CudaException;
import dev.tilewright.worker.gpu.cuda.FakeGpu;
import dev.tilewright.worker.gpu.cuda.GpuState;
import dev.tilewright.worker.gpu.peer.PeerArm;
import dev.tilewright.worker.gpu.peer.PeerArms;
import dev.tilewright.worker.gpu.peer.PeerDraw;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.link.runner.RunnerRequest.RunFinal;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The search through kernels of a peer that it does not return by itself. */
class PeerScreenTest extends FinalOnFakeGpu {

    private final AtomicLong clock = new AtomicLong();
    private String trouble = "";
    private @Nullable CudaException refusal;

    /** A peer that returns "vendor", and has more. */
    private PeerArms searched(String family, TestData data, String... more) {
        PeerArms.Found own = (PeerArms.Found) vendor(family, data);
        Queue<String> left = new ArrayDeque<>(List.of(more));
        return new PeerArms.Found(
                own.library(),
                own.arms(),
                seed -> new PeerDraw() {
                    private int tried = begun();

                    private int begun() {
                        if (refusal != null) {
                            throw refusal;
                        }
                        return 0;
                    }

                    @Override
                    public Optional<PeerArm> next() {
                        clock.addAndGet(1_000_000);
                        if (left.isEmpty()) {
                            return Optional.empty();
                        }
                        String entry = left.remove();
                        tried++;
                        LoadedKernel kernel =
                                LoadedCubin.load(gpu, "vendor drawn=" + entry, Candidate.kernel(entry), data);
                        return Optional.of(
                                new PeerArm(family, Config.of(Map.of("drawn", ParameterValue.of(entry))), kernel));
                    }

                    @Override
                    public Seen seen() {
                        return new Seen(10 * tried, 2 * tried, tried + 1, 0, trouble);
                    }

                    @Override
                    public boolean isOver() {
                        return left.isEmpty();
                    }
                },
                own::close);
    }

    private FinalResult run(double seconds, String... more) {
        Workbench bench = Workbench.open(gpu, GpuState.UNKNOWN, plan, (family, data) -> searched(family, data, more));
        return new FinalRunner(bench, new Phases(clock::get, announced::add))
                .run(new RunFinal(
                        Candidate.PROBLEM,
                        List.of(entrant("fast")),
                        1,
                        null,
                        List.of("vendor"),
                        List.of(),
                        9,
                        MODES,
                        seconds));
    }

    @Test
    void theFastestOfThoseThatAreRightRunsAsAPeer() {
        gpu.with("better", 22_000, Candidate::multiply)
                .with("like", 25_300, Candidate::multiply)
                .with("hopeless", 90_000, Candidate::multiply)
                .with("wrong", 1_000, (any, p) -> any.at(p.get(2)).putShort(0, (short) 0));
        FinalResult done = run(3, "hopeless", "like", "wrong", "better");
        PeerSearch search = done.searches().getFirst();
        assertThat(search.family()).isEqualTo("vendor");
        assertThat(List.of(search.tried(), search.valid(), search.kernels(), search.timed()))
                .containsExactly(40, 8, 5, 4);
        assertThat(search.dropped()).as("the wrong one").isEqualTo(1);
        assertThat(search.joined()).as("better and like").isEqualTo(2);
        assertThat(search.budgetSeconds()).isEqualTo(3);
        assertThat(arm(done, "vendor drawn=wrong").outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(arm(done, "vendor drawn=better").measurements()).isNotEmpty();
        assertThat(done.arms()).extracting(Report.Arm::name).doesNotContain("vendor drawn=hopeless");
        assertThat(done.ratios())
                .as("it is a peer as any other")
                .anySatisfy(ratio -> assertThat(ratio.peer()).isEqualTo("vendor drawn=better"));
        assertThat(done.log())
                .contains("search of vendor: 40 algorithms tried, 8 valid, 5 kernels told apart, 4 timed, 1 dropped, 2"
                        + " joined the race");
    }

    @Test
    void noMoreThanTwoJoin() {
        String[] more = new String[9];
        for (int i = 0; i < more.length; i++) {
            more[i] = "more" + i;
            gpu.with(more[i], 24_000 - 100 * i, Candidate::multiply);
        }
        FinalResult done = run(3, more);
        assertThat(done.searches().getFirst().joined()).isEqualTo(PeerScreen.MOST);
        assertThat(done.arms())
                .extracting(Report.Arm::name)
                .contains("vendor drawn=more8", "vendor drawn=more7")
                .doesNotContain("vendor drawn=more6");
    }

    @Test
    void itEndsWithItsBudget() {
        List.of("a", "b", "c", "d", "e").forEach(entry -> gpu.with(entry, 22_000, Candidate::multiply));
        PeerSearch search = run(0.0025, "a", "b", "c", "d", "e").searches().getFirst();
        assertThat(search.timed()).as("a draw takes a millisecond here").isEqualTo(3);
        assertThat(search.seconds()).isEqualTo(0.003);
    }

    @Test
    void aKernelThatCannotBeLaunchedIsDropped() {
        gpu.with("better", 22_000, Candidate::multiply).with("refused", 10, (any, p) -> {
            throw FakeGpu.failure("cublasLtMatmul", 15);
        });
        PeerSearch search = run(3, "refused", "better").searches().getFirst();
        assertThat(List.of(search.timed(), search.dropped(), search.joined())).containsExactly(2, 1, 1);
    }

    @Test
    void eachIsLaunchedOnceBeforeItIsTimedBehindAPlug() {
        gpu.with("better", 22_000, Candidate::multiply);
        run(3, "better");
        int first = gpu.history.indexOf("better");
        int timed =
                first + 1 + gpu.history.subList(first + 1, gpu.history.size()).indexOf("better");
        assertThat(gpu.history.get(first - 1))
                .as("what the driver loads for it must not be loaded behind a plug")
                .isNotEqualTo(gpu.history.get(timed - 1));
    }

    @Test
    void troubleOnTheWayIsTold() {
        gpu.with("better", 22_000, Candidate::multiply);
        trouble = "launches cannot be told apart: cuStreamBeginCapture: CUDA_ERROR_NOT_SUPPORTED (801)";
        PeerSearch search = run(3, "better").searches().getFirst();
        assertThat(search.joined()).isEqualTo(1);
        assertThat(search.line()).endsWith("; " + trouble);
    }

    @Test
    void aSearchThatCannotBeginSaysWhyAndTheFinalGoesOn() {
        refusal = FakeGpu.failure("cublasLtMatmulAlgoGetIds", 7);
        FinalResult done = run(3, "better");
        PeerSearch search = done.searches().getFirst();
        assertThat(List.of(search.tried(), search.timed(), search.joined())).containsExactly(0, 0, 0);
        assertThat(search.trouble()).startsWith("ended early: cublasLtMatmulAlgoGetIds");
        assertThat(done.ratios()).extracting(Report.ArmRatio::peer).contains("vendor algorithm=0");
    }

    @Test
    void withoutABudgetNothingIsSearched() {
        FinalResult done = run(0, "better");
        assertThat(done.searches()).isEmpty();
        assertThat(done.log()).doesNotContain("search of");
    }
}
