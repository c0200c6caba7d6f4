package dev.tilewright.worker.cli.gate;

import dev.tilewright.gate.document.GateRun;
import dev.tilewright.model.text.Count;
import dev.tilewright.worker.cli.Connection;
import dev.tilewright.worker.cli.RedrawnLine;
import dev.tilewright.worker.cli.Terminal;
import dev.tilewright.worker.cli.Waiting;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;

/** Follows a run to its end, with a line that says how far it is; whoever ends the process before cancels the run. */
final class GateFollow {

    static final String RUNS = "/api/v1/gate-runs/";
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Connection connection;
    private final Waiting waiting;
    private final PrintStream notices;
    private final RedrawnLine line;
    private final boolean redraws;
    private String shown = "";

    /** @param terminal behind {@code notices} */
    GateFollow(Connection connection, Waiting waiting, PrintStream notices, Terminal terminal, Clock clock) {
        this.connection = connection;
        this.waiting = waiting;
        this.notices = notices;
        this.line = new RedrawnLine(new PrintWriter(notices, true), terminal, clock);
        this.redraws = terminal.redraws();
    }

    GateRun toItsEnd(UUID id) throws ApiRefusedException, InterruptedException {
        connection.onInterrupt(() -> connection.cancel(RUNS + id, "run " + id, notices));
        try {
            while (true) {
                GateRun run = connection.send(api -> api.get(RUNS + id, GateRun.class));
                show(run);
                if (run.state().isOver()) {
                    return run;
                }
                waiting.look(run.state() == GateRun.State.QUEUED);
                Thread.sleep(PAUSE);
            }
        } finally {
            connection.onInterrupt(() -> {});
            line.clear();
        }
    }

    /**
     * The same run once nothing of it is tuned again any more. Its verdict is known: whatever goes wrong here changes
     * nothing of it, and whoever ends the process has nothing tuned again any more.
     */
    GateRun untilTuned(GateRun run) throws InterruptedException {
        connection.onInterrupt(
                () -> connection.cancel(RUNS + run.id(), "what is tuned again of run " + run.id(), notices));
        try {
            notices.println("gate " + run.gate() + ": its verdict stands; what failed is tuned again");
            GateRun known = run;
            while (known.isRetuning()) {
                line.show("gate " + run.gate() + ": tuned again");
                Thread.sleep(PAUSE);
                known = connection.send(api -> api.get(RUNS + run.id(), GateRun.class));
            }
            return known;
        } catch (ApiRefusedException | CommandFailedException lost) {
            line.clear();
            notices.println("what is tuned again is not followed any more: " + lost.getMessage());
            return run;
        } finally {
            line.clear();
            connection.onInterrupt(() -> {});
        }
    }

    private void show(GateRun run) {
        // Verdicts come all at once, when the sentinels are measured.
        long measured =
                run.cases().stream().filter(one -> !one.stages().isEmpty()).count();
        String words = "gate " + run.gate() + ": " + run.state() + ", " + measured + " of "
                + Count.of(run.cases().size(), "case") + " measured";
        if (redraws) {
            line.show(
                    (double) measured / Math.max(1, run.cases().size()),
                    words + String.format(Locale.ROOT, ", %.1f s of GPU time", run.gpuSeconds()));
        } else if (!words.equals(shown)) {
            notices.println(words);
            shown = words;
        }
    }
}
