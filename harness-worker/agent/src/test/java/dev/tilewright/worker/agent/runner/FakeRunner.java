package dev.tilewright.worker.agent.runner;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.device.ClusterDeal;
import dev.tilewright.worker.link.CborChannel;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** A runner without a GPU; the seed of a trial says what happens to it. */
public final class FakeRunner {

    static final long GOOD = 1;
    static final long HANGS = 2;
    static final long DIES = 3;
    static final long KILLED_FROM_OUTSIDE = 4;
    static final long FAULTS = 5;
    static final long SPEAKS_NONSENSE = 6;
    /** Kills the runner, and no runner after it finds its GPU in order. */
    static final long BREAKS_THE_GPU = 7;

    static final long FAILS = 8;

    /** Dies the first time while it makes the next trial ready. */
    static final long DIES_AHEAD = 9;

    /** Hangs likewise. */
    static final long HANGS_AHEAD = 10;

    /** A final beside this peer does not end. */
    static final String ENDLESS_PEER = "endless";

    /** The runner of a final beside this peer is killed, the first time. */
    static final String KILLED_PEER = "killed";

    /** A peer's kernel of this name faults in a final: the runner says so. */
    static final String FAULTING_RIVAL = "faulting";

    /** It ends the runner. */
    static final String DEADLY_RIVAL = "deadly";

    /** It ends the runner, and no runner after it finds its GPU in order. */
    static final String RIVAL_THAT_BREAKS_THE_GPU = "breaking";

    /** The file that says that what does not end has begun. */
    static final String BEGUN = "begun";

    /** How the fake GPU deals clusters out. */
    static final Map<Integer, ClusterDeal> DEALS =
            Map.of(2, new ClusterDeal(4, 8, 4, 7, 4), 4, new ClusterDeal(0, 8, 2, 7, 2));

    static final long DEADLY_SEED = 666;

    private FakeRunner() {}

    /** The body of a runner: a process, or a thread that plays one. */
    interface Body {
        void send(RunnerReply reply) throws IOException;

        /** Waits for the next request; empty when there will be none. */
        Optional<RunnerRequest> receive() throws IOException, InterruptedException;

        /** Ends the runner by its own fault, with an exit code and its last words. Does not return. */
        void die(int code, String words);

        /** Somebody else kills the runner. Does not return. */
        void dieByOthers() throws IOException, InterruptedException;

        /** Never returns. */
        void hang() throws IOException, InterruptedException;
    }

    /** A runner that is a process of its own. */
    private record OfProcess(CborChannel<RunnerReply, RunnerRequest> channel) implements Body {

        @Override
        public void send(RunnerReply reply) throws IOException {
            channel.send(reply);
        }

        @Override
        public Optional<RunnerRequest> receive() throws IOException {
            return channel.receive();
        }

        @Override
        public void die(int code, String words) {
            System.err.println(words);
            Runtime.getRuntime().halt(code);
        }

        @Override
        public void dieByOthers() throws IOException, InterruptedException {
            new ProcessBuilder(
                            "kill", "-9", Long.toString(ProcessHandle.current().pid()))
                    .start()
                    .waitFor();
            new CountDownLatch(1).await();
        }

        /** With a child of the child, which has to go with it. */
        @Override
        public void hang() throws IOException, InterruptedException {
            new ProcessBuilder("sleep", "1000").inheritIO().start();
            new CountDownLatch(1).await();
        }
    }

    /** Arguments: a directory; see {@link #run}. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path directory = Path.of(arguments[0]);
        Files.writeString(directory.resolve("run-" + ProcessHandle.current().pid()), "");
        CborChannel<RunnerReply, RunnerRequest> host = CborChannel.ofStandardStreams(RunnerRequest.class);
        System.out.println("what a library prints does not tear a message");
        run(new OfProcess(host), directory);
    }

    /** Answers requests until there are no more; a file {@code broken} in the directory is a broken GPU. */
    static void run(Body body, Path directory) throws IOException, InterruptedException {
        body.send(new RunnerReply.Ready(
                TestbedKind.CUDA, "fake GPU", "1.0", 132, "factory", DEALS, Map.of(4, 31), "sm_90", null));
        for (Optional<RunnerRequest> request = body.receive(); request.isPresent(); request = body.receive()) {
            body.send(
                    switch (request.get()) {
                        case RunnerRequest.Probe _ ->
                            Files.exists(directory.resolve("broken"))
                                    ? new RunnerReply.Failed("ECC error")
                                    : new RunnerReply.Healthy();
                        case RunnerRequest.RunTrial trial -> {
                            body.send(new RunnerReply.Phase("verify"));
                            yield trial(body, trial, directory);
                        }
                        case RunnerRequest.Prepare _ -> new RunnerReply.Prepared();
                        case RunnerRequest.Predict _, RunnerRequest.Prove _ ->
                            new RunnerReply.Failed("a fake GPU predicts and proves nothing");
                        case RunnerRequest.RunTask task -> task(body, task, directory);
                        case RunnerRequest.RunTurns turns -> {
                            if (turns.seed() == DEADLY_SEED) {
                                body.die(77, "CUDA_ERROR_ILLEGAL_ADDRESS");
                            }
                            List<Report.Arm> arms = turns.kernels().stream()
                                    .map(entrant -> arm(entrant, false))
                                    .toList();
                            yield new RunnerReply.FinalDone(FinalResult.failed(arms, "in turns"));
                        }
                        case RunnerRequest.RunFinal last -> {
                            if (last.peers().contains(ENDLESS_PEER)) {
                                Files.writeString(directory.resolve(BEGUN), "");
                                body.hang();
                            }
                            if (last.peers().contains(KILLED_PEER)) {
                                dieTheFirstTime(body, directory);
                            }
                            body.send(new RunnerReply.Phase("contend"));
                            body.send(new RunnerReply.Phase(RunnerReply.Phase.FINAL));
                            yield new RunnerReply.FinalDone(FinalResult.failed(
                                    arms(body, last, directory), last.peers().toString()));
                        }
                    });
        }
    }

