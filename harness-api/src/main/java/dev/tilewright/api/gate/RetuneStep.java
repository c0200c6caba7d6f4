package dev.tilewright.api.gate;

import dev.tilewright.api.task.TaskRow;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.gate.document.Retune;

/** The next step of a run whose cases are tuned again. */
sealed interface RetuneStep {

    /** Nothing before something else has happened. */
    record Wait() implements RetuneStep {}

    /** A job is to look for the fastest kernel of a case, for at most so long. */
    record Tune(GateCaseRow gateCase, int seconds) implements RetuneStep {}

    /** A found kernel is to be timed beside the baseline. */
    record Time(GateCaseRow gateCase, GateKernel fastest) implements RetuneStep {}

    /** It was timed. */
    record Take(GateCaseRow gateCase, StageRow stage, TaskRow task) implements RetuneStep {}

    /** Nothing more is needed to know what came of it. */
    record End(GateCaseRow gateCase, Retune retune) implements RetuneStep {}

    /** All cases know. */
    record Done() implements RetuneStep {}
}
