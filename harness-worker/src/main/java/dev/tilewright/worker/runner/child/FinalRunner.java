package dev.tilewright.worker.runner.child;

import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.trial.Discard;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.device.cuda.CudaException;
import dev.tilewright.worker.measure.Arm;
import dev.tilewright.worker.measure.Run;
import dev.tilewright.worker.measure.Summaries;
import dev.tilewright.worker.measure.Timed;
import dev.tilewright.worker.measure.TimedBlock;
import dev.tilewright.worker.peer.PeerArm;
import dev.tilewright.worker.peer.PeerArms;
import dev.tilewright.worker.runner.link.Kernel;
import dev.tilewright.worker.runner.link.RunnerReply;
import dev.tilewright.worker.runner.link.RunnerRequest;
import dev.tilewright.worker.verify.OperandSet;
import dev.tilewright.worker.verify.TestData;
import dev.tilewright.worker.verify.Verifier.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A race and a final: every arm verified, our arms raced until few are left, those of the peers until only what may be
 * their best is; these timed beside each other, all verified again; ratios of ours to the peers.
 */
final class FinalRunner {

    /** Fewer blocks are no final. */
    private static final int LEAST_BLOCKS = 5;

    private final Workbench bench;
    private final Phases phases;
    private final List<Contender> contenders = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private @Nullable Contender atWork;
    private @Nullable Arm anchor;

    FinalRunner(Workbench bench, Phases phases) {
        this.bench = bench;
        this.phases = phases;
    }

    RunnerReply.FinalDone run(RunnerRequest.RunFinal round) {
        try (Releases releases = new Releases()) {
            phases.enter(Phases.REFERENCE);
            bench.anchors().leaveAllBut(round.problem());
            TestData data = bench.store().get(round.problem(), round.seed());
            phases.enter(Phases.LOAD);
            round.arms().forEach(entrant -> load(entrant, data, releases));
            peers(round).forEach(peer -> load(peer, data, releases));
            phases.enter(Phases.VERIFY);
            verify(data, "before timing");
            anchor = anchor(round, data);
            Contest contest = new Contest(bench, round.problem(), anchor, log);
            List<Contender> finalists = contend(contest, round);
            phases.enter(Phases.FINAL);
            FinalTurns.Result last = new FinalTurns(bench, anchor, log).run(round, finalists);
            phases.enter(Phases.VERIFY);
            verify(data, "after timing");
            return done(round, contest, last);
        } catch (CudaException failure) {
            if (!failure.isSticky() || atWork == null) {
                throw failure;
            }
            return lost(atWork, failure);
        } finally {
            phases.leave();
        }
    }

    /** The anchor: one of the contenders, or a kernel of its own. */
    private @Nullable Arm anchor(RunnerRequest.RunFinal round, TestData data) {
        Kernel kernel = round.anchor();
        if (kernel == null) {
            return null;
        }
        for (RunnerRequest.Entrant entrant : round.arms()) {
            if (entrant.kernel().equals(kernel)) {
                Contender same = named(entrant.name());
                if (same.isRunning()) {
                    return same;
                }
            }
        }
        phases.enter(Phases.ANCHOR);
        atWork = null;
        return switch (bench.anchors().get(kernel, data)) {
            case AnchorSlot.Answer.Ready(LoadedKernel arm) -> new Anchored(arm, () -> atWork = null);
            case AnchorSlot.Answer.None(String reason) -> {
                log.add("timed without the anchor: " + reason);
                yield null;
            }
        };
    }

