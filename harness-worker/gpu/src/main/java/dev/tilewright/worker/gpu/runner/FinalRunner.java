package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.PeerSearch;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.cuda.CudaException;
import dev.tilewright.worker.gpu.measure.Arm;
import dev.tilewright.worker.gpu.measure.FinalPlan;
import dev.tilewright.worker.gpu.measure.Run;
import dev.tilewright.worker.gpu.measure.Summaries;
import dev.tilewright.worker.gpu.measure.Timed;
import dev.tilewright.worker.gpu.measure.TimedBlock;
import dev.tilewright.worker.gpu.peer.PeerArms;
import dev.tilewright.worker.gpu.stats.race.FinalRule;
import dev.tilewright.worker.gpu.verify.Ending;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Races and a final: every arm verified, our arms raced until few are left, those of the peers until only what may be
 * their best is; these timed beside each other, all verified again; ratios of ours to the peers.
 */
final class FinalRunner {

    /** How many more contenders of the leading teams race than reach the final. More are not worth their time. */
    private static final int OTHERS = 6;

    /** The ending of kernels that store their sums as they are. */
    private final Workbench bench;

    private final Phases phases;
    private final List<String> log = new ArrayList<>();
    private final List<PeerSearch> searches = new ArrayList<>();

    FinalRunner(Workbench bench, Phases phases) {
        this.bench = bench;
        this.phases = phases;
    }

    FinalResult run(RunnerRequest.RunFinal round) {
        List<String> neighbours = new ArrayList<>();
        bench.neighbours().name(neighbours);
        FinalResult result = raced(round);
        bench.neighbours().name(neighbours);
        return result.beside(neighbours);
    }

    private FinalResult raced(RunnerRequest.RunFinal round) {
        try (Releases releases = new Releases()) {
            phases.enter(Phases.REFERENCE);
            TestData data = bench.data(round.problem(), round.seed());
            List<RunnerRequest.Entrant> rivals = rivals(round);
            Stream.concat(round.arms().stream(), rivals.stream()).forEach(arm -> data.reference(ending(arm, round)));
            Lineup lineup = new Lineup(bench, data, releases, log);
            return lineup.untilFault(() -> run(round, rivals, data, lineup), phases);
        } finally {
            phases.leave();
        }
    }

    private FinalResult run(
            RunnerRequest.RunFinal round, List<RunnerRequest.Entrant> rivals, TestData data, Lineup lineup) {
        Teams teams = Teams.of(round);
        phases.enter(Phases.LOAD);
        teams.firsts().forEach(lineup::load);
        phases.enter(Phases.PEERS);
        String ofProblem = Ending.of(Optional.empty(), round.problem()).toString();
        if (ending(round).equals(ofProblem)) {
            peers(round).forEach(peer -> lineup.loadPeer(peer, found -> search(peer, found, round, lineup)));
        } else {
            peers(round)
                    .forEach(peer -> log.add(peer + " is absent: it computes the problem, whose epilogue is "
                            + ofProblem + ", the kernels that are timed compute " + ending(round)));
        }
        rivals.forEach(lineup::load);
        round.rivals().stream()
                .filter(rival -> !rivals.contains(rival))
                .forEach(rival -> log.add(rival.name() + " is absent: its epilogue is " + ending(rival, round)
                        + ", that of the kernels that are timed " + ending(round)));
        phases.enter(Phases.VERIFY);
        lineup.verifyNew();
        replaceFailed(teams, lineup);
        Arm anchor = anchor(round, data, lineup);
        Contest contest = new Contest(bench, anchor, phases::nanoTime, log);
        Finalists finalists = contend(contest, round, teams, lineup);
        phases.enter(Phases.FINAL);
        FinalTurns.Result last = new FinalTurns(bench, finalPlan(contest), anchor, log).run(round, finalists);
        phases.enter(Phases.VERIFY);
        lineup.verifyAll();
        return done(round, lineup, contest, last);
    }

