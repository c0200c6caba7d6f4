package dev.tilewright.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedFinal;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Work;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code tilewright schedulers} against a service whose GPU answers from a script. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class SchedulersIT {

    @TempDir
    private Path folder;

    /** With all SMs static is the fastest, with 16 busy ones atomic is: by screens, and by the order of the final. */
    @Test
    void eachSchedulerIsTunedAndTimedBesideTheOthers() throws Exception {
        List<Work.Final> finals = new CopyOnWriteArrayList<>();
        try (Service service = RunningService.start(Map.of("db-scheduler.enabled", "false"))) {
            ScriptedWorker worker = ScriptedWorker.cuda(service.api(), 0);
            LaunchedVerb verb = LaunchedVerb.start(
                    folder,
                    160,
                    "schedulers",
                    "--shape",
                    "1024x768x512",
                    "--busy-sms",
                    "0-16/16",
                    "--trials",
                    "12",
                    "--device",
                    "cuda:0",
                    "--api",
                    service.api().uri("/").toString());
            int exit = verb.toItsEnd(() -> worker.workOff((lease, done) -> switch (lease.work()) {
                case Work.Screen screen -> worker.completed(lease, ns(lease, screen) + done);
                case Work.Final race -> {
                    finals.add(race);
                    yield new ScriptedFinal(10_000, 500, 0).report(lease, race);
                }
                case Work.Run run -> throw new AssertionError(run);
            }));
            String said = verb.said();
            assertThat(exit).as(said).isZero();
            assertThat(said)
                    .contains("each tile scheduler tuned on its own")
                    .contains(
                            "static leads up to 0 busy SMs, atomic from 16 on",
                            "at 16: atomic is faster than static by 20.0 %");
            assertThat(said.lines().filter(line -> line.startsWith(" single ")))
                    .singleElement()
                    .asString()
                    .containsSubsequence("0.714 [", "0.714 [");
        }
        assertThat(finals).hasSize(2).allSatisfy(race -> {
            assertThat(race.contenders())
                    .as("as many of each scheduler")
                    .hasSize(12)
                    .extracting(Work.Contender::team)
                    .containsExactly(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2);
            assertThat(race.finalists()).as("all of them are timed to the end").isGreaterThanOrEqualTo(12);
        });
    }

    private static double ns(Lease lease, Work.Screen screen) {
        boolean busy = lease.problem().scenario().busySms() > 0;
        return switch (screen.config().name("scheduler")) {
            case "static" -> busy ? 15_000 : 10_000;
            case "atomic" -> busy ? 10_000 : 15_000;
            default -> 20_000;
        };
    }
}
