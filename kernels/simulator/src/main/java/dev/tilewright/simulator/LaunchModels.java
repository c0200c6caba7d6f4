package dev.tilewright.simulator;

import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.device.LaunchModel;
import dev.tilewright.space.family.FamilySpace;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds the model that predicts launches on a testbed: the model of its GPU, if there is one. */
public final class LaunchModels {

    private static final String UNKNOWN = "unknown";

    private LaunchModels() {}

    /** The model of the GPU of a testbed, measured, emulated or simulated; empty if there is none. */
    public static Optional<LaunchModel> of(Testbed testbed) {
        return ofDevice(testbed.device());
    }

    /**
     * The same for configs of a family; empty too if nothing is known of what they compute, as of kernels of a user.
     */
    public static Optional<LaunchModel> of(FamilySpace family, Testbed testbed) {
        return family.isModelled() && family.architecture().isPresent() ? of(testbed) : Optional.empty();
    }

    /**
     * A testbed with the first GPU that there is a model of and whose name is wanted, before anybody has seen it: its
     * driver, assembler and clock policy are not known.
     */
    public static Optional<Testbed> testbed(TestbedKind kind, Predicate<String> wanted) {
        return SimulatedGpus.all().stream()
                .filter(gpu -> wanted.test(gpu.name()))
                .findFirst()
                .map(gpu -> new Testbed(
                        kind, gpu.name(), UNKNOWN, UNKNOWN, gpu.topology().smCount(), UNKNOWN));
    }

    /** The same by the name of a device, such as {@code NVIDIA H200} or {@code h200}. */
    public static Optional<LaunchModel> ofDevice(String device) {
        return SimulatedGpus.ofDevice(device).map(CostModel::of);
    }
}
