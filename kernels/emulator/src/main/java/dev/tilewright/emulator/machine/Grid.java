package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.async.AsyncQueue;
import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.launch.ClusterQueue;
import dev.tilewright.emulator.launch.GridAhead;
import dev.tilewright.emulator.memory.GlobalMemory;
import dev.tilewright.emulator.order.Order;
import dev.tilewright.emulator.program.Program;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.emulator.run.Statistics;
import dev.tilewright.emulator.schedule.Interleaving;
import dev.tilewright.emulator.schedule.StrandScheduler;
import dev.tilewright.emulator.warp.Origin;
import dev.tilewright.emulator.warp.RunCounts;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** One run of one launch: strands run in the scheduler's order, copies land in between. */
public final class Grid {
    /** How often, and for how many steps, a stuck machine lets waits give up in vain before it counts as dead. */
    private static final int PATIENCE = 64;

    private static final long PATIENCE_STEPS = 100_000;
    /** Steps in which nobody does what others can see before a run counts as endless. */
    private static final long QUIET_STEPS = 50_000_000;
    /** Steps between two words about progress. */
    private static final long TOLD_STEPS = 100_000;

    private final LongConsumer progress;
    private final Device device;
    private final StrandScheduler<Strand> scheduler;
    private final StrandRunner runner;
    private final Waiters waiters;
    private final Clusters clusters;

    /** @param progress told now and then how many steps were made */
    public Grid(Executable executable, Launch launch, Options options, LongConsumer progress) {
        this.progress = progress;
        Program program = executable.program();
        Order happensBefore = new Order();
        Interleaving choices = Interleaving.of(options.seed(), options.mood(), program.roles());
        device = Device.of(
                launch,
                options,
                program.footprint(launch),
                happensBefore,
                new LaunchMemory(program.variables(), program.parameters(), launch, happensBefore),
                choices,
                new BarrierUse(program.loopWaits()));
        scheduler = new StrandScheduler<>(choices);
        runner = new StrandRunner(executable, device, scheduler);
        waiters = new Waiters(program, scheduler);
        clusters = new Clusters(program, device, scheduler);
    }

    /** Global memory, as the run has left it. */
    public GlobalMemory global() {
        return device.memory().global();
    }

    public Statistics statistics() {
        return new Statistics(
                device.tally().steps(),
                device.tally().multiplyAdds(),
                device.async().landed(),
                clusters.endedCtas(),
                device.barriers().phases(),
                clusters.runs(),
                device.taken().all());
    }

    /** Runs to the end, or to the hazard that ends it early; all that was found. */
    public List<Finding> run() {
        Finding last = runOn();
        return device.happensBefore().findings().with(last);
    }

    private @Nullable Finding runOn() {
        AsyncQueue async = device.async();
        ClusterQueue queue = device.queue();
        GridAhead ahead = device.ahead();
        RunCounts tally = device.tally();
        @Nullable Strand current = null;
        try {
            clusters.start();
            int stuck = 0;
            long stuckSince = 0;
            long changes = 0;
            long lastChanges = 0;
            long quietSince = 0;
            long told = 0;
            while (!clusters.haveEnded()) {
                current = null;
                device.happensBefore().acts(null);
                if (queue.isTimed()) {
                    clusters.start();
                }
                if (ahead != null) {
                    ahead.passed(tally.steps());
                }
                if (scheduler.copyNext() && async.advanceOne()) {
                    tally.change();
                    continue;
                }
                if (scheduler.timesOut()) {
                    waiters.release();
                }
                current = scheduler.next();
                if (current == null) {
                    if (async.advanceOne()) {
                        tally.change();
                        stuck = 0;
                        continue;
                    }
                    if (queue.skip(tally.steps()) || ahead != null && ahead.end()) {
                        continue;
                    }
                    if (stuck == 0 || tally.changes() != changes) {
                        stuck = 0;
                        stuckSince = tally.steps();
                        changes = tally.changes();
                    }
                    boolean inVain = ++stuck > PATIENCE && tally.steps() - stuckSince > PATIENCE_STEPS;
                    if (inVain || !waiters.releaseAll()) {
                        throw waiters.deadlock(clusters.running());
                    }
                    continue;
                }
                runner.run(current);
                if (current.cta().threads() == 0) {
                    clusters.ended(current.cta(), current.cluster());
                }
                if (tally.changes() != lastChanges) {
                    lastChanges = tally.changes();
                    quietSince = tally.steps();
                }
                if (tally.steps() - told > TOLD_STEPS) {
                    told = tally.steps();
                    progress.accept(told);
                }
                if (tally.steps() - quietSince > QUIET_STEPS) {
                    throw waiters.endless(QUIET_STEPS, true);
                }
                if (tally.steps() > device.options().stepLimit()) {
                    throw waiters.endless(device.options().stepLimit(), false);
                }
            }
            current = null;
            while (async.advanceOne()) {
                // What no CTA has to wait for, such as the writing of stores, ends with the grid.
            }
            return null;
        } catch (HazardFound found) {
            return new Finding(found.hazard(), site(found, current));
        }
    }

    private Site site(HazardFound found, @Nullable Strand current) {
        Site known = found.site();
        if (known != null) {
            return known;
        }
        Origin acting = device.async().acting();
        if (acting != null) {
            return acting.site();
        }
        return current == null ? new Site(device.launch().entry(), 0, 1, "", 0, 0, 0, 0) : current.site();
    }
}
