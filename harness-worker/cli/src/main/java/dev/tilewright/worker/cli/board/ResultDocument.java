package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The result of a job, version 1, as {@code docs/result.schema.json} says; only what is shown. */
public record ResultDocument(Job job, List<Study> studies) {

    /** The job that the studies belong to. */
    public record Job(
            UUID id, @Nullable String name, @Nullable Instant finishedAt) {}

    /** One problem on one testbed. */
    public record Study(
            ProblemDocument problem,
            @Nullable String family,
            @Nullable Testbed testbed,
            @Nullable Space space,
            List<Trial> trials,
            @Nullable Best best,
            @Nullable Double ratioToDefault,
            @Nullable List<Double> ratioToDefaultCi,
            @Nullable Double ratioToBestPeer,
            @Nullable List<Double> ratioToBestPeerCi,
            @Nullable String bestPeer,
            @Nullable List<Peer> peers,
            @Nullable Sweep sweep,
            @Nullable String error) {

        /** Whether the numbers are predictions of a model. */
        public boolean isSimulated() {
            return testbed != null && testbed.kind() == TestbedKind.SIMULATED;
        }

        /** What a time of it means. */
        Rates rates() {
            return Rates.of(problem.problem(), testbed);
        }

        /** The config of one of its trials. */
        FamilyConfig config(Trial trial) {
            return new FamilyConfig(family, trial.config());
        }

        /** The trial that is the best; empty if none may be called so. */
        public Optional<Trial> bestTrial() {
            return best == null
                    ? Optional.empty()
                    : trials.stream()
                            .filter(trial -> trial.id().equals(best.id()))
                            .findFirst();
        }

        /** Whether its trials are proofs on the emulator, without times. */
        public boolean isEmulated() {
            return testbed != null && testbed.kind() == TestbedKind.EMULATED;
        }
    }

    /**
     * A kernel of the final that is none of the study's family.
     *
     * @param ratio speed of the best over it; {@code null} if it was not in the turns of the final
     */
    public record Peer(
            String name,
            String family,
            TrialOutcome outcome,
            @Nullable Double ratio,
            @Nullable List<Double> ratioCi) {}

    /**
     * How fast configs were tried.
     *
     * @param gpuBusyShare of the seconds that the GPU was at work; {@code null} if simulated
     * @param gpuSpinFlushShare of the seconds that it spun behind plugs or flushed L2; {@code null} if simulated
     * @param gpuWaitShares of the seconds that it had nothing to do, by what its runner was at; {@code null} if
     *     simulated, or in documents of before it was known
     */
    public record Sweep(
            long configs,
            double seconds,
            double configsPerSecond,
            @Nullable Double gpuBusyShare,
            @Nullable Double gpuSpinFlushShare,
            @Nullable Map<String, Double> gpuWaitShares) {

        /** Smaller parts are not written out. */
        private static final double LEAST_SHARE = 0.002;

        @Override
        public String toString() {
            String rate = String.format(
                    Locale.ROOT, "%d configs in %.1f s, %.1f configs/s", configs, seconds, configsPerSecond);
            return gpuBusyShare == null || gpuSpinFlushShare == null
                    ? rate
                    : rate
                            + String.format(
                                    Locale.ROOT,
                                    ", GPU busy %.0f %% (spin and flush %.0f %%)",
                                    100 * gpuBusyShare,
                                    100 * gpuSpinFlushShare)
                            + waits();
        }

        private String waits() {
            String parts = gpuWaitShares == null
                    ? ""
                    : gpuWaitShares.entrySet().stream()
                            .filter(part -> part.getValue() >= LEAST_SHARE)
                            .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                            .map(part -> String.format(Locale.ROOT, "%s %.1f %%", part.getKey(), 100 * part.getValue()))
                            .collect(Collectors.joining(", "));
            return parts.isEmpty() ? "" : ", waited for: " + parts;
        }
    }

    /** How much there was to choose from. */
    public record Space(long size) {}

    /** The winner. */
    public record Best(UUID id) {}

    /** One config that was tried. */
    public record Trial(
            UUID id,
            Config config,
            @Nullable TrialOutcome outcome,
            @Nullable Double errorRatio,
            @Nullable Integer registers,
            @Nullable Integer spillBytes,
            @Nullable Integer sharedBytes,
            @Nullable Executed executed,
            List<Measurement> measurements,
            @Nullable Double tflops,
            @Nullable List<Integer> tilesPerSm,
            @Nullable Double idleTailFraction,
            @Nullable SchedulerEvidence evidence,
            @Nullable Checked checked,
            @Nullable String log) {

        /** Output tiles of each SM that nobody held, in the order of their ids; empty if it was not traced. */
        public List<Integer> tilesPerFreeSm() {
            List<Integer> all = Objects.requireNonNullElse(tilesPerSm, List.of());
            List<Integer> held = evidence == null ? List.of() : evidence.heldSms();
            return IntStream.range(0, all.size())
                    .filter(sm -> !held.contains(sm))
                    .mapToObj(all::get)
                    .toList();
        }

        public boolean isCompleted() {
            return outcome == TrialOutcome.COMPLETED;
        }

        /** Whether it completed with a time; on an emulated GPU none does. */
        public boolean isTimed() {
            return isCompleted() && tflops != null;
        }

        /** The sustained measurement of the last stage: the one that {@code tflops} comes from. */
        public Optional<Measurement> decisive() {
            return last(Mode.SUSTAINED);
        }

        /** The measurement of the last stage in a mode. */
        public Optional<Measurement> last(Mode mode) {
            return measurements.stream()
                    .filter(measurement -> measurement.mode() == mode)
                    .max(Comparator.comparing(Measurement::stage));
        }

        /** The quick look in sustained mode, as every completed trial has it. */
        public Optional<Measurement> screened() {
            return measurements.stream()
                    .filter(measurement -> measurement.mode() == Mode.SUSTAINED && measurement.stage() == Stage.SCREEN)
                    .findFirst();
        }
    }
}
