package dev.tilewright.worker.agent.runner;

import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.link.process.Answer;
import dev.tilewright.worker.link.process.ChildCommand;
import dev.tilewright.worker.link.process.ChildLink;
import dev.tilewright.worker.link.process.ExitStatus;
import dev.tilewright.worker.link.process.LinkedChild;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a runner alive: starts it, passes it requests, kills it when it is overdue, starts it again and has it probe
 * its device with a known-good kernel before anything else. Used by one thread at a time; only {@link #close} and
 * {@link #strike} may come from another one.
 */
public final class RunnerHost implements AutoCloseable {

    private static final Logger LOG = System.getLogger(RunnerHost.class.getName());

    private final ChildLink.Starter<RunnerRequest, RunnerReply> starter;
    private final RunnerLimits limits;
    private volatile @Nullable ChildLink<RunnerRequest, RunnerReply> child;
    private RunnerReply.@Nullable Ready ready;
    /** The request queued behind the one that the runner works on, or worked on last; it ends with the runner. */
    private @Nullable Following queued;

    private volatile boolean closed;

    /** A host of runners that are processes. */
    public RunnerHost(ChildCommand command, RunnerLimits limits) {
        this(
                () -> LinkedChild.start(
                        command, RunnerReply.class, line -> LOG.log(Level.INFO, command.name() + ": " + line)),
                limits);
    }

    RunnerHost(ChildLink.Starter<RunnerRequest, RunnerReply> starter, RunnerLimits limits) {
        this.starter = starter;
        this.limits = limits;
    }

    /**
     * A request that the runner gets before it has answered the one at hand.
     *
     * @param limit of its own work, counted from the answer before it
     */
    public record Following(RunnerRequest request, Duration limit) {}

    /** The outcome of a request. */
    public sealed interface Outcome {

        /** The runner answered; never a {@code Phase}. */
        record Answered(RunnerReply reply) implements Outcome {}

        /**
         * The runner ended while it worked on the request.
         *
         * @param phase it was in
         */
        record Died(ExitStatus status, String phase, String stderr) implements Outcome {}

        /** The runner was killed, because it did not answer in time. */
        record Hung(Duration limit, String phase, String stderr) implements Outcome {}
    }

    /**
     * The runner's description of its device; starts the runner if it is not there.
     *
     * @throws DeviceUnusableException if it cannot be started, or its device fails the known-good kernel
     */
    public RunnerReply.Ready ready() throws DeviceUnusableException {
        RunnerReply.Ready known = ready;
        ChildLink<RunnerRequest, RunnerReply> current = child;
        if (known != null && current != null && current.isAlive()) {
            return known;
        }
        if (closed) {
            throw new DeviceUnusableException("the worker is stopping");
        }
        return start();
    }

    private RunnerReply.Ready start() throws DeviceUnusableException {
        ChildLink<RunnerRequest, RunnerReply> fresh;
        try {
            fresh = starter.start();
        } catch (IOException cannotStart) {
            throw new DeviceUnusableException("the runner cannot be started: " + cannotStart.getMessage());
        }
        child = fresh;
        queued = null;
        Answer<RunnerReply> word = fresh.receive(limits.start());
        if (!(word instanceof Answer.Message<RunnerReply>(RunnerReply.Ready first))) {
            discard();
            throw new DeviceUnusableException(notReady(word));
        }
        fresh.send(new RunnerRequest.Probe());
        Outcome probe = await(fresh, limits.probe(), _ -> {});
        if (!(probe instanceof Outcome.Answered(RunnerReply.Healthy _))) {
            discard();
            throw new DeviceUnusableException("the device failed a known-good kernel: " + words(probe));
        }
        ready = first;
        return first;
    }

    private static String notReady(Answer<RunnerReply> word) {
        return switch (word) {
            case Answer.Message<RunnerReply>(RunnerReply.Unusable(String why)) -> why;
            case Answer.Message<RunnerReply>(RunnerReply other) -> "the runner began with " + other;
            case Answer.Gone<RunnerReply>(ExitStatus status, String stderr) ->
                "the runner ended with " + status + " before it was ready: " + stderr;
            case Answer.Overdue<RunnerReply>(Duration limit, String stderr) ->
                "the runner was not ready within " + limit.toSeconds() + " s: " + stderr;
        };
    }

    private static String words(Outcome probe) {
        return switch (probe) {
            case Outcome.Answered(RunnerReply.Failed(String reason)) -> reason;
            case Outcome.Answered(RunnerReply other) -> "the runner answered " + other;
            case Outcome.Died(ExitStatus status, String phase, String stderr) ->
                "the runner ended with " + status + " in phase " + phase + ": " + stderr;
            case Outcome.Hung(Duration limit, String phase, String stderr) ->
                "no answer within " + limit.toSeconds() + " s in phase " + phase + ": " + stderr;
        };
    }

    /**
     * Passes a request. After a death or a hang the next call starts another runner. Passes on, too, what is going to
     * be asked for next, so that the runner need not wait for it. Its first steps may be taken before this request is
     * answered. It is forgotten with the runner if that ends: then it counts as not tried, and asking for it sends it
     * again.
     *
     * @param next {@code null} if it is not known
     */
    public Outcome request(RunnerRequest request, Duration limit, @Nullable Following next)
            throws DeviceUnusableException {
        return request(request, limit, next, _ -> {});
    }

    /**
     * The same, and says which phase of the request the runner enters.
     *
     * @param phases returns at once
     */
    Outcome request(RunnerRequest request, Duration limit, @Nullable Following next, Consumer<String> phases)
            throws DeviceUnusableException {
        makeReady(request);
        ChildLink<RunnerRequest, RunnerReply> current = child;
        if (current == null) {
            throw new DeviceUnusableException("the worker is stopping");
        }
        boolean sent = queued != null || current.send(request);
        queued = sent && next != null && current.send(next.request()) ? next : null;
        Outcome outcome = await(current, limit, phases);
        switch (outcome) {
            case Outcome.Answered _ -> {}
            case Outcome.Died _, Outcome.Hung _ -> discard();
        }
        return outcome;
    }

    /**
     * Until a request can be passed: the runner is there, and at nothing else.
     *
     * @throws DeviceUnusableException if there is no runner to be had
     */
    void makeReady(RunnerRequest request) throws DeviceUnusableException {
        ready();
        leave(request);
        ready();
    }

    /** Whether the runner has a request that was not asked for yet. */
    boolean hasNext() {
        return queued != null;
    }

    /** Waits for what was queued and is asked for no more, since its answer comes first. */
    private void leave(RunnerRequest wanted) {
        Following last = queued;
        ChildLink<RunnerRequest, RunnerReply> current = child;
        if (last == null || current == null || last.request().equals(wanted)) {
            return;
        }
        queued = null;
        switch (await(current, last.limit(), _ -> {})) {
            case Outcome.Answered(RunnerReply.TrialDone(TrialResult result))
            when result.outcome() != TrialOutcome.CRASH -> {}
            case Outcome.Answered _, Outcome.Died _, Outcome.Hung _ -> discard();
        }
    }

    private Outcome await(ChildLink<RunnerRequest, RunnerReply> runner, Duration limit, Consumer<String> phases) {
        long deadline = System.nanoTime() + limit.toNanos();
        String phase = "start";
        Answer<RunnerReply> answer = runner.receive(limit);
        while (answer instanceof Answer.Message<RunnerReply>(RunnerReply.Phase(String name))) {
            phase = name;
            phases.accept(name);
            answer = runner.receive(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
        }
        return switch (answer) {
            case Answer.Message<RunnerReply>(RunnerReply reply) -> new Outcome.Answered(reply);
            case Answer.Gone<RunnerReply>(ExitStatus status, String stderr) -> new Outcome.Died(status, phase, stderr);
            case Answer.Overdue<RunnerReply>(Duration _, String stderr) -> new Outcome.Hung(limit, phase, stderr);
        };
    }

    /** Ends the runner now; the next request starts another one. */
    void discard() {
        ChildLink<RunnerRequest, RunnerReply> last = child;
        child = null;
        ready = null;
        queued = null;
        if (last != null) {
            last.kill();
        }
    }

    /** Kills the runner and does not wait for its end. The thread that waits for its answer sees the end. */
    void strike() {
        ChildLink<RunnerRequest, RunnerReply> last = child;
        if (last != null) {
            last.strike();
        }
    }

    @Override
    public void close() {
        closed = true;
        ChildLink<RunnerRequest, RunnerReply> last = child;
        if (last != null) {
            last.close();
        }
    }
}