    /** Looks for faster kernels of a peer than those that it returns by itself. */
    private void search(String peer, PeerArms.Found found, RunnerRequest.RunFinal round, Lineup lineup) {
        if (round.peerSeconds() > 0) {
            long start = phases.nanoTime();
            PeerSearch search;
            try {
                search = new PeerScreen(bench.gpu(), bench.stopwatch(), phases::nanoTime)
                        .search(peer, found, round.peerSeconds(), round.seed(), lineup::join);
            } catch (CudaException refused) {
                refused.throwIfSticky();
                double seconds = (phases.nanoTime() - start) / 1e9;
                search = PeerSearch.failed(peer, round.peerSeconds(), seconds, "ended early: " + refused.getMessage());
            }
            searches.add(search);
            log.add(search.line());
            lineup.rest();
        }
    }

    /** The epilogue of our kernels. */
    private static String ending(RunnerRequest.RunFinal round) {
        return round.arms().stream()
                .findFirst()
                .map(arm -> ending(arm, round).toString())
                .orElseGet(() -> Ending.of(Optional.empty(), round.problem()).toString());
    }

    private static Ending ending(RunnerRequest.Entrant entrant, RunnerRequest.RunFinal round) {
        return Ending.of(entrant.kernel().launch(), round.problem());
    }

    /** The contenders that compute the same as ours; the service does not see all of it. */
    private static List<RunnerRequest.Entrant> rivals(RunnerRequest.RunFinal round) {
        String ours = ending(round);
        return round.rivals().stream()
                .filter(rival -> ending(rival, round).toString().equals(ours))
                .toList();
    }

    private FinalPlan finalPlan(Contest contest) {
        FinalPlan plan = bench.plan().finalPlan(contest.spread());
        if (!plan.equals(bench.plan().calm())) {
            log.add(String.format(
                    Locale.ROOT,
                    "final: the clock may swing, so an arm runs for %.4f s in a turn",
                    (plan.turn().settleNs() + plan.turn().timedNs()) / 1e9));
        }
        return plan;
    }

    /** The first of a team that can race does. */
    private void replaceFailed(Teams teams, Lineup lineup) {
        List<RunnerRequest.Entrant> next = teams.replacements(lineup.running(Competitor::isOurs));
        while (!next.isEmpty()) {
            call(next, lineup);
            next = teams.replacements(lineup.running(Competitor::isOurs));
        }
    }

    private void call(List<RunnerRequest.Entrant> entrants, Lineup lineup) {
        phases.enter(Phases.LOAD);
        entrants.forEach(lineup::load);
        phases.enter(Phases.VERIFY);
        lineup.verifyNew();
    }

    /** The anchor: one of the contenders, or a kernel of its own. */
    private @Nullable Arm anchor(RunnerRequest.RunFinal round, TestData data, Lineup lineup) {
        Kernel kernel = round.anchor();
        if (kernel == null) {
            return null;
        }
        Set<String> same = round.arms().stream()
                .filter(entrant -> entrant.kernel().equals(kernel))
                .map(RunnerRequest.Entrant::name)
                .collect(Collectors.toSet());
        Optional<Competitor> contender =
                lineup.running(each -> same.contains(each.name())).stream().findFirst();
        if (contender.isPresent()) {
            return contender.get();
        }
        phases.enter(Phases.ANCHOR);
        lineup.rest();
        return switch (bench.anchors().get(kernel, data)) {
            case AnchorSlot.Answer.Ready(LoadedKernel arm) -> new Anchored(arm, lineup::rest);
            case AnchorSlot.Answer.None(String reason) -> {
                log.add("timed without the anchor: " + reason);
                yield null;
            }
        };
    }

    /** Our contenders of the final, and the kernels of the peers that are not surely slower than their best. */
    private Finalists contend(Contest contest, RunnerRequest.RunFinal round, Teams teams, Lineup lineup) {
        List<Competitor> firsts = lineup.running(Competitor::isOurs);
        List<Competitor> peers = lineup.running(contender -> !contender.isOurs());
        if (teams.isEmpty() && firsts.size() <= round.finalists() && peers.size() <= 1) {
            return new Finalists(firsts, peers, List.of());
        }
        Contest.Firsts left = firsts.size() <= round.finalists()
                ? new Contest.Firsts(firsts, firsts)
                : held(round, () -> contest.betweenTeams(firsts, round.finalists(), round.seed()));
        List<RunnerRequest.Entrant> others = teams.others(
                left.leading(),
                Math.max(0, OTHERS + round.finalists() - left.ranked().size()));
        if (!others.isEmpty()) {
            call(others, lineup);
        }
        List<Competitor> racing = Stream.concat(
                        left.ranked().stream(),
                        lineup.running(Competitor::isOurs).stream().filter(each -> !firsts.contains(each)))
                .toList();
        return held(round, () -> {
            List<Competitor> ours = contest.withinTeams(racing, round.finalists(), round.seed());
            PeersLeft theirs = PeersLeft.of(peers, round.peers(), contest, round.seed());
            return new Finalists(ours, theirs.best(), theirs.guests());
        });
    }

