package dev.tilewright.worker.gpu.runner;

import dev.tilewright.gate.decision.PairDecision;
import dev.tilewright.gate.decision.StopMonitor;
import dev.tilewright.gate.statistics.BlockMean;
import dev.tilewright.model.exchange.GpuTask.Compare;
import dev.tilewright.model.exchange.GpuTask.Side;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.GpuTaskResult.CompareVerdict;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.GpuTaskResult.ComparedSide;
import dev.tilewright.model.exchange.GpuTaskResult.Slowdown;
import dev.tilewright.model.exchange.StopRule;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Discard;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.cuda.CudaException;
import dev.tilewright.worker.gpu.measure.Neighbours;
import dev.tilewright.worker.gpu.measure.SameClock;
import dev.tilewright.worker.gpu.measure.Timed;
import dev.tilewright.worker.gpu.verify.Ending;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two kernels beside each other: their modules are compared first, then their results. Then they are timed in mirrored
 * blocks at one clock, until the rule has a verdict. Their results are compared again at the end. The wait of a side
 * that is slowed is set before the blocks.
 */
final class ComparisonRun {

    private static final String FIRST = "first";
    private static final String SECOND = "second";

    private final Workbench bench;
    private final Phases phases;
    private final List<String> log = new ArrayList<>();
    private final List<Slowing> slowed = new ArrayList<>();
    private final Map<Competitor, Slowdown> waits = new HashMap<>();
    private final List<String> doubts = new ArrayList<>();
    private final List<String> neighbours = new ArrayList<>();

    ComparisonRun(Workbench bench, Phases phases) {
        this.bench = bench;
        this.phases = phases;
    }

    /** @param kernels those that the task wants built, in their order */
    GpuTaskResult run(Compare task, List<Kernel> kernels) {
        if (areEqual(task, kernels) && !task.measureEqual()) {
            return new Compared(
                    CompareVerdict.EQUAL,
                    null,
                    untimed(FIRST),
                    untimed(SECOND),
                    List.of(),
                    List.of(),
                    "both have the same module and the same launch");
        }
        if (task.first() instanceof Side.OfPeer && task.first().equals(task.second())) {
            return new GpuTaskResult.Failed("a kernel of a peer cannot be timed beside itself: it is loaded once");
        }
        Optional<String> unlike = unlike(kernels, task.problem());
        if (unlike.isPresent()) {
            return new GpuTaskResult.Failed(unlike.get());
        }
        try (Releases releases = new Releases()) {
            phases.enter(Phases.REFERENCE);
            TestData data = bench.data(task.problem(), task.seed());
            kernels.forEach(kernel -> data.reference(Ending.of(kernel.launch(), task.problem())));
            bench.neighbours().name(neighbours);
            GpuTaskResult result = compared(task, kernels, new Lineup(bench, data, releases, log));
            bench.neighbours().name(neighbours);
            return result instanceof Compared timed ? timed.beside(neighbours) : result;
        } finally {
            phases.leave();
        }
    }

    private static boolean areEqual(Compare task, List<Kernel> kernels) {
        return !task.isSlowed()
                && (kernels.size() == 2 && kernels.getFirst().equals(kernels.getLast())
                        || kernels.isEmpty() && task.first().equals(task.second()));
    }

    /** Kernels that add other things to their sums compute different things; the service does not see all of it. */
    private static Optional<String> unlike(List<Kernel> kernels, Problem problem) {
        List<String> ends = kernels.stream()
                .map(kernel -> Ending.of(kernel.launch(), problem).toString())
                .distinct()
                .toList();
        return ends.size() > 1
                ? Optional.of(
                        "the kernels compute different things: their epilogues are " + String.join(", and ", ends))
                : Optional.empty();
    }

    private static ComparedSide untimed(String name) {
        return new ComparedSide(name, TrialOutcome.COMPLETED, null, "");
    }

    private GpuTaskResult compared(Compare task, List<Kernel> kernels, Lineup lineup) {
        phases.enter(Phases.LOAD);
        Deque<Kernel> ours = new ArrayDeque<>(kernels);
        Competitor first = load(task, task.first(), FIRST, ours, lineup);
        Competitor second = load(task, task.second(), SECOND, ours, lineup);
        if (first == null || second == null) {
            return new GpuTaskResult.Failed(String.join("; ", log));
        }
        List<Competitor> both = List.of(first, second);
        List<Competitor> all = Stream.concat(both.stream(), slowed.stream().map(Slowing::plain))
                .toList();
        SameClock clock = new SameClock(bench.stopwatch(), bench.plan(), Stage.FINAL, task.seed());
        Optional<PairDecision> decision = Optional.empty();
        try {
            decision = decision(task, clock, both, all, lineup);
        } catch (Slowing.FailedException notSlowed) {
            return new GpuTaskResult.Failed(String.valueOf(notSlowed.getMessage()));
        } catch (CudaException failure) {
            lineup.culprit(failure).fail(TrialOutcome.CRASH, String.valueOf(failure.getMessage()));
        }
        slowed.forEach(Slowing::judgeTwin);
        Timed timed = clock.timed();
        log.addAll(timed.notes());
        boolean valid = all.stream().allMatch(Competitor::isRunning);
        return new Compared(
                valid
                        ? decision.map(PairDecision::verdict).orElse(CompareVerdict.INCONCLUSIVE)
                        : CompareVerdict.INVALID,
                valid ? decision.map(PairDecision::ratio).orElse(null) : null,
                side(first),
                side(second),
                timed.blocks().stream().map(FinalRunner::block).toList(),
                timed.discards(),
                doubts,
                bench.gpu().info().uuid(),
                0,
                String.join("\n", log));
    }

