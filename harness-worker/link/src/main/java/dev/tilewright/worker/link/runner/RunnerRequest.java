package dev.tilewright.worker.link.runner;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Mode;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A request of the host to the runner. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = RunnerRequest.Probe.class, name = "probe"),
    @JsonSubTypes.Type(value = RunnerRequest.Prepare.class, name = "prepare"),
    @JsonSubTypes.Type(value = RunnerRequest.RunTrial.class, name = "runTrial"),
    @JsonSubTypes.Type(value = RunnerRequest.Predict.class, name = "predict"),
    @JsonSubTypes.Type(value = RunnerRequest.Prove.class, name = "prove"),
    @JsonSubTypes.Type(value = RunnerRequest.RunFinal.class, name = "runFinal"),
    @JsonSubTypes.Type(value = RunnerRequest.RunTurns.class, name = "runTurns"),
    @JsonSubTypes.Type(value = RunnerRequest.RunTask.class, name = "runTask")
})
public sealed interface RunnerRequest {

    /** A request that only a runner with a GPU answers. */
    sealed interface OnGpu extends RunnerRequest {}

    /** Run a kernel that is known to be good and check what it wrote. Answer: {@link RunnerReply.Healthy}. */
    record Probe() implements RunnerRequest {}

    /** Make the data of a problem, which trials of it will ask for. Answer: {@link RunnerReply.Prepared}. */
    record Prepare(Problem problem, long seed) implements OnGpu {}

    /**
     * Verify, time, verify again, trace. Answer: {@link RunnerReply.TrialDone}.
     *
     * @param config of the kernel; with the problem it says how the trace is laid out
     * @param traced the twin that writes the records of its tiles; {@code null} if only the kernel itself is to run
     * @param anchor the kernel that is timed in the same blocks, sustained; {@code null} if there is none
     * @param seed of the input data
     * @param modes which are timed at stage {@code screen}
     */
    record RunTrial(
            Problem problem,
            Config config,
            Kernel kernel,
            @Nullable Kernel traced,
            @Nullable Kernel anchor,
            long seed,
            List<Mode> modes)
            implements OnGpu {

        /** Without an anchor. */
        public RunTrial(
                Problem problem, Config config, Kernel kernel, @Nullable Kernel traced, long seed, List<Mode> modes) {
            this(problem, config, kernel, traced, null, seed, modes);
        }
    }

    /**
     * Say what a launch would take; for a runner that has a model, which needs no kernel. Answer:
     * {@link RunnerReply.TrialDone}.
     *
     * @param seed of the small differences between tiles
     */
    record Predict(Problem problem, Config config, long seed) implements RunnerRequest {}

    /**
     * Say whether the kernel of a config is right; for a runner that has the emulator, which builds the text by itself.
     * Answer: {@link RunnerReply.TrialDone}.
     *
     * @param problem that was asked for; what is run in its place is the answer's to say
     * @param seed of the first run
     * @param seeds how many runs
     * @param accept rules of the emulator, by name, that the kernel may break
     * @param bundle zip of the bundle whose config it is; {@code null} for one of our families
     */
    record Prove(
            String family,
            Problem problem,
            Config config,
            long seed,
            int seeds,
            List<String> accept,
            byte @Nullable [] bundle)
            implements RunnerRequest {}

    /**
     * Race the arms until few are left, then time these beside the peers. Answer: {@link RunnerReply.FinalDone}.
     *
     * @param arms team by team
     * @param finalists how many of them reach the final at most
     * @param anchor the kernel that runs in races at the same clock, and beside a finalist that is alone; {@code null}
     *     if there is none
     * @param peers families whose kernels the runner finds by itself, such as the vendor's
     * @param rivals kernels of peers that the host has built; of no team
     * @param seed of the input data; another one than the screens had
     * @param peerSeconds of GPU in which more kernels of such peers may be looked for; 0 for none
     */
    record RunFinal(
            Problem problem,
            List<Entrant> arms,
            int finalists,
            @Nullable Kernel anchor,
            List<String> peers,
            List<Entrant> rivals,
            long seed,
            List<Mode> modes,
            double peerSeconds)
            implements OnGpu {

        /** With the peers' own choice of kernels. */
        public RunFinal(
                Problem problem,
                List<Entrant> arms,
                int finalists,
                @Nullable Kernel anchor,
                List<String> peers,
                List<Entrant> rivals,
                long seed,
                List<Mode> modes) {
            this(problem, arms, finalists, anchor, peers, rivals, seed, modes, 0);
        }

        /** Without rivals. */
        public RunFinal(
                Problem problem,
                List<Entrant> arms,
                int finalists,
                @Nullable Kernel anchor,
                List<String> peers,
                long seed,
                List<Mode> modes) {
            this(problem, arms, finalists, anchor, peers, List.of(), seed, modes);
        }
    }

    /**
     * Time kernels beside each other in the turns of a final: each runs in every turn, and none leaves. Answer:
     * {@link RunnerReply.FinalDone}, without ratios.
     *
     * @param kernels that compute the problem; each is verified before and after
     * @param seed of the input data, and of the order in a turn
     */
    record RunTurns(Problem problem, List<Entrant> kernels, long seed) implements OnGpu {}

    /**
     * Do what is no part of a study. Answer: {@link RunnerReply.TaskDone}.
     *
     * @param kernels those that the task wants built, in their order
     */
    record RunTask(GpuTask task, List<Kernel> kernels) implements OnGpu {}

    /**
     * A kernel that the host has built, which is timed beside others.
     *
     * @param name of the arm, unique among them
     * @param trialId {@code null} if it is of no trial
     * @param team the first of each team races for it; {@link #NO_TEAM} of a peer
     */
    record Entrant(String name, @Nullable UUID trialId, int team, String family, Config config, Kernel kernel) {

        public static final int NO_TEAM = -1;

        /** A kernel of a peer that the host has built. */
        public static Entrant rival(String name, String family, Config config, Kernel kernel) {
            return new Entrant(name, null, NO_TEAM, family, config, kernel);
        }
    }
}
