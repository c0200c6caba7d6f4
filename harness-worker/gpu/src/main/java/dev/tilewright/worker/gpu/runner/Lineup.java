package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.cuda.CudaException;
import dev.tilewright.worker.gpu.peer.PeerArm;
import dev.tilewright.worker.gpu.peer.PeerArms;
import dev.tilewright.worker.gpu.verify.OperandSet;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.gpu.verify.Verifier.Expected;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The kernels of a final that are loaded: ours as they are called, and those of the peers. */
final class Lineup {

    private final Workbench bench;
    private final TestData data;
    private final Releases releases;
    private final List<String> log;
    private final List<Competitor> contenders = new ArrayList<>();
    private int verified;
    private @Nullable Competitor atWork;

    /**
     * @param releases takes what is loaded
     * @param log is told what the peers brought
     */
    Lineup(Workbench bench, TestData data, Releases releases, List<String> log) {
        this.bench = bench;
        this.data = data;
        this.releases = releases;
        this.log = log;
    }

    /** All that were called, whether they take part or failed. */
    List<Competitor> all() {
        return List.copyOf(contenders);
    }

    /** The contenders that take part. */
    List<Competitor> running(Predicate<Competitor> which) {
        return contenders.stream()
                .filter(contender -> which.test(contender) && contender.isRunning())
                .toList();
    }

    /** The competitor at work, which a sticky fault is blamed on. Any other failure is thrown again. */
    Competitor culprit(CudaException failure) {
        if (!failure.isSticky() || atWork == null) {
            throw failure;
        }
        return atWork;
    }

    /** Ends the turn of a competitor: later work on the GPU belongs to none of them. */
    void rest() {
        atWork = null;
    }

    private void atWork(Competitor contender) {
        atWork = contender;
    }

    /** A kernel of ours; one that is refused has failed. */
    Competitor load(RunnerRequest.Entrant entrant) {
        return load(entrant, kernel -> {});
    }

    /**
     * The same.
     *
     * @param more is told of the kernel, unless it is refused or its library's
     */
    Competitor load(RunnerRequest.Entrant entrant, Consumer<LoadedCubin> more) {
        Competitor contender = Competitor.ours(entrant, this::atWork);
        contenders.add(contender);
        atWork = contender;
        try {
            switch (entrant.kernel()) {
                case Kernel.Assembled assembled -> {
                    LoadedCubin kernel = LoadedCubin.load(bench.gpu(), entrant.name(), assembled, data);
                    releases.add(kernel::close);
                    more.accept(kernel);
                    bring(contender, kernel);
                }
                case Kernel.OfLibrary wanted -> ofLibrary(contender, wanted);
            }
        } catch (CudaException refused) {
            fail(contender, refused);
        }
        return contender;
    }

    private void ofLibrary(Competitor contender, Kernel.OfLibrary wanted) {
        switch (bench.library().get(wanted, data)) {
            case LibrarySlot.Found.Ready(LoadedAlgorithm kernel) -> bring(contender, kernel);
            case LibrarySlot.Found.Refused(String reason) -> contender.fail(TrialOutcome.BUILD, reason);
            case LibrarySlot.Found.Absent(String reason) -> contender.fail(TrialOutcome.BUILD, reason);
        }
    }

    private static void bring(Competitor contender, LoadedKernel kernel) {
        contender.bring(kernel);
        kernel.remarks().forEach(contender::note);
    }

    /** All kernels that a peer returns by itself, if it is here. */
    void loadPeer(String peer) {
        loadPeer(peer, _ -> {});
    }

    /**
     * The same.
     *
     * @param more is told of the peer, once its own kernels are called
     */
    void loadPeer(String peer, Consumer<PeerArms.Found> more) {
        PeerArms arms = bench.peers().arms(peer, data);
        releases.add(arms::close);
        switch (arms) {
            case PeerArms.Absent(String reason) -> log.add(peer + " is absent: " + reason);
            case PeerArms.Found found -> {
                log.add(peer + ": " + found.library() + ", " + found.arms().size() + " arms");
                found.arms().forEach(arm -> contenders.add(Competitor.peer(arm, this::atWork)));
                more.accept(found);
            }
        }
    }

    /** One more kernel of a peer; whether its result is right. */
    boolean join(PeerArm arm) {
        Competitor contender = Competitor.peer(arm, this::atWork);
        contenders.add(contender);
        verify(List.of(contender), "before timing");
        return contender.isRunning();
    }

    /** Compares the results of those that were loaded since. */
    void verifyNew() {
        List<Competitor> loaded = contenders.subList(verified, contenders.size());
        verified = contenders.size();
        verify(loaded, "before timing");
    }

    /** Compares the results of all once more. */
    void verifyAll() {
        verify(contenders, "after timing");
    }

    /** Compares the results of some. */
    void verify(List<Competitor> some, String when) {
        List<OperandSet> first = List.of(data.sets().getFirst());
        for (Competitor contender : some) {
            if (contender.isRunning()) {
                bench.verifier().poison(first);
                try {
                    contender.kernel().ifPresent(LoadedKernel::poison);
                    contender.enqueue(0);
                    Expected expected = contender
                            .kernel()
                            .map(kernel -> kernel.expected(data, first))
                            .orElseGet(() -> Expected.ofProblem(data));
                    contender.judge(bench.verifier().judge(data, expected, first), when);
                } catch (CudaException failure) {
                    fail(contender, failure);
                }
            }
        }
    }

    /**
     * Runs the final of these kernels. A sticky fault takes the GPU, and with it the times of all: the competitor at
     * work has crashed, and the others are reported as lost.
     */
    FinalResult untilFault(Supplier<FinalResult> timed, Phases phases) {
        try {
            return timed.get();
        } catch (CudaException failure) {
            return FinalResult.failed(lost(culprit(failure), failure), String.join("\n", log))
                    .with(phases.timesNs());
        }
    }

    private List<Report.Arm> lost(Competitor culprit, CudaException fault) {
        for (Competitor contender : contenders) {
            if (contender == culprit) {
                contender.fail(TrialOutcome.CRASH, String.valueOf(fault.getMessage()));
            } else if (contender.isRunning()) {
                contender.fail(TrialOutcome.INFRASTRUCTURE, culprit.name() + " brought down the GPU");
            }
        }
        return contenders.stream().map(contender -> contender.report(List.of())).toList();
    }

    /** A refusal fails one arm, a fault ends the final for all. */
    private static void fail(Competitor contender, CudaException failure) {
        failure.throwIfSticky();
        contender.fail(
                failure.isOutOfMemory() ? TrialOutcome.INFRASTRUCTURE : TrialOutcome.LAUNCH,
                String.valueOf(failure.getMessage()));
    }
}
