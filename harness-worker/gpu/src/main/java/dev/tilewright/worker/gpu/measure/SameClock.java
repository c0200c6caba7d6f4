package dev.tilewright.worker.gpu.measure;

import dev.tilewright.gate.statistics.Quantiles;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Question;
import dev.tilewright.model.trial.Stage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/**
 * The question of the same clock: runs of a few milliseconds, so short against the lag of the clock that all arms have
 * the same one, and what differs is cycles.
 *
 * <p>Blocks come in pairs, the second in the mirrored order of the first: of two arms ABBA or BAAB by a fair coin, of
 * more an order drawn at random and back. What drifts linearly over such a pair then adds the same to each arm. A block
 * that is discarded is repeated in its own order, so that the balance is kept.
 */
public final class SameClock implements Rounds {

    /** Median clocks of two arms that differ by more than this are reported: then time and cycles may disagree. */
    private static final double CLOCK_SPREAD = 0.01;

    private final Stopwatch stopwatch;
    private final TimingPlan plan;
    private final Random random;
    private final Ledger ledger;
    private final Map<String, Double> launchNs = new HashMap<>();
    /** The order that the next block must have: a mirrored one, or that of a discarded block; empty if it is free. */
    private List<Arm> due = List.of();

    private boolean mirrored;
    private final Map<String, Stopwatch.Pending> warming = new HashMap<>();
    private final List<Queued> queued = new ArrayList<>();

    /** A block in the stream. */
    private record Queued(List<Arm> order, Map<String, Stopwatch.Pending> runs) {}

    /** @param seed of the orders */
    public SameClock(Stopwatch stopwatch, TimingPlan plan, Stage stage, long seed) {
        this(stopwatch, plan, stage, seed, 0);
    }

    /**
     * The same where its arms may have blocks already.
     *
     * @param first index of the first block
     */
    public SameClock(Stopwatch stopwatch, TimingPlan plan, Stage stage, long seed, int first) {
        this.stopwatch = stopwatch;
        this.plan = plan;
        this.random = new Random(seed);
        this.ledger = new Ledger(stopwatch, stage, Question.SAME_CLOCK, Mode.SUSTAINED, first);
    }

    /** Says about how long a launch of an arm takes, which then needs no warm-up to find out. */
    public void expect(Arm arm, double nanos) {
        launchNs.put(arm.name(), nanos);
    }

    /**
     * Runs the arms in their alternating order until the clock has settled on what they draw together. If it does not,
     * that is noted and said.
     *
     * @return {@code unsettled} with what was seen, or empty
     */
    public Optional<String> settle(List<? extends Arm> arms, SettleRule rule) {
        warm(arms);
        Settling settling = new Settling(rule);
        List<Arm> order = List.copyOf(arms);
        while (settling.state() == Settling.State.SETTLING) {
            for (Arm arm : order) {
                Run run = time(arm);
                settling.saw(run.launches() * run.launchNs(), run.smClockMhz());
            }
            order = order.reversed();
        }
        if (settling.state() == Settling.State.SETTLED) {
            return Optional.empty();
        }
        ledger.note(settling.toString());
        return Optional.of(settling.toString());
    }

    /** Other processes on the GPU since this began; empty if none is known. */
    public Optional<String> company() {
        return ledger.atFirst();
    }

    @Override
    public boolean run(List<? extends Arm> arms, int blocks) {
        ledger.plan(blocks);
        warm(arms);
        return blocks(arms, blocks);
    }

    /** A block of this order counts: the next one mirrors it, or is free. */
    private void accept(List<Arm> order) {
        due = mirrored ? List.of() : order.reversed();
        mirrored = !mirrored;
    }

    private boolean blocks(List<? extends Arm> arms, int blocks) {
        int done = 0;
        while (done < blocks && !ledger.isNoisy()) {
            List<Arm> order = next(arms);
            if (ledger.take(order, this::time)) {
                done++;
                accept(order);
            } else {
                due = order;
            }
        }
        return !ledger.isNoisy();
    }

    /** Puts the warm-up of those arms into the stream of which nothing is known, and returns at once. */
    void queueWarmUp(List<? extends Arm> arms) {
        for (Arm arm : arms) {
            if (!launchNs.containsKey(arm.name()) && stopwatch.fits(arm, plan.firstLaunches())) {
                warming.put(arm.name(), stopwatch.queue(arm, plan.firstLaunches()));
            }
        }
    }