    private Contender named(String name) {
        return contenders.stream()
                .filter(contender -> contender.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Ours that race to the final, and the peers' kernels that nobody can say are slower than their best. */
    private List<Contender> contend(Contest contest, RunnerRequest.RunFinal round) {
        List<Contender> ours = running(Contender::isOurs);
        List<Contender> peers = running(contender -> !contender.isOurs());
        if (ours.size() <= round.finalists() && peers.size() <= 1) {
            return Stream.concat(ours.stream(), peers.stream()).toList();
        }
        phases.enter(Phases.CONTEND);
        try (SmHolders.Hold hold = bench.holders().hold(round.problem().scenario())) {
            hold.note("while contending").ifPresent(log::add);
            List<Contender> finalists = new ArrayList<>(contest.finalists(ours, round.finalists(), round.seed()));
            // One that may be their best stays in, however many there are: a ratio to less than that would flatter us.
            List<Contender> best = contest.unbeaten(peers, 1, round.seed());
            peers.stream()
                    .filter(peer -> best.contains(peer) || isDefault(peer, peers))
                    .forEach(finalists::add);
            hold.confirm();
            return finalists;
        }
    }

    private List<Contender> running(Predicate<Contender> which) {
        return contenders.stream()
                .filter(contender -> which.test(contender) && contender.isRunning())
                .toList();
    }

    /** A peer names first what it would choose by itself. */
    private static boolean isDefault(Contender peer, List<Contender> peers) {
        return peers.stream()
                .filter(other -> other.family().equals(peer.family()))
                .findFirst()
                .filter(peer::equals)
                .isPresent();
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
                List.of(),
                String.join("\n", log));
    }

    private void load(RunnerRequest.Entrant entrant, TestData data, Releases releases) {
        Contender contender = Contender.ours(entrant, this::atWork);
        contenders.add(contender);
        atWork = contender;
        try {
            LoadedKernel kernel = LoadedKernel.load(bench.gpu(), entrant.name(), entrant.kernel(), data);
            releases.add(kernel::close);
            contender.bring(kernel);
            kernel.discrepancies().forEach(contender::note);
        } catch (CudaException refused) {
            fail(contender, refused);
        }
    }

    /** Launches that overlap are compared with such alone, and nobody else's do. */
    private List<String> peers(RunnerRequest.RunFinal round) {
        if (!round.problem().scenario().launchOverlap()) {
            return round.peers();
        }
        round.peers().forEach(peer -> log.add(peer + " is left out: its launches cannot be made to overlap"));
        return List.of();
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

    private RunnerReply.FinalDone done(RunnerRequest.RunFinal round, Contest contest, FinalTurns.Result last) {
        List<Report.Arm> arms = new ArrayList<>();
        // Of those whose team did not lead nothing is known but their screens.
        for (Contender contender : contenders.stream()
                .filter(each -> !each.isRunning()
                        || contest.raced(each)
                        || last.finalists().contains(each))
                .toList()) {
            List<Measurement> measurements = new ArrayList<>(contest.measurements(contender));
            if (last.finalists().contains(contender)) {
                measurements.addAll(finals(round, contender, last));
            } else if (contender.isRunning() && measurements.isEmpty()) {
                contender.fail(TrialOutcome.NOISE, "the race in which it left was too noisy to say anything");
            }
            arms.add(contender.report(measurements));
        }
        Timed all = contest.timed().plus(last.timed());
        return new RunnerReply.FinalDone(
                List.copyOf(arms), ratios(round.modes(), last), blocks(all), all.discards(), String.join("\n", log));
    }

    private List<Measurement> finals(RunnerRequest.RunFinal round, Contender contender, FinalTurns.Result last) {
        List<Measurement> measurements = new ArrayList<>();
        for (Mode mode : round.modes()) {
            List<Run> runs = last.timed().runs(contender.name(), mode);
            if (contender.isRunning()
                    && (runs.size() < LEAST_BLOCKS || last.noisy().contains(mode))) {
                contender.fail(TrialOutcome.NOISE, noise(runs.size(), mode, last));
            } else if (contender.isRunning()) {
                measurements.add(Summaries.of(
                        round.problem(),
                        mode,
                        Stage.FINAL,
                        runs,
                        Anchored.ratio(last.timed(), contender, last.anchor(), mode)));
            }
        }
        return measurements;
    }

    private static String noise(int blocks, Mode mode, FinalTurns.Result last) {
        String reasons = last.timed().discards().stream()
                .filter(discard -> discard.mode() == mode)
                .map(Discard::reason)
                .distinct()
                .collect(Collectors.joining("; "));
        return "only " + blocks + " undisturbed " + mode + " blocks: a final needs " + LEAST_BLOCKS
                + ", and no more than a fifth discarded (" + reasons + ")";
    }

    private List<Report.ArmRatio> ratios(List<Mode> modes, FinalTurns.Result last) {
        List<Report.ArmRatio> ratios = new ArrayList<>();
        List<Contender> finalists =
                last.finalists().stream().filter(Contender::isRunning).toList();
        for (Contender own : finalists.stream().filter(Contender::isOurs).toList()) {
            for (Contender peer : finalists.stream().filter(c -> !c.isOurs()).toList()) {
                for (Mode mode : modes) {
                    ratios.add(new Report.ArmRatio(
                            own.name(),
                            peer.name(),
                            mode,
                            last.timed().paired(own.name(), peer.name(), mode).ratio()));
                }
            }
        }
        return List.copyOf(ratios);
    }

    /** Of the anchor only what is said in ratios is reported, unless it is a contender. */
    private List<Report.Block> blocks(Timed timed) {
        Set<String> names = contenders.stream().map(Contender::name).collect(Collectors.toSet());
        return timed.blocks().stream()
                .filter(block -> names.contains(block.arm()))
                .map(FinalRunner::block)
                .toList();
    }

    private static Report.Block block(TimedBlock block) {
        Run run = block.run();
        return new Report.Block(
                block.stage(),
                block.question(),
                block.mode(),
                block.index(),
                block.position(),
                block.arm(),
                run.launchNs(),
                orNull(run.smClockMhz()),
                orNull(run.powerWatts()),
                orNull(run.temperatureCelsius()),
                run.throttleReasons());
    }

    private static @Nullable Double orNull(OptionalDouble reading) {
        return reading.isPresent() ? reading.getAsDouble() : null;
    }
}
