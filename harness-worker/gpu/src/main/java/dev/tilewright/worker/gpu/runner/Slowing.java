package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.exchange.GpuTask.Side;
import dev.tilewright.model.exchange.GpuTaskResult.Slowdown;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.worker.gpu.measure.Run;
import dev.tilewright.worker.gpu.measure.SameClock;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Finds the wait with which a launch of a kernel takes a given part longer. The first guess is that part of the cycles
 * of a launch, shared by the waves of its CTAs. What it does is measured beside the same kernel with a wait of 0, and
 * corrected by that: CTAs that share an SM wait at the same time. Waits are of whole steps, and of a short launch a
 * step is a fifth of a percent: where no number of them does what is asked for, the nearest of two neighbours is taken.
 *
 * @param plain the kernel with a wait of 0
 * @param twin the same with the wait that is looked for
 * @param ctas of a launch
 * @param by how much longer a launch is to take: 0.01 is one percent
 */
record Slowing(Competitor plain, Competitor twin, LaunchDelay delay, long ctas, double by) {

    /** A measured slowing may be off by this part of the one asked for. */
    static final double TOLERANCE = 0.1;

    /** Of the nearest number of steps. */
    static final double TOLERANCE_BETWEEN_STEPS = 0.25;

    private static final int MOST_TRIES = 6;
    /** A wait that hardly shows is made longer by this. */
    private static final double GROWTH = 4;

    /** A guess, for the first try. */
    private static final double CYCLES_PER_STEP = 15;

    private static final List<Integer> LOOKS = List.of(20, 40, 80, 160, 320);
    /** Of a GPU that does not say its clock. */
    private static final double USUAL_MHZ = 1500;

    /** There is no such wait, or it was not found; the message says what was seen. */
    static final class FailedException extends Exception {

        private static final long serialVersionUID = 1;

        FailedException(String message) {
            super(message);
        }
    }

    /**
     * Sets the wait.
     *
     * @throws FailedException if no wait within reach does what is asked for
     */
    Slowdown calibrate(Workbench bench, long seed) throws FailedException {
        delay.set(0);
        settle(bench, seed);
        long waves = Math.ceilDiv(ctas, bench.gpu().info().smCount());
        long steps = Math.max(1, Math.round(by * launchCycles(bench) / (CYCLES_PER_STEP * waves)));
        Map<Long, Slowdown> seen = new LinkedHashMap<>();
        while (seen.size() < MOST_TRIES && !seen.containsKey(steps)) {
            Slowdown wait = new Slowdown(steps, longer(bench, steps, seed + seen.size()));
            if (off(wait) <= TOLERANCE * by) {
                return wait;
            }
            seen.put(steps, wait);
            long next = next(wait);
            // Noise leads back to one that was tried: the one in the middle was not.
            steps = seen.containsKey(next) ? (steps + next) / 2 : next;
        }
        Slowdown nearest = Collections.min(seen.values(), Comparator.comparingDouble(this::off));
        if (off(nearest) <= TOLERANCE_BETWEEN_STEPS * by && seen.containsKey(nearest.steps() + toward(nearest))) {
            delay.set(nearest.steps());
            return nearest;
        }
        throw new FailedException(String.format(
                Locale.ROOT,
                "%s could not be slowed by %.2f %%: %s",
                twin.name(),
                100 * by,
                seen.values().stream().map(Slowing::words).collect(Collectors.joining("; "))));
    }

    private static double effect(Slowdown wait) {
        return Objects.requireNonNull(wait.longer()).value() - 1;
    }

    private double off(Slowdown wait) {
        return Math.abs(effect(wait) - by);
    }

    /** Whether what is asked for is a step more, or a step less. */
    private int toward(Slowdown wait) {
        return effect(wait) < by ? 1 : -1;
    }

    private long next(Slowdown wait) {
        long steps = wait.steps();
        long next = Math.round(effect(wait) > by / GROWTH ? steps * by / effect(wait) : steps * GROWTH);
        return Math.clamp(next == steps ? steps + toward(wait) : next, 1, Side.Own.MOST_WAIT);
    }

    /** The twin runs the text of the plain kernel: what that one fails by is its own. */
    void judgeTwin() {
        if (!plain.isRunning()) {
            twin.failAs(plain);
        }
    }

    /** The effect of a wait, for readers. */
    static String words(Slowdown wait) {
        Ratio longer = Objects.requireNonNull(wait.longer());
        return String.format(
                Locale.ROOT,
                "a wait of %d steps makes a launch %.3f %% longer, [%.3f, %.3f], from %d blocks",
                wait.steps(),
                100 * (longer.value() - 1),
                100 * (longer.low() - 1),
                100 * (longer.high() - 1),
                longer.blocks());
    }

    private List<Competitor> both() {
        return List.of(plain, twin);
    }

    private void settle(Workbench bench, long seed) {
        clock(bench, seed).settle(both(), bench.plan().settle());
    }

    private double launchCycles(Workbench bench) {
        Run run = bench.stopwatch().sustained(plain, bench.plan().firstLaunches());
        return run.launchNs() * run.smClockMhz().orElse(USUAL_MHZ) / 1e3;
    }

    /** Measures until the interval is narrow against what is asked for. */
    private Ratio longer(Workbench bench, long steps, long seed) throws FailedException {
        delay.set(steps);
        SameClock clock = clock(bench, seed);
        int blocks = 0;
        Ratio longer = null;
        for (int look : LOOKS) {
            if (!clock.run(both(), look - blocks)) {
                throw new FailedException(twin.name() + " could not be slowed: with a wait of " + steps
                        + " steps more than a fifth of the blocks had to be discarded");
            }
            blocks = look;
            longer = clock.timed()
                    .paired(plain.name(), twin.name(), Mode.SUSTAINED)
                    .ratio();
            if (longer.high() - longer.low() <= TOLERANCE * by) {
                break;
            }
        }
        return Objects.requireNonNull(longer);
    }

    private static SameClock clock(Workbench bench, long seed) {
        return new SameClock(bench.stopwatch(), bench.plan(), Stage.FINAL, seed);
    }
}
