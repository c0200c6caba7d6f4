package dev.tilewright.worker.link.probe;

import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Meaning of a device selector on this machine. */
public final class LocalDevice {

    private LocalDevice() {}

    /** The device that a service on this machine offers for the selector; notes if only a model is there. */
    public static String offered(DeviceSelector selector, DeviceProbe probe, PrintStream notices) {
        return switch (selector) {
            case DeviceSelector.OnCpu onCpu -> onCpu.toString();
            case DeviceSelector.Auto auto ->
                switch (probe.probe()) {
                    case DeviceProbe.NoDriver _ -> {
                        notices.println(
                                "no NVIDIA driver on this machine: using simulated:h200, a model; its figures are"
                                        + " predictions, not measurements");
                        yield "simulated:h200";
                    }
                    case DeviceProbe.Failing failing -> throw broken(failing);
                    case DeviceProbe.Found _ -> auto.toString();
                };
            case DeviceSelector.AllCuda _, DeviceSelector.Cuda _ ->
                switch (probe.probe()) {
                    case DeviceProbe.NoDriver _ ->
                        throw CommandFailedException.infrastructure(
                                "--device " + selector + ": there is no NVIDIA driver on this machine");
                    case DeviceProbe.Failing failing -> throw broken(failing);
                    case DeviceProbe.Found found -> existing(selector, found);
                };
        };
    }

    /**
     * The same for kernels that no model knows.
     *
     * @param kernels what they are, such as {@code --family NAME}
     * @param noModel that no model knows them
     * @throws CommandFailedException if nothing but a model is there, or a model is asked for
     */
    public static String offeredUnmodelled(
            DeviceSelector selector, DeviceProbe probe, PrintStream notices, String kernels, String noModel) {
        if (selector instanceof DeviceSelector.Simulated) {
            throw CommandFailedException.usage(kernels + ": " + noModel + ", and " + selector + " is one");
        }
        if (selector instanceof DeviceSelector.Auto && probe.probe() instanceof DeviceProbe.NoDriver) {
            throw CommandFailedException.infrastructure(
                    "--device auto: there is no NVIDIA driver on this machine, and " + noModel);
        }
        return offered(selector, probe, notices);
    }

    /**
     * The family for the GPUs that the driver shows, which a service that is only being started has not heard of yet.
     * {@code null} leaves the choice to the service, which knows the models.
     */
    public static @Nullable String family(DeviceSelector selector, DeviceProbe probe) {
        return switch (selector) {
            case DeviceSelector.OnCpu _ -> null;
            case DeviceSelector.Auto _, DeviceSelector.AllCuda _ -> first(probe, gpu -> true);
            case DeviceSelector.Cuda(int ordinal) -> first(probe, gpu -> gpu.ordinal() == ordinal);
        };
    }

    private static @Nullable String first(DeviceProbe probe, Predicate<DeviceProbe.Gpu> wanted) {
        return probe.probe() instanceof DeviceProbe.Found(List<DeviceProbe.Gpu> gpus)
                ? gpus.stream()
                        .filter(wanted)
                        .flatMap(gpu -> Architecture.ofDevice(gpu.name()).stream())
                        .findFirst()
                        .flatMap(Families.standard()::of)
                        .map(FamilySpace::family)
                        .orElse(null)
                : null;
    }

    private static String existing(DeviceSelector selector, DeviceProbe.Found found) {
        if (selector instanceof DeviceSelector.Cuda(int ordinal)
                && found.gpus().stream().noneMatch(gpu -> gpu.ordinal() == ordinal)) {
            throw CommandFailedException.usage("--device " + selector + ": the driver shows "
                    + found.gpus().size() + " GPU(s): " + found.gpus());
        }
        return selector.toString();
    }

    private static CommandFailedException broken(DeviceProbe.Failing failing) {
        return CommandFailedException.infrastructure("an NVIDIA driver is there but fails: " + failing.reason()
                + " (--device simulated:h200 asks for the model)");
    }
}
