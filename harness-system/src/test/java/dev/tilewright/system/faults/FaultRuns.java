package dev.tilewright.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.PreparedHome;
import dev.tilewright.testing.Selection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.springframework.util.FileSystemUtils;

/**
 * Series of faults, each of which befalls an installation of its own.
 *
 * @param seed of all that is drawn: problems, moments and victims
 */
record FaultRuns(long seed, SplittableRandom random) {

    static final String NO_DISK = "full disk: not run, because this user may not mount a small filesystem";
    static final String NO_CLOCK = "clock jumps: not run, because there is no C compiler `cc`";
    static final Duration FULL = Duration.ofSeconds(25);
    static final Duration HOUR = Duration.ofHours(1);

    /** Who is told of a series after each of its sweeps. */
    interface Progress {
        void told(FaultSeries series) throws IOException;
    }

    /** The same kills in each run, unless a seed is given. */
    static FaultRuns drawn() {
        long seed = Selection.seed();
        System.out.println("faults: -Ddraws.seed=" + seed);
        return new FaultRuns(seed, new SplittableRandom(seed));
    }

    /** What is done with an installation; what it leaves behind is ended. */
    private interface Run<T> {
        T on(Installation installation) throws Exception;
    }

    private static <T> T placed(Run<T> run) throws Exception {
        Installation installation = Installation.placed("faults");
        try {
            return run.on(installation);
        } finally {
            installation.destroy();
        }
    }

    FaultSeries plain(int undisturbed, List<Fault> faults, Progress progress) throws Exception {
        return placed(installation -> {
            FaultStory story = new FaultStory(installation, FaultStory.TRIALS, random, null, null);
            FaultSeries series = series(story, undisturbed, faults, progress);
            FileSystemUtils.deleteRecursively(installation.home());
            return series;
        });
    }

    /** Small sweeps, the first of them undisturbed, in a home that is prepared. */
    FaultSeries sample(List<Fault> faults) throws Exception {
        return placed(installation -> {
            PreparedHome.make(installation.home());
            FaultStory story = new FaultStory(installation, FaultStory.FEW_TRIALS, random, null, null);
            FaultSeries series = series(story, 1, faults, _ -> {});
            FileSystemUtils.deleteRecursively(installation.home());
            return series;
        });
    }

    /** Empty where no disk can be made. */
    Optional<FaultSeries> onSmallDisk(int undisturbed, List<Fault> faults, Progress progress) throws Exception {
        return placed(installation -> {
            Optional<SmallDisk> mounted = SmallDisk.over(installation.home());
            if (mounted.isEmpty()) {
                return Optional.empty();
            }
            try (SmallDisk disk = mounted.get()) {
                FaultStory story = new FaultStory(installation, FaultStory.TRIALS, random, disk, null);
                return Optional.of(series(story, undisturbed, faults, progress));
            }
        });
    }

    /** Empty where no clock can be made. */
    Optional<FaultSeries> byShiftedClock(int undisturbed, List<Fault> faults, Progress progress) throws Exception {
        return placed(installation -> {
            Optional<ShiftedClock> clock = ShiftedClock.in(installation.home().resolve("clock"));
            if (clock.isEmpty()) {
                return Optional.empty();
            }
            FaultStory story = new FaultStory(installation, FaultStory.TRIALS, random, null, clock.get());
            FaultSeries series = series(story, undisturbed, faults, progress);
            FileSystemUtils.deleteRecursively(installation.home());
            return Optional.of(series);
        });
    }

    private static FaultSeries series(FaultStory story, int undisturbed, List<Fault> faults, Progress progress)
            throws Exception {
        Installation installation = story.installation();
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
        installation.await("the end of every process", () -> nobodyIsLeft(installation));
        assertThat(installation.serviceFile()).doesNotExist();
        return series;
    }

    private static Optional<Boolean> nobodyIsLeft(Installation installation) throws IOException {
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
