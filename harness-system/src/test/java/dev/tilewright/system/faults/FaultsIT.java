package dev.tilewright.system.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whole installations are killed, stopped, left without a disk and told another time in the middle of sweeps; nothing
 * is lost and nothing is done twice. Moments and victims are drawn from a seed.
 */
class FaultsIT {

    private static final Path DOCUMENTS = Path.of("../docs/results/service");
    private static final int ALL_KILLS = 100;
    private static final int UNDISTURBED = 3;
    private static final int DISKS = 3;
    private static final Duration SHORT_STOP = Duration.ofSeconds(20);
    private static final Duration STOP = Duration.ofSeconds(60);

    private final FaultRuns runs = FaultRuns.drawn();

    @Test
    void aDrawnKillLosesNothing() throws Exception {
        runs.sample(kills(1)).assertNothingIsLost();
    }

    @Test
    void aDrawnStopLosesNothing() throws Exception {
        Victim[] victims = Victim.values();
        Fault stop = new Fault.Stop(victims[runs.random().nextInt(victims.length)], SHORT_STOP);
        runs.sample(List.of(stop)).assertNothingIsLost();
    }

    /**
     * Every core has something else to do meanwhile, by threads of ours or without them. What is known is written after
     * each sweep.
     */
    @Test
    @Tag("full")
    void noFaultLosesAnything() throws Exception {
        int busy = Integer.getInteger(
                "tilewright.faults.busy", Runtime.getRuntime().availableProcessors());
        FaultReport report = new FaultReport(runs.seed(), busy, DOCUMENTS);
        List<Fault> faults = new ArrayList<>(kills(Integer.getInteger("tilewright.faults.kills", ALL_KILLS)));
        for (Victim victim : Victim.values()) {
            faults.add(new Fault.Stop(victim, STOP));
        }
        List<FaultSeries> all = new ArrayList<>();
        try (var _ = new BusyCores(busy)) {
            runs.byShiftedClock(UNDISTURBED, jumps(), series -> report.write("clock", series))
                    .ifPresentOrElse(all::add, () -> report.skipped(FaultRuns.NO_CLOCK));
            runs.onSmallDisk(
                            UNDISTURBED,
                            Collections.nCopies(DISKS, new Fault.FullDisk(FaultRuns.FULL)),
                            series -> report.write("disk", series))
                    .ifPresentOrElse(all::add, () -> report.skipped(FaultRuns.NO_DISK));
            all.add(runs.plain(UNDISTURBED, faults, series -> report.write("processes", series)));
        }
        all.forEach(FaultSeries::assertNothingIsLost);
        all.forEach(FaultSeries::assertSoonOver);
    }

    private List<Fault> kills(int count) {
        return Fault.Kill.drawn(runs.random()).limit(count).toList();
    }

    /** There and back, and what holds a promise dies after either. */
    private static List<Fault> jumps() {
        List<Fault> jumps = new ArrayList<>();
        for (List<Victim> killed : List.of(List.<Victim>of(), List.of(Victim.WORKER), List.of(Victim.API))) {
            jumps.add(new Fault.ClockJump(FaultRuns.HOUR, killed));
            jumps.add(new Fault.ClockJump(FaultRuns.HOUR.negated(), killed));
        }
        return jumps;
    }
}
