package dev.tilewright.api.lease;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.GpuTaskResult.CompareVerdict;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.GpuTaskResult.ComparedSide;
import dev.tilewright.model.exchange.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Refuses a result that is none of its task, or whose numbers cannot be. */
final class TaskReportCheck {

    private TaskReportCheck() {}

    /** @throws ApiProblem 422 with everything that is wrong */
    static void require(GpuTask task, GpuTaskResult result) {
        List<Fault> faults = new ArrayList<>();
        switch (result) {
            case GpuTaskResult.Failed(String reason) -> {
                if (reason.isBlank()) {
                    faults.add(new Fault("/result/reason", "must not be blank"));
                }
            }
            case Compared compared when task instanceof GpuTask.Compare -> compared(compared, faults);
            case GpuTaskResult.CheckedText _ when task instanceof GpuTask.CheckText -> {
                // What the emulator says of a text are words.
            }
            case Compared _, GpuTaskResult.CheckedText _ ->
                faults.add(new Fault("/result/type", "is that of another kind of task"));
        }
        ApiProblem.requireNone(faults);
    }

    private static void compared(Compared compared, List<Fault> faults) {
        if (Set.of(CompareVerdict.FASTER, CompareVerdict.SLOWER, CompareVerdict.SAME)
                        .contains(compared.verdict())
                && compared.ratio() == null) {
            faults.add(new Fault("/result/ratio", "is required for the verdict " + compared.verdict()));
        }
        Set<String> names = Stream.of(compared.first(), compared.second())
                .map(ComparedSide::name)
                .collect(Collectors.toSet());
        compared.blocks().stream()
                .map(Report.Block::arm)
                .filter(arm -> !names.contains(arm))
                .findFirst()
                .ifPresent(arm ->
                        faults.add(new Fault("/result/blocks", "must be of " + names + ", one is of '" + arm + "'")));
        ReportNumbers numbers = new ReportNumbers(faults);
        if (compared.ratio() != null) {
            numbers.ratio("/result/ratio", compared.ratio());
        }
        side("/result/first", compared.first(), numbers);
        side("/result/second", compared.second(), numbers);
        numbers.notNegative("/result/gpuSeconds", compared.gpuSeconds());
        numbers.times("/result/gpuTimesNs", compared.gpuTimesNs());
        numbers.blocks("/result/blocks", compared.blocks());
    }

    private static void side(String pointer, ComparedSide side, ReportNumbers numbers) {
        numbers.notNegative(pointer + "/errorRatio", side.errorRatio());
        if (side.slowed() != null) {
            numbers.notNegative(
                    pointer + "/slowed/steps", (double) side.slowed().steps());
            if (side.slowed().longer() != null) {
                numbers.ratio(pointer + "/slowed/longer", side.slowed().longer());
            }
        }
    }
}
