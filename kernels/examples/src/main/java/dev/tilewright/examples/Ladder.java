package dev.tilewright.examples;

import dev.tilewright.examples.sm100.V4TwoSlots;
import dev.tilewright.examples.sm100.V5CtaPair;
import dev.tilewright.examples.sm100.V6LaunchControl;
import dev.tilewright.examples.sm90.V4Cluster;
import dev.tilewright.examples.sm90.V5InFlight;
import dev.tilewright.examples.step.Step;
import dev.tilewright.model.trial.Architecture;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The steps of both architectures, each from the simplest kernel on. */
public final class Ladder {

    private Ladder() {}

    /** All steps: those of sm90, then those of sm100. */
    public static List<LadderKernel> all() {
        return Stream.of(Architecture.values())
                .flatMap(architecture -> of(architecture).stream())
                .toList();
    }

    /** The steps of one architecture. */
    public static List<LadderKernel> of(Architecture architecture) {
        List<Step> steps = switch (architecture) {
            case SM90 -> sm90();
            case SM100 -> sm100();
        };
        List<LadderKernel> kernels = new ArrayList<>();
        for (Step step : steps) {
            kernels.add(new LadderKernel(architecture, "v" + kernels.size(), step));
        }
        return List.copyOf(kernels);
    }

    private static List<Step> sm90() {
        return List.of(
                new dev.tilewright.examples.sm90.V0OneTile(),
                new dev.tilewright.examples.sm90.V1Ring(),
                new dev.tilewright.examples.sm90.V2WarpRoles(),
                new dev.tilewright.examples.sm90.V3Persistent(),
                new V4Cluster(),
                new V5InFlight());
    }

    private static List<Step> sm100() {
        return List.of(
                new dev.tilewright.examples.sm100.V0OneTile(),
                new dev.tilewright.examples.sm100.V1Ring(),
                new dev.tilewright.examples.sm100.V2WarpRoles(),
                new dev.tilewright.examples.sm100.V3Persistent(),
                new V4TwoSlots(),
                new V5CtaPair(),
                new V6LaunchControl());
    }

    /**
     * The steps that a name stands for: one step such as {@code sm90/v3}, or all of an architecture such as
     * {@code sm90}.
     *
     * @throws IllegalArgumentException if there is none; the message lists the names
     */
    public static List<LadderKernel> named(String name) {
        List<LadderKernel> found = all().stream()
                .filter(kernel -> kernel.name().equals(name)
                        || kernel.architecture().toString().equals(name))
                .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("unknown step '" + name + "'; known: " + String.join(", ", names()));
        }
        return found;
    }

    /** The architectures, then the steps. */
    public static List<String> names() {
        return Stream.concat(
                        Stream.of(Architecture.values()).map(Architecture::toString),
                        all().stream().map(LadderKernel::name))
                .toList();
    }
}
