package dev.tilewright.system.faults;

import dev.tilewright.system.faults.FaultRuns.Progress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * A whole installation is left without a disk or told another time in the middle of a sweep; nothing is lost. A class
 * of its own, which waits for a disk beside the others that wait.
 */
class DiskOrClockIT {

    private static final Progress UNTOLD = series -> {};

    private final FaultRuns runs = FaultRuns.drawn();

    /** One of the two, drawn; where it cannot be made, the other. */
    @Test
    void aFullDiskOrAClockThatJumpsAnHourLosesNothing() throws Exception {
        boolean diskFirst = runs.random().nextBoolean();
        System.out.println("faults: first choice: " + (diskFirst ? "a full disk" : "a clock that jumps"));
        Optional<FaultSeries> series = diskFirst ? fullDisk() : clockJump();
        if (series.isEmpty()) {
            series = diskFirst ? clockJump() : fullDisk();
        }
        Assumptions.assumeTrue(series.isPresent(), FaultRuns.NO_DISK + "; " + FaultRuns.NO_CLOCK);
        series.orElseThrow().assertNothingIsLost();
    }

    private Optional<FaultSeries> fullDisk() throws Exception {
        return runs.onSmallDisk(1, List.of(new Fault.FullDisk(FaultRuns.FULL)), UNTOLD);
    }

    private Optional<FaultSeries> clockJump() throws Exception {
        return runs.byShiftedClock(
                1,
                List.of(
                        new Fault.ClockJump(FaultRuns.HOUR, List.of()),
                        new Fault.ClockJump(FaultRuns.HOUR.negated(), List.of(Victim.WORKER))),
                UNTOLD);
    }
}
