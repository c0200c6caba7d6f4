package dev.tilewright.api.lease;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.simulator.PeakRate;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Does not believe times in which the GPU cannot have done the work. What has such a time ends {@code implausible},
 * whatever else its worker says: it is kept as evidence, and nothing that is served asks for trials and arms of this
 * outcome.
 */
record Plausibility(Problem problem, Testbed testbed) {

    /** The result as it is believed. */
    TrialResult judged(TrialResult result) {
        return reason(times(result.measurements().stream()))
                .map(reason -> result.endedBy(TrialOutcome.IMPLAUSIBLE, reason))
                .orElse(result);
    }

    /** Likewise, each arm by itself. */
    FinalResult judged(FinalResult result) {
        return result.withArms(result.arms().stream()
                .map(arm -> reason(DoubleStream.concat(
                                times(arm.measurements().stream()),
                                result.blocks().stream()
                                        .filter(block -> block.arm().equals(arm.name()))
                                        .mapToDouble(Report.Block::launchNs)))
                        .map(reason -> arm.endedBy(TrialOutcome.IMPLAUSIBLE, reason))
                        .orElse(arm))
                .toList());
    }

    private static DoubleStream times(Stream<Measurement> measurements) {
        return measurements.mapToDouble(Measurement::medianNs);
    }

    private Optional<String> reason(DoubleStream timesNs) {
        double peak = PeakRate.tflops(testbed, problem.types());
        OptionalDouble shortest = timesNs.min();
        return shortest.isPresent() && problem.tflops(shortest.getAsDouble()) > peak
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "not believed: %s ns a launch are %.1f TFLOP/s, and %s does %.1f at the most",
                        shortest.getAsDouble(),
                        problem.tflops(shortest.getAsDouble()),
                        testbed.device(),
                        peak))
                : Optional.empty();
    }
}
