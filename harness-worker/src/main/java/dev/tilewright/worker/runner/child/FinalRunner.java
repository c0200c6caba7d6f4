package dev.tilewright.worker.runner.child;

import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.device.cuda.CudaException;
import dev.tilewright.worker.measure.Arm;
import dev.tilewright.worker.measure.FinalRound;
import dev.tilewright.worker.measure.Run;
import dev.tilewright.worker.measure.Summaries;
import dev.tilewright.worker.measure.TimedBlock;
import dev.tilewright.worker.peer.PeerArm;
import dev.tilewright.worker.peer.PeerArms;
import dev.tilewright.worker.runner.link.RunnerReply;
import dev.tilewright.worker.runner.link.RunnerRequest;
import dev.tilewright.worker.stats.PairedBlocks;
import dev.tilewright.worker.verify.OperandSet;
import dev.tilewright.worker.verify.TestData;
import dev.tilewright.worker.verify.Verifier.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One final: every arm verified, timed beside all others, verified again; ratios of ours to the peers. */
final class FinalRunner {

    /** Fewer blocks are no final. */
    private static final int LEAST_BLOCKS = 5;

    private final Workbench bench;
    private final Phases phases;
    private final List<Contender> contenders = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private @Nullable Contender atWork;

    FinalRunner(Workbench bench, Phases phases) {
        this.bench = bench;
        this.phases = phases;
    }

    RunnerReply.FinalDone run(RunnerRequest.RunFinal round) {
        try (Releases releases = new Releases()) {
            phases.enter(Phases.REFERENCE);
            TestData data = bench.store().get(round.problem(), round.seed());
            phases.enter(Phases.LOAD);
            round.arms().forEach(finalist -> load(finalist, data, releases));
            round.peers().forEach(peer -> load(peer, data, releases));
            phases.enter(Phases.VERIFY);
            verify(data, "before timing");
            phases.enter(Phases.FINAL);
            FinalRound.Result result = time(round);
            phases.enter(Phases.VERIFY);
            verify(data, "after timing");
            return done(round, result);
        } catch (CudaException failure) {
            if (!failure.isSticky() || atWork == null) {
                throw failure;
            }
            return lost(atWork, failure);
        } finally {
            phases.leave();
        }
    }

    /** The device is gone, and with it the times of all arms; the blame is on the one that was at work. */
    private RunnerReply.FinalDone lost(Contender culprit, CudaException fault) {
        for (Contender contender : contenders) {
            if (contender == culprit) {
                contender.fail(TrialOutcome.CRASH, String.valueOf(fault.getMessage()));
            } else if (contender.isRunning()) {
                contender.fail(TrialOutcome.INFRASTRUCTURE, culprit.name() + " brought down the GPU");
            }
        }
        return new RunnerReply.FinalDone(
                contenders.stream()
                        .map(contender -> contender.report(List.of()))
                        .toList(),
                List.of(),
                List.of(),
                String.join("\n", log));
    }

    private void load(RunnerRequest.Finalist finalist, TestData data, Releases releases) {
        Contender contender = Contender.ours(finalist, this::atWork);
        contenders.add(contender);
        atWork = contender;
        try {
            LoadedKernel kernel = LoadedKernel.load(bench.gpu(), finalist.name(), finalist.kernel(), data);
            releases.add(kernel::close);
            contender.bring(kernel);
            kernel.discrepancies().forEach(contender::note);
        } catch (CudaException refused) {
            fail(contender, refused);
        }
    }

    private void load(String peer, TestData data, Releases releases) {
        PeerArms arms = bench.peers().arms(peer, data);
        releases.add(arms::close);
        switch (arms) {
            case PeerArms.Absent(String reason) -> log.add(peer + " is absent: " + reason);
            case PeerArms.Found(String library, List<PeerArm> found, Runnable _) -> {
                log.add(peer + ": " + library + ", " + found.size() + " arms");
                found.forEach(arm -> contenders.add(Contender.peer(arm, this::atWork)));
            }
        }
    }

    private void verify(TestData data, String when) {
        List<OperandSet> first = List.of(data.sets().getFirst());
        for (Contender contender : contenders) {
            if (contender.isRunning()) {
                bench.verifier().poison(first);
                try {
                    contender.enqueue(0);
                    Verdict verdict = bench.verifier().judge(data, first);
                    contender.judge(verdict, when);
                } catch (CudaException failure) {
                    fail(contender, failure);
                }
            }
        }
    }

    private void atWork(Contender contender) {
        atWork = contender;
    }

    /** A refusal fails one arm, a fault ends the final for all. */
    private static void fail(Contender contender, CudaException failure) {
        if (failure.isSticky()) {
            throw failure;
        }
        contender.fail(
                failure.isOutOfMemory() ? TrialOutcome.INFRASTRUCTURE : TrialOutcome.LAUNCH,
                String.valueOf(failure.getMessage()));
    }

    private FinalRound.Result time(RunnerRequest.RunFinal round) {
        List<Arm> arms = contenders.stream()
                .filter(Contender::isRunning)
                .<Arm>map(contender -> contender)
                .toList();
        FinalRound.Result result =
                new FinalRound(bench.stopwatch(), bench.plan(), round.seed()).run(arms, round.modes());
        result.discarded().forEach(reason -> log.add("discarded: " + reason));
        return result;
    }

    private RunnerReply.FinalDone done(RunnerRequest.RunFinal round, FinalRound.Result result) {
        List<Report.Arm> arms = new ArrayList<>();
        for (Contender contender : contenders) {
            List<Measurement> measurements = new ArrayList<>();
            for (Mode mode : round.modes()) {
                List<Run> runs = result.runs(contender.name(), mode);
                if (contender.isRunning() && runs.size() < LEAST_BLOCKS) {
                    contender.fail(
                            TrialOutcome.NOISE,
                            "only " + runs.size() + " undisturbed " + mode + " blocks, a final needs " + LEAST_BLOCKS);
                } else if (contender.isRunning()) {
                    measurements.add(Summaries.of(round.problem(), mode, Stage.FINAL, runs));
                }
            }
            arms.add(contender.report(measurements));
        }
        return new RunnerReply.FinalDone(
                List.copyOf(arms), ratios(round.modes(), result), blocks(result), String.join("\n", log));
    }

    private List<Report.ArmRatio> ratios(List<Mode> modes, FinalRound.Result result) {
        List<Report.ArmRatio> ratios = new ArrayList<>();
        for (Contender own : contenders.stream().filter(Contender::isOurs).toList()) {
            for (Contender peer : contenders.stream().filter(c -> !c.isOurs()).toList()) {
                for (Mode mode : modes) {
                    if (own.isRunning() && peer.isRunning()) {
                        ratios.add(new Report.ArmRatio(
                                own.name(),
                                peer.name(),
                                mode,
                                PairedBlocks.of(
                                        durations(result.runs(own.name(), mode)),
                                        durations(result.runs(peer.name(), mode)))
                                        .ratio()));
                    }
                }
            }
        }
        return List.copyOf(ratios);
    }

    private static double[] durations(List<Run> runs) {
        return runs.stream().mapToDouble(Run::launchNs).toArray();
    }

    private static List<Report.Block> blocks(FinalRound.Result result) {
        return result.blocks().stream().map(FinalRunner::block).toList();
    }

    private static Report.Block block(TimedBlock block) {
        Run run = block.run();
        return new Report.Block(
                block.index(),
                block.mode(),
                block.arm(),
                run.launchNs(),
                run.smClockMhz().isPresent() ? run.smClockMhz().getAsDouble() : null);
    }
}
