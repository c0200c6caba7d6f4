package dev.tilewright.api.study;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.family.VendorFamily;
import dev.tilewright.space.ranking.TimedTrial;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The ranking of a study, computed from its evidence alone. On a real GPU only the final counts; a simulated study has
 * none, and its best is the best screen.
 *
 * @param best {@code null} if nothing may be called best
 * @param equivalent of a final those of our configs whose intervals meet that of the best, which is the first; in the
 *     order of the trials of a study
 * @param bestPeer the fastest peer of the final; {@code null} if none ran
 * @param toDefault of the best to cuBLAS's default, sustained; {@code null} if either did not run
 * @param toBestPeer of the best to the fastest peer, sustained
 */
public record Standing(
        @Nullable Best best,
        List<Best> equivalent,
        @Nullable Peer bestPeer,
        @Nullable Ratio toDefault,
        @Nullable Ratio toBestPeer) {

    /** The order of the trials of a study; for peers, the same order and then the name. */
    private static final Comparator<Peer> ORDER = Comparator.comparing(Peer::trial, TimedTrial.ORDER)
            .thenComparing(peer -> peer.arm().name());

    /** The best trial with the measurement that makes it so. */
    public record Best(UUID trialId, Config config, Measurement measurement) {}

    /** A peer with its sustained measurement in the final. */
    public record Peer(FinalArm arm, Measurement measurement) {

        private TimedTrial trial() {
            return new TimedTrial(
                    arm.id(),
                    Objects.requireNonNullElse(arm.ordinal(), 0),
                    arm.config(),
                    List.of(TimedTrial.Time.of(measurement)));
        }
    }

    /**
     * Works it out.
     *
     * @param fastest of the screens of a model; {@code null} if there is none
     * @param byArm measurements of arms of the final
     */
    public static Standing of(
            @Nullable Testbed testbed,
            @Nullable Best fastest,
            List<FinalArm> arms,
            Map<UUID, List<Measurement>> byArm,
            List<FinalArm.Against> ratios) {
        if (testbed == null) {
            return new Standing(null, List.of(), null, null, null);
        }
        return switch (testbed.kind()) {
            case SIMULATED -> new Standing(fastest, List.of(), null, null, null);
            case EMULATED -> new Standing(null, List.of(), null, null, null);
            case CUDA -> ofFinal(arms, byArm, ratios);
        };
    }

    private static Standing ofFinal(
            List<FinalArm> arms, Map<UUID, List<Measurement>> byArm, List<FinalArm.Against> ratios) {
        Optional<Peer> bestArm =
                fastest(arms.stream().filter(arm -> !arm.isPeer()).toList(), byArm);
        Optional<Peer> bestPeer = fastest(arms.stream().filter(FinalArm::isPeer).toList(), byArm);
        Optional<FinalArm> byDefault = arms.stream()
                .filter(arm -> isDefault(arm) && arm.outcome() == TrialOutcome.COMPLETED)
                .findFirst();
        return new Standing(
                bestArm.map(Standing::own).orElse(null),
                bestArm.map(ours -> equivalent(ours, arms, byArm)).orElse(List.of()),
                bestPeer.orElse(null),
                bestArm.flatMap(ours -> byDefault.flatMap(peer -> ratio(ours.arm(), peer, ratios)))
                        .orElse(null),
                bestArm.flatMap(ours -> bestPeer.flatMap(peer -> ratio(ours.arm(), peer.arm(), ratios)))
                        .orElse(null));
    }

    private static Best own(Peer ours) {
        return new Best(Objects.requireNonNull(ours.arm().trialId()), ours.arm().config(), ours.measurement());
    }

    /** Arms with a time within the interval of the winner. */
    private static List<Best> equivalent(Peer winner, List<FinalArm> arms, Map<UUID, List<Measurement>> byArm) {
        Measurement first = winner.measurement();
        double high = first.ciHighNs() == null ? first.medianNs() : first.ciHighNs();
        return inFinal(arms.stream().filter(arm -> !arm.isPeer()).toList(), byArm)
                .filter(peer -> peer.measurement().medianNs() <= high)
                .sorted(ORDER)
                .map(Standing::own)
                .toList();
    }

    private static Optional<Peer> fastest(List<FinalArm> arms, Map<UUID, List<Measurement>> byArm) {
        return inFinal(arms, byArm).min(ORDER);
    }

    private static Stream<Peer> inFinal(List<FinalArm> arms, Map<UUID, List<Measurement>> byArm) {
        return arms.stream()
                .filter(arm -> arm.outcome() == TrialOutcome.COMPLETED)
                .flatMap(arm -> Measurement.last(byArm.getOrDefault(arm.id(), List.of()), Mode.SUSTAINED)
                        // Who left in the race has none of the final.
                        .filter(measurement -> measurement.stage() == Stage.FINAL)
                        .map(measurement -> new Peer(arm, measurement))
                        .stream());
    }

    /** How much faster the best is than a peer, sustained; empty if they were not in one final. */
    Optional<Ratio> toPeer(FinalArm peer, List<FinalArm> arms, List<FinalArm.Against> ratios) {
        return Optional.ofNullable(best)
                .flatMap(ours -> arms.stream()
                        .filter(arm -> ours.trialId().equals(arm.trialId()))
                        .findFirst()
                        .flatMap(arm -> ratio(arm, peer, ratios)));
    }

    private static boolean isDefault(FinalArm arm) {
        return arm.isPeer() && arm.family().equals(VendorFamily.NAME) && VendorFamily.isDefault(arm.config());
    }

    private static Optional<Ratio> ratio(FinalArm ours, FinalArm peer, List<FinalArm.Against> ratios) {
        return ratios.stream()
                .filter(row ->
                        row.armId().equals(ours.id()) && row.peerId().equals(peer.id()) && row.mode() == Mode.SUSTAINED)
                .map(FinalArm.Against::ratio)
                .findFirst();
    }
}
