package dev.tilewright.api.job;

import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.DeviceOffer;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Chooses the family of a job. Where none is named it follows the architecture of the device: that of a model which is
 * named, otherwise that of the first device on offer which may take the job. On an emulated GPU, which runs the kernels
 * of all families, and while nobody knows better it is the usual one.
 */
@Component
public class FamilyChoice {

    private static final String FAMILY = "/family";

    private final Families families;
    private final WorkerService workers;

    FamilyChoice(StudySpaces spaces, WorkerService workers) {
        this.families = spaces.families();
        this.workers = workers;
    }

    /**
     * The family; empty if something was wrong, which is among the faults then.
     *
     * @param device empty if it could not be read
     */
    public Optional<FamilySpace> of(@Nullable String name, Optional<DeviceSelector> device, List<Fault> faults) {
        Optional<FamilySpace> family = timed(name, device, FAMILY, faults);
        Optional<String> misfit = family.flatMap(known -> device.flatMap(selector -> misfit(known, selector)));
        misfit.ifPresent(reason -> faults.add(new Fault(FAMILY, reason)));
        return misfit.isPresent() ? Optional.empty() : family;
    }

    /**
     * The same for kernels that a GPU is to time, whatever offers there are now.
     *
     * @param pointer to the name
     */
    public Optional<FamilySpace> timed(
            @Nullable String name, Optional<DeviceSelector> device, String pointer, List<Fault> faults) {
        Map<String, Architecture> devices = device.map(this::devices).orElse(Map.of());
        if (name == null) {
            Optional<FamilySpace> fitting =
                    devices.values().stream().findFirst().flatMap(families::of);
            return fitting.or(() -> Optional.of(families.usual()));
        }
        Optional<FamilySpace> family = named(name, pointer, faults);
        Optional<Architecture> needed = family.flatMap(FamilySpace::architecture);
        if (needed.isPresent() && !devices.isEmpty() && !devices.containsValue(needed.get())) {
            faults.add(new Fault(pointer, misfit(name, needed.get(), devices)));
            return Optional.empty();
        }
        return family;
    }

    /** Why no device of these can say anything of the kernels of a family. */
    private Optional<String> misfit(FamilySpace family, DeviceSelector device) {
        if (family.isInstalled() && device instanceof DeviceSelector.Emulated) {
            return Optional.of(
                    FamilySpace.noText(family.family()) + ", and " + device + " runs texts; let cuda time them");
        }
        return !family.isModelled() && isModel(device)
                ? Optional.of(FamilySpace.noModel(family.family())
                        + (family.isInstalled()
                                ? "; let cuda time them"
                                : "; let emulated prove its kernels, or cuda time them"))
                : Optional.empty();
    }

    /** Whether a device is a model, or nothing but models would take it now. */
    private boolean isModel(DeviceSelector device) {
        return device instanceof DeviceSelector.Simulated
                || kindsOfTakers(device).equals(List.of(TestbedKind.SIMULATED));
    }

    /** Whether a device is a GPU, or may be one: nobody else runs finals. */
    boolean mayRunFinals(DeviceSelector device) {
        List<TestbedKind> takers = kindsOfTakers(device);
        return !(device instanceof DeviceSelector.OnCpu) && (takers.isEmpty() || takers.contains(TestbedKind.CUDA));
    }

    /** Kinds of the testbeds that would take a job for a device now. */
    private List<TestbedKind> kindsOfTakers(DeviceSelector device) {
        return workers.takers(device).stream()
                .map(offer -> offer.testbed().kind())
                .distinct()
                .toList();
    }

    /** A family by its name; what is wrong with that is among the faults. */
    Optional<FamilySpace> named(String name, String pointer, List<Fault> faults) {
        try {
            return Optional.of(families.named(name));
        } catch (IllegalArgumentException e) {
            faults.add(new Fault(pointer, String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    private String misfit(String family, Architecture needed, Map<String, Architecture> devices) {
        String fitting = devices.values().stream()
                .distinct()
                .flatMap(architecture -> families.of(architecture).stream())
                .map(FamilySpace::family)
                .collect(Collectors.joining(" or "));
        return family + " runs on " + needed + ", and "
                + devices.entrySet().stream()
                        .map(device -> device.getKey() + " is " + device.getValue())
                        .collect(Collectors.joining(", "))
                + (fitting.isEmpty() ? "" : ": take family " + fitting);
    }

    /** The devices that may take the job and whose architecture is known, in the order of offers. */
    private Map<String, Architecture> devices(DeviceSelector device) {
        Optional<Architecture> own = device.architecture();
        if (own.isPresent()) {
            return Map.of(device.toString(), own.get());
        }
        Map<String, Architecture> known = new LinkedHashMap<>();
        for (DeviceOffer offer : workers.takers(device)) {
            Testbed testbed = offer.testbed();
            Architecture.of(testbed)
                    .ifPresent(architecture -> known.put(offer.label() + " (" + testbed.device() + ")", architecture));
        }
        return known;
    }
}
