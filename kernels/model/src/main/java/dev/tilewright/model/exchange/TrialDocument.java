package dev.tilewright.model.exchange;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.TrialState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A trial with its measurements, as users see it.
 *
 * @param outcome {@code null} until it is finished
 * @param attempts leases that counted: 1 if the first try brought the outcome
 * @param tilesPerSm one entry for each SM; {@code null} if it was not traced
 * @param evidence the rest of what the traced run showed; without the times of single tiles where there are many trials
 * @param checked what the emulator said of the text; {@code null} if it was not asked
 * @param tflops of its {@link #lastSustained} measurement; {@code null} if it was not measured, or is not believed
 */
public record TrialDocument(
        UUID id,
        int ordinal,
        String family,
        Config config,
        TrialState state,
        @Nullable TrialOutcome outcome,
        int attempts,
        @Nullable Double errorRatio,
        @Nullable Integer registers,
        @Nullable Integer spillBytes,
        @Nullable Integer sharedBytes,
        @Nullable String ptxHash,
        @Nullable String cubinHash,
        @Nullable Executed executed,
        @Nullable List<Integer> tilesPerSm,
        @Nullable Double idleTailFraction,
        @Nullable SchedulerEvidence evidence,
        @Nullable Checked checked,
        @Nullable Map<String, Long> timesNs,
        @Nullable String log,
        Instant createdAt,
        @Nullable Instant finishedAt,
        List<MeasurementDocument> measurements,
        @Nullable Double tflops) {

    /** The same with its measurements. */
    public TrialDocument measured(Problem problem, List<Measurement> measured) {
        return new TrialDocument(
                id,
                ordinal,
                family,
                config,
                state,
                outcome,
                attempts,
                errorRatio,
                registers,
                spillBytes,
                sharedBytes,
                ptxHash,
                cubinHash,
                executed,
                tilesPerSm,
                idleTailFraction,
                evidence,
                checked,
                timesNs,
                log,
                createdAt,
                finishedAt,
                MeasurementDocument.of(problem, measured),
                MeasurementDocument.rate(outcome, problem, measured));
    }

    /** Output tiles of each SM that nobody held, in the order of their ids; empty if it was not traced. */
    public List<Integer> tilesPerFreeSm() {
        List<Integer> all = Objects.requireNonNullElse(tilesPerSm, List.of());
        List<Integer> held = evidence == null ? List.of() : evidence.heldSms();
        return IntStream.range(0, all.size())
                .filter(sm -> !held.contains(sm))
                .mapToObj(all::get)
                .toList();
    }

    @JsonIgnore
    public boolean isCompleted() {
        return outcome == TrialOutcome.COMPLETED;
    }

    /** Whether it completed with a time; on an emulated GPU none does. */
    @JsonIgnore
    public boolean isTimed() {
        return isCompleted() && tflops != null;
    }

    /** Its sustained measurement with the most evidence behind it; empty if it was not timed. */
    public Optional<Measurement> lastSustained() {
        return last(Mode.SUSTAINED);
    }

    /** The same in another mode. */
    public Optional<Measurement> last(Mode mode) {
        return MeasurementDocument.last(measurements, mode);
    }

    /** The quick look in sustained mode, as every completed trial has it. */
    public Optional<Measurement> screened() {
        return sustained(Stage.SCREEN);
    }

    /** Its sustained measurement of a stage. */
    public Optional<Measurement> sustained(Stage stage) {
        return measurements.stream()
                .map(MeasurementDocument::measurement)
                .filter(measurement -> measurement.mode() == Mode.SUSTAINED && measurement.stage() == stage)
                .findFirst();
    }
}