    /** Empty if one of them is wrong, or too many blocks had to be discarded. */
    private Optional<PairDecision> decision(
            Compare task, SameClock clock, List<Competitor> both, List<Competitor> all, Lineup lineup)
            throws Slowing.FailedException {
        phases.enter(Phases.VERIFY);
        lineup.verify(all, "before timing");
        if (!all.stream().allMatch(Competitor::isRunning)) {
            return Optional.empty();
        }
        Optional<PairDecision> decision;
        try (SmHolders.Hold hold = bench.holders().hold(task.problem().scenario())) {
            hold.note("while timed").ifPresent(log::add);
            for (Slowing one : slowed) {
                phases.enter(Phases.CALIBRATE);
                Slowdown wait = one.calibrate(bench, task.seed());
                waits.put(one.twin(), wait);
                log.add(one.twin().name() + ": " + Slowing.words(wait));
            }
            phases.enter(Phases.FINAL);
            decision = timed(task.stop(), clock, both);
            hold.confirm();
        }
        phases.enter(Phases.VERIFY);
        lineup.verify(both, "after timing");
        return decision;
    }

    /** Empty if too many blocks had to be discarded. */
    private Optional<PairDecision> timed(StopRule rule, SameClock clock, List<Competitor> both) {
        StopMonitor monitor = new StopMonitor(rule);
        clock.settle(both, bench.plan().settle());
        clock.company().ifPresent(doubts::add);
        int blocks = 0;
        for (int look = 0; ; look++) {
            int until = rule.looks().get(look);
            if (!clock.run(both, until - blocks)) {
                doubts.add("more than a fifth of the blocks had to be discarded");
                busy(clock.timed()).ifPresent(doubts::add);
                log.addAll(doubts);
                return Optional.empty();
            }
            Optional<String> shared = bench.neighbours()
                    .spread(clock.timed().turns(both, Mode.SUSTAINED).spread());
            if (shared.isPresent()) {
                doubts.add(shared.get());
                log.add(shared.get());
                return Optional.empty();
            }
            blocks = until;
            BlockMean seen = BlockMean.of(clock.timed()
                    .paired(both.getLast().name(), both.getFirst().name(), Mode.SUSTAINED)
                    .logRatios());
            if (monitor.isOver(look, seen)) {
                return Optional.of(PairDecision.of(monitor, rule, look, seen));
            }
        }
    }

    /** The processes that were seen to compute while blocks ran. */
    private static Optional<String> busy(Timed timed) {
        return timed.discards().stream()
                .map(Discard::reason)
                .filter(reason -> reason.endsWith(Neighbours.COMPUTED))
                .findFirst();
    }

    /** {@code null} if there is no such kernel; the log says why. */
    private @Nullable Competitor load(Compare task, Side side, String name, Deque<Kernel> ours, Lineup lineup) {
        return switch (side) {
            case Side.Own own -> {
                Kernel kernel = ours.removeFirst();
                yield own.slowedBy() == null
                        ? lineup.load(entrant(name, own, kernel))
                        : slowed(lineup, name, own, kernel, own.slowedBy());
            }
            case Side.OfPeer(String family, String algorithm) -> peer(family, algorithm, lineup);
        };
    }

    private static RunnerRequest.Entrant entrant(String name, Side.Own own, Kernel kernel) {
        return new RunnerRequest.Entrant(name, null, 0, own.family(), own.config(), kernel);
    }

    /**
     * The twin that waits, its wait set if it is known; otherwise beside the same with a wait of 0. A module without
     * the wait is refused by the driver.
     */
    private Competitor slowed(Lineup lineup, String name, Side.Own own, Kernel kernel, double slowedBy) {
        List<LaunchDelay> delay = new ArrayList<>();
        Competitor twin = lineup.load(entrant(name, own, kernel), loaded -> delay.add(loaded.delay()));
        if (delay.isEmpty()) {
            return twin;
        }
        if (own.waitSteps() != null) {
            delay.getFirst().set(own.waitSteps());
            waits.put(twin, new Slowdown(own.waitSteps(), null));
        } else {
            Competitor plain = lineup.load(entrant(name + " without the wait", own, kernel));
            long ctas = kernel.launch().orElseThrow().grid().count();
            slowed.add(new Slowing(plain, twin, delay.getFirst(), ctas, slowedBy));
        }
        return twin;
    }

    private @Nullable Competitor peer(String family, @Nullable String algorithm, Lineup lineup) {
        Predicate<Competitor> isOfIt = each -> !each.isOurs() && each.family().equals(family);
        if (lineup.all().stream().noneMatch(isOfIt)) {
            lineup.loadPeer(family);
        }
        List<Competitor> found = lineup.running(isOfIt);
        Optional<Competitor> chosen = found.stream()
                .filter(each -> algorithm == null || each.name().equals(family + " algorithm=" + algorithm))
                .findFirst();
        if (chosen.isEmpty() && !found.isEmpty()) {
            log.add(family + " has no algorithm '" + algorithm + "' for this problem; it has "
                    + String.join(", ", found.stream().map(Competitor::name).toList()));
        }
        return chosen.orElse(null);
    }

    private ComparedSide side(Competitor contender) {
        var report = contender.report(List.of());
        return new ComparedSide(
                report.name(), report.outcome(), report.errorRatio(), report.log(), waits.get(contender));
    }
}
