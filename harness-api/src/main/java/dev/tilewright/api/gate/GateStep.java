package dev.tilewright.api.gate;

import dev.tilewright.api.task.GpuAddress;
import dev.tilewright.api.task.TaskRow;
import dev.tilewright.gate.document.GateKernel;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The next step of a run. */
sealed interface GateStep {

    /** Nothing before something else has happened. */
    record Wait() implements GateStep {}

    /** A GPU has taken the first task: the run stays there. */
    record Bind(GpuAddress address, UUID taskId) implements GateStep {}

    /** A task is over. */
    record Take(GateCaseRow gateCase, StageRow stage, TaskRow task) implements GateStep {}

    /** Something was timed: the instrument is to be looked at. */
    record AddSentinels(CaseSpec of, GateKernel kernel) implements GateStep {}

    /** The next task. */
    record Ask(GateCaseRow gateCase, int number) implements GateStep {}

    /** Nobody offers a GPU that could go on with it, or somebody does again. */
    record Alone(@Nullable Instant since) implements GateStep {}

    /** All is there that a verdict takes. */
    record Finish() implements GateStep {}

    /** There will be no verdict. */
    record Fail(String error) implements GateStep {}
}