    /** All complete, unless one of them brings down the GPU. */
    private static List<Report.Arm> arms(Body body, RunnerRequest.RunFinal last, Path directory) throws IOException {
        List<String> rivals =
                last.rivals().stream().map(RunnerRequest.Entrant::name).toList();
        if (rivals.contains(RIVAL_THAT_BREAKS_THE_GPU)) {
            Files.writeString(directory.resolve("broken"), "");
        }
        if (rivals.contains(RIVAL_THAT_BREAKS_THE_GPU) || rivals.contains(DEADLY_RIVAL)) {
            body.die(77, "");
        }
        boolean faults = rivals.contains(FAULTING_RIVAL);
        return Stream.concat(last.arms().stream(), last.rivals().stream())
                .map(entrant -> arm(entrant, faults))
                .toList();
    }

    private static Report.Arm arm(RunnerRequest.Entrant entrant, boolean faults) {
        TrialOutcome outcome = !faults
                ? TrialOutcome.COMPLETED
                : entrant.name().equals(FAULTING_RIVAL) ? TrialOutcome.CRASH : TrialOutcome.INFRASTRUCTURE;
        return new Report.Arm(
                entrant.name(),
                entrant.trialId(),
                entrant.family(),
                entrant.config(),
                outcome,
                null,
                List.of(),
                outcome == TrialOutcome.CRASH ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "");
    }

    /** Says how many kernels it got; a task with the seed {@link #DEADLY_SEED} ends the runner. */
    private static RunnerReply task(Body body, RunnerRequest.RunTask task, Path directory)
            throws IOException, InterruptedException {
        if (task.task().seed() == DEADLY_SEED) {
            dieTheFirstTime(body, directory);
        }
        return new RunnerReply.TaskDone(
                new GpuTaskResult.Failed("a fake GPU got " + task.kernels().size() + " kernels"));
    }

    /** By a signal of somebody else. */
    private static void dieTheFirstTime(Body body, Path directory) throws IOException, InterruptedException {
        Path once = directory.resolve("killed");
        if (!Files.exists(once)) {
            Files.writeString(once, "");
            body.dieByOthers();
        }
    }

    private static RunnerReply trial(Body body, RunnerRequest.RunTrial trial, Path directory)
            throws IOException, InterruptedException {
        if (trial.seed() == DIES_AHEAD || trial.seed() == HANGS_AHEAD) {
            Path once = directory.resolve("ahead");
            if (!Files.exists(once)) {
                Files.writeString(once, "");
                body.send(new RunnerReply.Phase(RunnerReply.Phase.AHEAD));
                if (trial.seed() == HANGS_AHEAD) {
                    body.hang();
                }
                body.die(77, "");
            }
        }
        if (trial.seed() == HANGS) {
            Files.writeString(directory.resolve(BEGUN), "");
            body.hang();
        }
        if (trial.seed() == BREAKS_THE_GPU) {
            Files.writeString(directory.resolve("broken"), "");
        }
        if (trial.seed() == DIES || trial.seed() == BREAKS_THE_GPU) {
            body.die(77, "CUDA_ERROR_ILLEGAL_ADDRESS");
        }
        if (trial.seed() == KILLED_FROM_OUTSIDE) {
            dieTheFirstTime(body, directory);
        }
        if (trial.seed() == SPEAKS_NONSENSE) {
            return new RunnerReply.Healthy();
        }
        if (trial.seed() == FAILS) {
            return new RunnerReply.Failed("out of device memory");
        }
        TrialOutcome outcome = trial.seed() == FAULTS ? TrialOutcome.CRASH : TrialOutcome.COMPLETED;
        return new RunnerReply.TrialDone(new TrialResult(
                outcome,
                0.25,
                new Executed(trial.kernel().launch().orElseThrow().grid().x(), 1, 128),
                List.of(new Measurement(Mode.SUSTAINED, Stage.SCREEN, 3, 15, 1e5, 9e4, 1.1e5, 1980.0)),
                null,
                null,
                Map.of("verify", 5L),
                told(trial.kernel())));
    }

    private static String told(Kernel kernel) {
        return switch (kernel) {
            case Kernel.Assembled assembled -> "cubin of " + assembled.cubin().bytes().length + " bytes";
            case Kernel.OfLibrary(String family, var _) -> "of " + family;
        };
    }
}
