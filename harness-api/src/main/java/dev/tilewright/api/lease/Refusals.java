package dev.tilewright.api.lease;

import dev.tilewright.api.lease.WaitingRepository.Wanted;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.task.TaskRepository;
import dev.tilewright.api.work.LeaseRepository;
import dev.tilewright.api.worker.WorkerDevice;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.bundle.BundleName;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.family.FamilySpace;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.springframework.stereotype.Service;

/** The device rule of a study: a device fits, and its worker has not refused the study. */
@Service
record Refusals(RefusalRepository refusals, LeaseRepository leases, WorkerService workers, StudySpaces spaces) {

    /**
     * Notes a refusal. A worker that has done some of the study can do it: its device is out of order for a while, the
     * worker waits by itself between tries, and nothing is held against it.
     */
    void note(StudyRow study, UUID workerId) {
        if (!leases.reported(study.id(), workerId)) {
            refusals.insert(workerId, study.id());
        }
    }

    /** Whether no live worker is left that may work on the study. */
    boolean nobodyIsLeft(StudyRow study) {
        Set<UUID> unable = refusals.workers(study.id());
        boolean realGpuOffered = workers.realGpuOffered();
        return workers.devices().stream()
                .noneMatch(device -> !unable.contains(device.workerId())
                        && fits(study, device, realGpuOffered)
                        && misfit(study.options().family(), device).isEmpty());
    }

    /** Whether a live worker that has not refused a task may take it. */
    boolean isLeftToOthers(TaskRepository.RefusedTask task) {
        Wanted wanted = new Wanted(task.selector(), task.makers(), null);
        boolean realGpuOffered = workers.realGpuOffered();
        // A model takes none.
        return workers.devices().stream()
                .anyMatch(device -> device.testbed().kind() != TestbedKind.SIMULATED
                        && !task.unable().contains(device.workerId())
                        && task.mayRunOn(device.host(), device.label())
                        && mayTake(wanted, device, realGpuOffered));
    }

    /** Whether a device is one that the study may run on. */
    private boolean fits(StudyRow study, WorkerDevice device, boolean realGpuOffered) {
        return fits(
                new Wanted(study.options().device(), List.of(study.options().family()), study.testbedId()),
                device,
                realGpuOffered);
    }

    private boolean fits(Wanted wanted, WorkerDevice device, boolean realGpuOffered) {
        return DeviceSelector.parse(wanted.selector()).accepts(device.testbed().kind(), device.label(), realGpuOffered)
                && wanted.families().stream().map(this::maker).allMatch(device.families()::contains)
                && (wanted.testbedId() == null || wanted.testbedId().equals(device.testbedId()));
    }

    /** Whether a device may take some work, if its worker does not refuse it. */
    boolean mayTake(Wanted wanted, WorkerDevice device, boolean realGpuOffered) {
        return fits(wanted, device, realGpuOffered)
                && wanted.families().stream()
                        .allMatch(family -> misfit(family, device).isEmpty());
    }

    private String maker(String family) {
        return spaces.families().find(family).map(FamilySpace::maker).orElse(family);
    }

    /**
     * Why a device cannot run the kernels of a family, whatever their config; empty if it can, or nobody knows.
     *
     * @param name of the family, or of the maker of those that users bring
     */
    Optional<String> misfit(String name, WorkerDevice device) {
        Optional<FamilySpace> family =
                BundleName.isMaker(name) ? Optional.empty() : spaces.families().find(name);
        boolean modelled = family.map(FamilySpace::isModelled).orElse(!BundleName.isMaker(name));
        if (!modelled && device.testbed().kind() == TestbedKind.SIMULATED) {
            return Optional.of(FamilySpace.noModel(name, device.label()));
        }
        Optional<Architecture> needed =
                BundleName.isMaker(name) ? BundleName.architecture(name) : family.flatMap(FamilySpace::architecture);
        Optional<Architecture> own = Architecture.of(device.testbed());
        return needed.isPresent() && own.isPresent() && !needed.equals(own)
                ? Optional.of("family " + name + " runs on " + needed.get() + ", and " + device.label() + " ("
                        + device.testbed().device() + ") is " + own.get())
                : Optional.empty();
    }
}
