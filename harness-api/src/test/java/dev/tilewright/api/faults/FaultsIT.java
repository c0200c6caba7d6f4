package dev.tilewright.api.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.util.FileSystemUtils;

/**
 * Whole installations are killed, stopped, left without a disk and told another time in the middle of sweeps; nothing
 * is lost and nothing is done twice. Moments and victims are drawn anew each time.
 */
class FaultsIT {

    private static final Path DOCUMENTS = Path.of("../docs/results/service");
    private static final int ALL_KILLS = 100;
    private static final String NO_DISK = "full disk: not run, because this user may not mount a small filesystem";
    private static final String NO_CLOCK = "clock jumps: not run, because there is no C compiler `cc`";
    private static final int UNDISTURBED = 3;
    private static final int DISKS = 3;
    private static final Duration SHORT_STOP = Duration.ofSeconds(20);
    private static final Duration STOP = Duration.ofSeconds(60);
    private static final Duration FULL = Duration.ofSeconds(25);
    private static final Duration HOUR = Duration.ofHours(1);

    /** Who is told of a series after each of its sweeps. */
    private interface Progress {
        void told(FaultSeries series) throws IOException;
    }

    private final long seed = Long.getLong("tilewright.faults.seed", System.currentTimeMillis());
    private final SplittableRandom random = new SplittableRandom(seed);
    private Progress progress = series -> {};
    private Installation installation = new Installation(Path.of("nowhere"), Path.of("nowhere"));

    @BeforeEach
    void place() throws IOException {
        System.out.println("faults: -Dtilewright.faults.seed=" + seed);
        installation = Installation.placed("faults");
    }

    @AfterEach
    void leaveNothingBehind() {
        installation.destroy();
    }

    @Test
    void aSampleOfDrawnKillsAndAStopLoseNothing() throws Exception {
        List<Fault> faults = new ArrayList<>(kills(2));
        Victim[] victims = Victim.values();
        faults.add(new Fault.Stop(victims[random.nextInt(victims.length)], SHORT_STOP));
        plain(1, faults).assertNothingIsLost();
    }

    /** One of the two, drawn; where it cannot be made, the other. */
    @Test
    void aFullDiskOrAClockThatJumpsAnHourLosesNothing() throws Exception {
        boolean diskFirst = random.nextBoolean();
        System.out.println("faults: first choice: " + (diskFirst ? "a full disk" : "a clock that jumps"));
        Optional<FaultSeries> series = diskFirst ? fullDisk() : clockJump();
        if (series.isEmpty()) {
            place();
            series = diskFirst ? clockJump() : fullDisk();
        }
        Assumptions.assumeTrue(series.isPresent(), NO_DISK + "; " + NO_CLOCK);
        series.orElseThrow().assertNothingIsLost();
    }

    private Optional<FaultSeries> fullDisk() throws Exception {
        return onSmallDisk(1, List.of(new Fault.FullDisk(FULL)));
    }

    private Optional<FaultSeries> clockJump() throws Exception {
        return byShiftedClock(
                1,
                List.of(
                        new Fault.ClockJump(HOUR, List.of()),
                        new Fault.ClockJump(HOUR.negated(), List.of(Victim.WORKER))));
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
        FaultReport report = new FaultReport(seed, busy, DOCUMENTS);
        List<Fault> faults = new ArrayList<>(kills(Integer.getInteger("tilewright.faults.kills", ALL_KILLS)));
        for (Victim victim : Victim.values()) {
            faults.add(new Fault.Stop(victim, STOP));
        }
        List<FaultSeries> all = new ArrayList<>();
        try (var _ = new BusyCores(busy)) {
            progress = series -> report.write("clock", series);
            byShiftedClock(UNDISTURBED, jumps()).ifPresentOrElse(all::add, () -> report.skipped(NO_CLOCK));
            place();
            progress = series -> report.write("disk", series);
            onSmallDisk(UNDISTURBED, Collections.nCopies(DISKS, new Fault.FullDisk(FULL)))
                    .ifPresentOrElse(all::add, () -> report.skipped(NO_DISK));
            place();
            progress = series -> report.write("processes", series);
            all.add(plain(UNDISTURBED, faults));
        }
        all.forEach(FaultSeries::assertNothingIsLost);
    }

    private List<Fault> kills(int count) {
        return Fault.Kill.drawn(random).limit(count).toList();
    }

    /** There and back, and what holds a promise dies after either. */
    private static List<Fault> jumps() {
        List<Fault> jumps = new ArrayList<>();
        for (List<Victim> killed : List.of(List.<Victim>of(), List.of(Victim.WORKER), List.of(Victim.API))) {
            jumps.add(new Fault.ClockJump(HOUR, killed));
            jumps.add(new Fault.ClockJump(HOUR.negated(), killed));
        }
        return jumps;
    }

    private FaultSeries plain(int undisturbed, List<Fault> faults) throws Exception {
        FaultSeries series = series(undisturbed, faults, new FaultStory(installation, random, null, null));
        FileSystemUtils.deleteRecursively(installation.home());
        return series;
    }

    private Optional<FaultSeries> onSmallDisk(int undisturbed, List<Fault> faults) throws Exception {
        Optional<SmallDisk> mounted = SmallDisk.over(installation.home());
        if (mounted.isEmpty()) {
            return Optional.empty();
        }
        try (SmallDisk disk = mounted.get()) {
            return Optional.of(series(undisturbed, faults, new FaultStory(installation, random, disk, null)));
        }
    }

    private Optional<FaultSeries> byShiftedClock(int undisturbed, List<Fault> faults) throws Exception {
        Optional<ShiftedClock> clock = ShiftedClock.in(installation.home().resolve("clock"));
        if (clock.isEmpty()) {
            return Optional.empty();
        }
        FaultSeries series = series(undisturbed, faults, new FaultStory(installation, random, null, clock.get()));
        FileSystemUtils.deleteRecursively(installation.home());
        return Optional.of(series);
    }

    private FaultSeries series(int undisturbed, List<Fault> faults, FaultStory story) throws Exception {
        FaultSeries series = new FaultSeries(new ArrayList<>(), new ArrayList<>());
        try (Supervisor supervisor = new Supervisor(installation, story.environment())) {
            installation.await("the service", installation::api);
            installation.await("the runner", installation::runner);
            for (int i = 0; i < undisturbed; i++) {
                series.undisturbed().add(story.undisturbed());
            }
            for (Fault fault : faults) {
                series.disturbed().add(story.of(fault));
                progress.told(series);
            }
            assertThat(supervisor.restarts())
                    .as("the service ends when it is killed, and not else")
                    .isEqualTo(
                            (int) faults.stream().filter(Fault::endsTheService).count());
        }
        installation.await("the end of every process", this::nobodyIsLeft);
        assertThat(installation.serviceFile()).doesNotExist();
        return series;
    }

    private Optional<Boolean> nobodyIsLeft() throws IOException {
        List<ProcessHandle> left = installation.processes().toList();
        if (!left.isEmpty()) {
            throw new IOException("still there: "
                    + left.stream()
                            .map(process -> process.pid() + " " + process.info())
                            .toList());
        }
        return Optional.of(true);
    }
}
