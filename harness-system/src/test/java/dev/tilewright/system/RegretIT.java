package dev.tilewright.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedFinal;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult.CompareVerdict;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.GpuTaskResult.ComparedSide;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.AskedSpace;
import dev.tilewright.space.sm90.Sm90GemmSpace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code tilewright tune --regret} against a service whose GPU answers from a script. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RegretIT {

    @TempDir
    private Path folder;

    private @Nullable UUID ofRange;

    /**
     * The verb with a seed, for the GPU of the script.
     *
     * @param options with blanks between them
     * @param more options, which may have blanks
     */
    private LaunchedVerb tune(Service service, String options, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of("tune"));
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of(more));
        command.addAll(List.of("--seed", "5", "--device", "cuda:0"));
        command.addAll(List.of("--api", service.api().uri("/").toString()));
        return LaunchedVerb.start(folder, 240, command.toArray(String[]::new));
    }

    /** A full tune finds tiles of 64 columns, which no kernel of the table has: its screens are slow in the range. */
    @Test
    void theTableIsRacedBesideAFullTuneOfDrawnRows() throws Exception {
        List<GpuTask.Compare> races = new CopyOnWriteArrayList<>();
        try (Service service = RunningService.start(Map.of("db-scheduler.enabled", "false"))) {
            ScriptedWorker worker = ScriptedWorker.cuda(service.api(), 0);
            LaunchedVerb verb = tune(
                    service,
                    "--shape 1-8x256x128 --set scheduler=static --set swapAB=0 --set tileN=16,64 --trials 8 --regret 3",
                    "--markdown",
                    folder.resolve("report.md").toString());
            int exit = verb.toItsEnd(() -> worker.workOff((lease, done) -> report(worker, lease, done, races)));
            String said = verb.said();
            assertThat(exit).as(said).isZero();
            assertThat(said)
                    .contains("1-8x256x128 bf16, sm90-gemm on ", ": the table beside a full tune of each M")
                    .containsPattern("(?m)^ +M +the table's kernel +best of a full tune +its us +longer by$")
                    .contains(
                            "regret at 3 M, some of which took part in the choice, beside the best of a full tune of each,"
                                    + " raced in pairs: median 25.0 %, 95th percentile 25.0 %, worst 25.0 % at M = ");
            assertThat(said.lines().filter(line -> line.endsWith("25.0 % [23.5, 26.6]")))
                    .hasSize(3);
            assertThat(folder.resolve("report.md"))
                    .content()
                    .startsWith("# Tuned GEMMs, ")
                    .endsWith("% at M = " + said.strip().replaceAll("(?s).*at M = ", "") + "\n```\n");
        }
        assertThat(races).hasSize(3);
        assertThat(races.stream().map(race -> race.problem().shape().m()).distinct())
                .hasSize(3);
    }

    /**
     * In the range tiles of 16 rows are fastest, which no search tries for more rows than that. The space of the most
     * rows lacks clusterK, with which the table names all of its kernels.
     */
    @Test
    void aKernelThatNoSearchTriesForTheDrawnRowsIsRaced() throws Exception {
        List<GpuTask.Compare> races = new CopyOnWriteArrayList<>();
        try (Service service = RunningService.start(Map.of("db-scheduler.enabled", "false"))) {
            ScriptedWorker worker = ScriptedWorker.cuda(service.api(), 0);
            LaunchedVerb verb = tune(
                    service, "--shape 14-24x49152x128 --set scheduler=static --set tileN=64 --trials 6 --regret 5");
            int exit = verb.toItsEnd(() -> worker.workOff((lease, done) -> low(worker, lease, done, races)));
            String said = verb.said();
            assertThat(exit).as(said).isZero();
            assertThat(said).doesNotContain("no race").contains("regret at 5 M");
        }
        assertThat(races).anySatisfy(race -> {
            Config table = ((GpuTask.Side.Own) race.first()).config();
            AskedSpace asked = AskedSpace.of(new Sm90GemmSpace(), race.problem(), DeviceLimits.of(132));
            assertThat(asked.untried(table)).isPresent();
        });
    }

    private Report low(ScriptedWorker worker, Lease lease, int done, List<GpuTask.Compare> races) {
        if (ofRange == null) {
            ofRange = lease.jobId();
        }
        return switch (lease.work()) {
            case Work.Screen screen -> {
                boolean low = screen.config().whole("tileM") == 16;
                boolean full = !Objects.equals(ofRange, lease.jobId());
                yield worker.completed(lease, (low == full ? 20_000 : 10_000) + done);
            }
            case Work.Final race -> new ScriptedFinal(10_000, 500, 0).report(lease, race);
            case Work.Run(GpuTask.Compare race) -> {
                races.add(race);
                yield new Report.Ran(lease.fence(), raced(true));
            }
            case Work.Run other -> throw new AssertionError(other);
        };
    }

    /** The first job is the range's. */
    private Report report(ScriptedWorker worker, Lease lease, int done, List<GpuTask.Compare> races) {
        if (ofRange == null) {
            ofRange = lease.jobId();
        }
        boolean full = !Objects.equals(ofRange, lease.jobId());
        return switch (lease.work()) {
            case Work.Screen screen ->
                worker.completed(lease, (isNarrow(screen.config()) == full ? 10_000 : 20_000) + done);
            case Work.Final race -> new ScriptedFinal(10_000, 500, 0).report(lease, race);
            case Work.Run(GpuTask.Compare race) -> {
                races.add(race);
                yield new Report.Ran(lease.fence(), raced(race));
            }
            case Work.Run other -> throw new AssertionError(other);
        };
    }

    private static boolean isNarrow(Config config) {
        return config.whole("tileN") == 64;
    }

    private static boolean isNarrow(GpuTask.Side side) {
        return side instanceof GpuTask.Side.Own own && isNarrow(own.config());
    }

    /** The table's kernel, which is not narrow, has 0.8 of the speed. */
    private static Compared raced(GpuTask.Compare race) {
        return raced(!isNarrow(race.first()) && isNarrow(race.second()));
    }

    private static Compared raced(boolean tableFirst) {
        return new Compared(
                tableFirst ? CompareVerdict.SLOWER : CompareVerdict.FASTER,
                tableFirst ? new Ratio(0.8, 0.79, 0.81, 20) : new Ratio(1.25, 1.23, 1.27, 20),
                new ComparedSide("first", TrialOutcome.COMPLETED, 0.2, "", null),
                new ComparedSide("second", TrialOutcome.COMPLETED, 0.2, "", null),
                List.of(),
                List.of(),
                List.of(),
                null,
                0.5,
                "calm");
    }
}