    /**
     * Waits for the warm-up and puts blocks into the stream, one behind the other. Where they are too long for that,
     * nothing is queued, and {@link #finish} runs them.
     */
    void queue(List<? extends Arm> arms, int blocks) {
        warm(arms);
        if (arms.size() * blocks >= Stopwatch.MAX_RUNS_AHEAD
                || !arms.stream().allMatch(arm -> stopwatch.fits(arm, launches(arm)))) {
            return;
        }
        for (int block = 0; block < blocks; block++) {
            List<Arm> order = next(arms);
            accept(order);
            Map<String, Stopwatch.Pending> runs = new HashMap<>();
            order.forEach(arm -> runs.put(arm.name(), stopwatch.queue(arm, launches(arm))));
            queued.add(new Queued(order, runs));
        }
    }

    /** Whether all the blocks that were queued are behind each other in the stream and none was waited for yet. */
    boolean isQueued() {
        return !queued.isEmpty();
    }

    /**
     * Waits for the blocks that are queued, and runs those that are missing or were discarded, each in its own order.
     *
     * @return what {@link #run} says
     */
    boolean finish(List<? extends Arm> arms, int blocks) {
        ledger.plan(blocks);
        int missing = blocks - queued.size();
        List<List<Arm>> discarded = new ArrayList<>();
        for (Queued block : queued) {
            if (ledger.isNoisy()) {
                break;
            }
            if (!ledger.take(block.order(), arm -> block.runs().get(arm.name()).await())) {
                discarded.add(block.order());
            }
        }
        queued.clear();
        while (!discarded.isEmpty() && !ledger.isNoisy()) {
            if (ledger.take(discarded.getFirst(), this::time)) {
                discarded.removeFirst();
            }
        }
        return blocks(arms, missing);
    }

    private List<Arm> next(List<? extends Arm> arms) {
        if (due.size() == arms.size() && due.containsAll(arms)) {
            return due;
        }
        mirrored = false;
        List<Arm> order = new ArrayList<>(arms);
        Collections.shuffle(order, random);
        return order;
    }

    /** Finds out how long a launch takes, outside the blocks. */
    private void warm(List<? extends Arm> arms) {
        for (Arm arm : arms) {
            if (!launchNs.containsKey(arm.name())) {
                Stopwatch.Pending queuedRun = warming.remove(arm.name());
                Run run = queuedRun == null ? stopwatch.sustained(arm, plan.firstLaunches()) : queuedRun.await();
                launchNs.put(arm.name(), run.launchNs());
            }
        }
    }

    /** Of a run of an arm that was warmed up. */
    private int launches(Arm arm) {
        return plan.launches(arm, Objects.requireNonNull(launchNs.get(arm.name())), plan.screenNs());
    }

    private Run time(Arm arm) {
        return stopwatch.sustained(arm, launches(arm));
    }

    @Override
    public Timed timed() {
        Timed timed = ledger.timed();
        List<String> notes = new ArrayList<>(timed.notes());
        clockSpread(timed).ifPresent(notes::add);
        return new Timed(timed.blocks(), timed.discards(), notes);
    }

    private static Optional<String> clockSpread(Timed timed) {
        Map<String, List<Double>> clocks = new HashMap<>();
        for (TimedBlock block : timed.blocks()) {
            block.run()
                    .smClockMhz()
                    .ifPresent(clock -> clocks.computeIfAbsent(block.arm(), arm -> new ArrayList<>())
                            .add(clock));
        }
        ToDoubleFunction<List<Double>> median = seen ->
                Quantiles.median(seen.stream().mapToDouble(Double::doubleValue).toArray());
        OptionalDouble least = clocks.values().stream().mapToDouble(median).min();
        OptionalDouble most = clocks.values().stream().mapToDouble(median).max();
        return least.isPresent() && most.getAsDouble() > (1 + CLOCK_SPREAD) * least.getAsDouble()
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "the arms did not run at one clock: their medians are from %.0f to %.0f MHz",
                        least.getAsDouble(),
                        most.getAsDouble()))
                : Optional.empty();
    }
}
