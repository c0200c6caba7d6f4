package dev.tilewright.worker.agent.runner;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.agent.device.PreparedFinal;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Kernels of peers that may have brought down the GPU in a final. Each has passed its trial, and is somebody else's.
 *
 * @param arms what is said of each, in the order of {@code rivals}
 * @param why they are suspected; empty if there are none
 */
record Suspects(List<PreparedFinal.Rival> rivals, List<Report.Arm> arms, String why) {

    /** The one that was at work if the runner could say it; all of them if the runner itself is gone. */
    static Suspects of(PreparedFinal work, FinalResult result) {
        List<String> crashed = result.arms().stream()
                .filter(arm -> arm.outcome() == TrialOutcome.CRASH)
                .map(Report.Arm::name)
                .toList();
        List<PreparedFinal.Rival> atWork = work.rivals().stream()
                .filter(rival -> crashed.contains(rival.name()))
                .toList();
        if (!atWork.isEmpty()) {
            return of(atWork, result, "brought down the GPU in a final, which was run again without it");
        }
        // A runner that lives tells of each arm, and blames at most one.
        boolean isGone = result.arms().stream().allMatch(Suspects::mayHaveEndedTheRunner);
        return of(
                isGone ? work.rivals() : List.of(),
                result,
                "ran in a final that ended its runner, and was run again without the kernels of peers");
    }

    private static boolean mayHaveEndedTheRunner(Report.Arm arm) {
        return arm.outcome() == TrialOutcome.CRASH || arm.outcome() == TrialOutcome.TIMEOUT;
    }

    private static Suspects of(List<PreparedFinal.Rival> rivals, FinalResult result, String what) {
        if (rivals.isEmpty()) {
            return new Suspects(List.of(), List.of(), "");
        }
        String why = rivals.stream().map(PreparedFinal.Rival::name).collect(Collectors.joining(", ")) + " " + what;
        return new Suspects(
                rivals, rivals.stream().map(rival -> left(rival, why, result)).toList(), why);
    }

    private static Report.Arm left(PreparedFinal.Rival rival, String why, FinalResult result) {
        String said = result.arms().stream()
                .filter(arm -> arm.name().equals(rival.name()))
                .map(Report.Arm::log)
                .findFirst()
                .orElse(result.log());
        return new Report.Arm(
                rival.name(),
                null,
                rival.family(),
                rival.config(),
                TrialOutcome.CRASH,
                null,
                List.of(),
                (why + "\n" + said).strip());
    }

    /** The final that was run without them, with them as arms that had to leave it. */
    FinalResult joined(FinalResult without) {
        return without.withArms(
                        Stream.concat(without.arms().stream(), arms.stream()).toList())
                .withLog((why + "\n" + without.log()).strip());
    }

    boolean isNone() {
        return rivals.isEmpty();
    }
}
