package dev.tilewright.worker.link.runner;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.device.ClusterDeal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A reply of the runner to its host. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = RunnerReply.Ready.class, name = "ready"),
    @JsonSubTypes.Type(value = RunnerReply.Unusable.class, name = "unusable"),
    @JsonSubTypes.Type(value = RunnerReply.Phase.class, name = "phase"),
    @JsonSubTypes.Type(value = RunnerReply.Prepared.class, name = "prepared"),
    @JsonSubTypes.Type(value = RunnerReply.Healthy.class, name = "healthy"),
    @JsonSubTypes.Type(value = RunnerReply.TrialDone.class, name = "trialDone"),
    @JsonSubTypes.Type(value = RunnerReply.FinalDone.class, name = "finalDone"),
    @JsonSubTypes.Type(value = RunnerReply.TaskDone.class, name = "taskDone"),
    @JsonSubTypes.Type(value = RunnerReply.Failed.class, name = "failed")
})
public sealed interface RunnerReply {

    /**
     * The first word of a runner that has its device.
     *
     * @param kind whether it is a GPU, a model or the emulator
     * @param device model of the GPU, such as {@code NVIDIA H200}
     * @param driver version of the driver, or of the model's constants, or the emulator's build
     * @param clockPolicy how clocks are governed, such as {@code factory}
     * @param deals how it deals clusters out, by the number of their CTAs; empty if that was not measured
     * @param resident how many clusters it has at a time, likewise
     * @param target of its cubins, such as {@code sm_90}; {@code null} of what loads none
     * @param uuid of the GPU, as NVML writes it; {@code null} of what is none
     */
    record Ready(
            TestbedKind kind,
            String device,
            String driver,
            int smCount,
            String clockPolicy,
            Map<Integer, ClusterDeal> deals,
            Map<Integer, Integer> resident,
            @Nullable String target,
            @Nullable String uuid)
            implements RunnerReply {

        /** Of a device that was not examined. */
        public Ready(TestbedKind kind, String device, String driver, int smCount, String clockPolicy) {
            this(kind, device, driver, smCount, clockPolicy, Map.of(), Map.of(), null, null);
        }
    }

    /** The first and last word of a runner that cannot use its device. */
    record Unusable(String reason) implements RunnerReply {}

    /**
     * The runner enters a phase of the request at hand: {@code load, reference, anchor, verify, measure, trace, peers,
     * contend, final}, or {@link #AHEAD}. Lets the host say where a runner was when it died.
     */
    record Phase(String name) implements RunnerReply {

        /** The phase in which the runner makes ready what was asked for next, while the request at hand runs. */
        public static final String AHEAD = "ahead";

        /** The last phase of a trial: its traced runs. */
        public static final String TRACE = "trace";

        /** The phase of a final in which the winners of its race are timed beside the peers. */
        public static final String FINAL = "final";
    }

    /** Answer to {@link RunnerRequest.Prepare}. */
    record Prepared() implements RunnerReply {}

    /** The known-good kernel gave the right result. */
    record Healthy() implements RunnerReply {}

    /** Answer to {@link RunnerRequest.RunTrial}, {@link RunnerRequest.Predict} and {@link RunnerRequest.Prove}. */
    record TrialDone(TrialResult result) implements RunnerReply {}

    /**
     * Answer to {@link RunnerRequest.RunFinal}: every arm, also those of the peers, with its blocks and ratios; and to
     * {@link RunnerRequest.RunTurns}.
     */
    record FinalDone(FinalResult result) implements RunnerReply {}

    /** Answer to {@link RunnerRequest.RunTask}. */
    record TaskDone(GpuTaskResult result) implements RunnerReply {}

    /** The runner itself failed at the request (out of memory, a bug, a library that is not there), not the kernel. */
    record Failed(String reason) implements RunnerReply {}
}
