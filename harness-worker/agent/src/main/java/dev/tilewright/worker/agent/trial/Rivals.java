package dev.tilewright.worker.agent.trial;

import dev.tilewright.model.exchange.BuiltKernel;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.agent.device.Device;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.device.PreparedFinal;
import dev.tilewright.worker.agent.device.PreparedKernel;
import dev.tilewright.worker.agent.device.PreparedTrial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The peers of a final, as far as their kernels are built here: those of bundles, and of our families beside a bundle.
 *
 * @param kernels that are in the making
 * @param others families that are peers too, whose kernels the device finds by itself
 * @param absent families that are none, as arms of the final: those that the job named, and asks for
 * @param log which families are none, and why
 */
record Rivals(List<Rival> kernels, List<String> others, List<Report.Arm> absent, List<String> log) {

    static final Rivals NONE = new Rivals(List.of(), List.of(), List.of(), List.of());

    Rivals {
        kernels = List.copyOf(kernels);
        others = List.copyOf(others);
        absent = List.copyOf(absent);
        log = List.copyOf(log);
    }

    /**
     * A kernel.
     *
     * @param name unique among the arms of the final
     * @param isKnown whether it is known to be good: others must show it before they are in a final
     */
    record Rival(String name, BuiltKernel kernel, boolean isKnown, CompletableFuture<Preparation> making) {}

    /**
     * The rivals that are ready.
     *
     * @param lost kernels that cannot take part
     * @param log which these are, and why
     */
    record Ready(List<PreparedFinal.Rival> kernels, List<Report.Arm> lost, List<String> log) {}

    /**
     * Starts to make the kernels of a final's peers.
     *
     * @param making starts to make one
     */
    static Rivals begun(
            Lease lease,
            Work.Final last,
            Families families,
            DeviceLimits limits,
            Function<BuiltKernel, CompletableFuture<Preparation>> making) {
        FamilySpace own = families.named(lease.family());
        List<Rival> kernels = new ArrayList<>();
        List<String> others = new ArrayList<>();
        List<Report.Arm> absent = new ArrayList<>();
        List<String> log = new ArrayList<>();
        for (String peer : last.peers()) {
            try {
                Optional<FamilySpace> family = families.find(peer);
                if (family.isEmpty() || family.get().isInstalled()) {
                    others.add(peer);
                } else {
                    configs(family.get(), own, lease, limits)
                            .forEach(config -> kernels.add(rival(family.get(), config, making)));
                }
            } catch (IllegalArgumentException none) {
                log.add(peer + " is no peer: " + none.getMessage());
                if (!own.peers().contains(peer)) {
                    absent.add(absent(peer, String.valueOf(none.getMessage())));
                }
            }
        }
        return new Rivals(kernels, others, absent, log);
    }

    private static Report.Arm absent(String peer, String why) {
        return new Report.Arm(peer, null, peer, Config.of(Map.of()), TrialOutcome.BUILD, null, List.of(), why);
    }

    /** @throws IllegalArgumentException if the family cannot be a peer */
    private static List<Config> configs(FamilySpace family, FamilySpace own, Lease lease, DeviceLimits limits) {
        Epilogue theirs = family.epilogue(lease.problem());
        Epilogue ours = own.epilogue(lease.problem());
        if (!theirs.equals(ours)) {
            throw new IllegalArgumentException(
                    "its epilogue is " + theirs.said() + ", that of " + own.family() + " " + ours.said());
        }
        family.refusal(lease.problem()).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        SpaceTree space = SpaceTree.of(family.space(lease.problem(), limits).usual(Map.of()));
        long count = family.rivals(space).count();
        if (count > FamilySpace.MOST_RIVALS) {
            throw new IllegalArgumentException("a peer has at most " + FamilySpace.MOST_RIVALS + " kernels, on "
                    + limits.smCount() + " SMs it has " + count);
        }
        return family.rivals(space).toList();
    }

    private static Rival rival(
            FamilySpace family, Config config, Function<BuiltKernel, CompletableFuture<Preparation>> making) {
        BuiltKernel kernel = new BuiltKernel(family.family(), config);
        // Of a family that models know there is one, which is known to be good.
        String name = family.isModelled() ? family.family() : (family.family() + " " + config.canonical()).strip();
        return new Rival(name, kernel, family.isModelled(), making.apply(kernel));
    }

    /**
     * Waits for the kernels. One that nothing is known of runs as a trial first, as all contenders have: a fault, a
     * hang or a wrong result then costs that kernel and not the final.
     *
     * @throws DeviceUnusableException if the device is out of order
     */
    Ready ready(Lease lease, Device device) throws DeviceUnusableException {
        List<PreparedFinal.Rival> ready = new ArrayList<>();
        List<Report.Arm> lost = new ArrayList<>();
        for (Rival rival : kernels) {
            switch (rival.making().join()) {
                case Preparation.Failed(TrialResult result, var _) -> lost.add(lost(rival, result));
                case Preparation.Unassembled(var _, var _, String why) ->
                    lost.add(lost(rival, TrialResult.failed(TrialOutcome.UNASSEMBLED, why)));
                case Preparation.Ready made ->
                    fault(rival, made.kernel(), lease, device)
                            .ifPresentOrElse(
                                    result -> lost.add(lost(rival, result)),
                                    () -> ready.add(new PreparedFinal.Rival(
                                            rival.name(),
                                            rival.kernel().family(),
                                            rival.kernel().config(),
                                            made.kernel())));
            }
        }
        List<String> said = Stream.concat(
                        log.stream(),
                        lost.stream().map(arm -> arm.name() + " is no peer: " + arm.outcome() + ": " + arm.log()))
                .toList();
        lost.addAll(absent);
        return new Ready(List.copyOf(ready), List.copyOf(lost), said);
    }

    /** The result of the rival's trial, if it failed; noisy times are no fault of a rival. */
    private static Optional<TrialResult> fault(Rival rival, PreparedKernel kernel, Lease lease, Device device)
            throws DeviceUnusableException {
        if (rival.isKnown()) {
            return Optional.empty();
        }
        BuiltKernel built = rival.kernel();
        TrialResult result = device.run(new PreparedTrial(
                built.family(), lease.problem(), built.config(), kernel, null, null, lease.seed(), List.of()));
        return Optional.of(result)
                .filter(tried -> tried.outcome() != TrialOutcome.COMPLETED && tried.outcome() != TrialOutcome.NOISE);
    }

    private static Report.Arm lost(Rival rival, TrialResult result) {
        BuiltKernel kernel = rival.kernel();
        return new Report.Arm(
                rival.name(), null, kernel.family(), kernel.config(), result.outcome(), null, List.of(), result.log());
    }
}