    private <T> T held(RunnerRequest.RunFinal round, Supplier<T> race) {
        phases.enter(Phases.CONTEND);
        try (SmHolders.Hold hold = bench.holders().hold(round.problem().scenario())) {
            hold.note("while contending").ifPresent(log::add);
            T result = race.get();
            hold.confirm();
            return result;
        }
    }

    /** Launches that overlap are only compared with launches that overlap. Those of peers never do. */
    private List<String> peers(RunnerRequest.RunFinal round) {
        if (!round.problem().scenario().launchOverlap()) {
            return round.peers();
        }
        round.peers().forEach(peer -> log.add(peer + " is left out: its launches cannot be made to overlap"));
        return List.of();
    }

    private FinalResult done(RunnerRequest.RunFinal round, Lineup lineup, Contest contest, FinalTurns.Result last) {
        phases.leave();
        List<Report.Arm> arms = new ArrayList<>();
        for (Competitor contender : lineup.all()) {
            List<Measurement> measurements = new ArrayList<>(contest.measurements(contender));
            if (last.finalists().has(contender)) {
                measurements.addAll(finals(round, contender, last));
            } else if (contender.isRunning() && measurements.isEmpty()) {
                contender.fail(TrialOutcome.NOISE, "the race in which it left was too noisy to say anything");
            }
            arms.add(contender.report(measurements));
        }
        Timed all = contest.timed().plus(last.timed());
        return new FinalResult(
                        List.copyOf(arms),
                        ratios(round.modes(), last),
                        blocks(all, lineup),
                        all.discards(),
                        phases.timesNs(),
                        String.join("\n", log))
                .searched(searches);
    }

    private List<Measurement> finals(RunnerRequest.RunFinal round, Competitor contender, FinalTurns.Result last) {
        List<Measurement> measurements = new ArrayList<>();
        for (Mode mode : round.modes()) {
            List<Run> runs = last.timed().runs(contender.name(), mode);
            if (contender.isRunning() && last.noisy().containsKey(mode)) {
                contender.fail(TrialOutcome.NOISE, last.noisy().get(mode) + "; " + runs.size() + " were undisturbed");
            } else if (contender.isRunning()) {
                measurements.add(Summaries.of(
                        mode, Stage.FINAL, runs, Anchored.ratio(last.timed(), contender, last.anchor(), mode)));
            }
        }
        return measurements;
    }

    private List<Report.ArmRatio> ratios(List<Mode> modes, FinalTurns.Result last) {
        Finalists finalists = last.finalists();
        List<Report.ArmRatio> ratios = new ArrayList<>();
        for (Competitor own : running(finalists.ours().stream())) {
            for (Competitor peer : running(finalists.all().stream().filter(each -> !each.isOurs()))) {
                for (Mode mode : modes) {
                    ratios.add(new Report.ArmRatio(
                            own.name(),
                            peer.name(),
                            mode,
                            FinalRule.ratio(
                                    last.timed().paired(own.name(), peer.name(), mode),
                                    finalists.ours().size(),
                                    finalists.peers().size())));
                }
            }
        }
        return List.copyOf(ratios);
    }

    private static List<Competitor> running(Stream<Competitor> contenders) {
        return contenders.filter(Competitor::isRunning).toList();
    }

    /** Of the anchor only what is said in ratios is reported, unless it is a contender. */
    private static List<Report.Block> blocks(Timed timed, Lineup lineup) {
        Set<String> names = lineup.all().stream().map(Competitor::name).collect(Collectors.toSet());
        return timed.blocks().stream()
                .filter(block -> names.contains(block.arm()))
                .map(FinalRunner::block)
                .toList();
    }

    static Report.Block block(TimedBlock block) {
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
