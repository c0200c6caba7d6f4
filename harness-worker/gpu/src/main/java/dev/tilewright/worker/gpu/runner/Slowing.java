package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.exchange.GpuTaskResult.Slowdown;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.worker.gpu.measure.Run;
import dev.tilewright.worker.gpu.measure.SameClock;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Finds the wait with which a launch of a kernel takes a given part longer. The first guess is that part of the cycles
 * of a launch, shared by the waves of its CTAs. What it does is measured beside the same kernel with a wait of 0, and
 * corrected by that: CTAs that share an SM wait at the same time.
 *
 * @param plain the kernel with a wait of 0
 * @param twin the same with the wait that is looked for
 * @param ctas of a launch
 * @param by how much longer a launch is to take: 0.01 is one percent
 */
record Slowing(Contender plain, Contender twin, LaunchDelay delay, long ctas, double by) {

    /** What is measured may be off by this part of what is asked for. */
    static final double TOLERANCE = 0.1;

    private static final int MOST_TRIES = 6;
    /** A wait that hardly shows is made longer by this. */
    private static final double GROWTH = 4;

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
        double guess =
                by * launchCycles(bench) / Math.ceilDiv(ctas, bench.gpu().info().smCount());
        long cycles = Math.max(1, Math.round(guess));
        StringBuilder seen = new StringBuilder();
        for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
            Slowdown wait = new Slowdown(cycles, longer(bench, cycles, seed + attempt));
            double effect = Objects.requireNonNull(wait.longer()).value() - 1;
            if (Math.abs(effect - by) <= TOLERANCE * by) {
                return wait;
            }
            seen.append(seen.isEmpty() ? "" : "; ").append(words(wait));
            long next = Math.max(1, Math.round(effect > by / GROWTH ? cycles * by / effect : cycles * GROWTH));
            if (next == cycles) {
                // Waits are of whole cycles: there is none between those that are too short and too long.
                break;
            }
            cycles = next;
        }
        throw new FailedException(
                String.format(Locale.ROOT, "%s could not be slowed by %.2f %%: %s", twin.name(), 100 * by, seen));
    }

    /** The twin runs the text of the plain kernel: what that one fails by is its own. */
    void judgeTwin() {
        if (!plain.isRunning()) {
            twin.failAs(plain);
        }
    }

    /** What a wait does, for readers. */
    static String words(Slowdown wait) {
        Ratio longer = Objects.requireNonNull(wait.longer());
        return String.format(
                Locale.ROOT,
                "a wait of %d cycles makes a launch %.3f %% longer, [%.3f, %.3f], from %d blocks",
                wait.cycles(),
                100 * (longer.value() - 1),
                100 * (longer.low() - 1),
                100 * (longer.high() - 1),
                longer.blocks());
    }

    private List<Contender> both() {
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
    private Ratio longer(Workbench bench, long cycles, long seed) throws FailedException {
        delay.set(cycles);
        SameClock clock = clock(bench, seed);
        int blocks = 0;
        Ratio longer = null;
        for (int look : LOOKS) {
            if (!clock.run(both(), look - blocks)) {
                throw new FailedException(twin.name() + " could not be slowed: with a wait of " + cycles
                        + " cycles more than a fifth of the blocks had to be discarded");
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
