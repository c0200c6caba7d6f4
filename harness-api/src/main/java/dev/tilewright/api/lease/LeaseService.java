package dev.tilewright.api.lease;

import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.flow.StudyDriver;
import dev.tilewright.api.work.WorkedTimeRepository;
import dev.tilewright.api.worker.WorkerDevice;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.StudyState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;

/** Finds work for a device, study by study: a device that stays with one problem does not fill its buffers anew. */
@Service
record LeaseService(
        WorkerService workers,
        StudyRepository studies,
        StudyLeases studyLeases,
        TaskLeases tasks,
        StudyDriver driver,
        OfferRepository offers,
        Refusals refusals,
        WorkedTimeRepository times) {

    /**
     * Studies of a testbed whose search is at its first question: with the next ones begun, a worker need not wait for
     * it. All that are queued would be too many.
     */
    private static final int BEGUN_AHEAD = 8;

    /**
     * The leases that a device gets.
     *
     * @param soon whether work is open for the device, some of which nothing notifies: a task that its worker has
     *     refused, or a study that somebody held at this moment
     */
    record Found(List<Lease> leases, boolean soon) {}

    /** Leases at most so much to a device. */
    public Found lease(WorkerDevice device, int max) {
        OfferRepository.Taker taker = new OfferRepository.Taker(
                device.workerId(),
                device.testbedId(),
                DeviceSelector.accepting(device.testbed().kind(), device.label(), workers.realGpuOffered()),
                device.families());
        List<Lease> granted = new ArrayList<>();
        // A task is short, and whoever asked for it waits: it goes before the trials of a study.
        TaskLeases.Taken task = tasks.take(taker, device);
        task.lease().ifPresent(granted::add);
        int fresh = 0;
        List<OfferRepository.Running> running = offers.running(taker);
        for (OfferRepository.Running study : running) {
            if (granted.size() == max) {
                break;
            }
            fresh += study.fresh() ? 1 : 0;
            studies.find(study.id())
                    .filter(row -> row.state() == StudyState.RUNNING)
                    .ifPresent(row -> granted.addAll(from(row, device, max - granted.size())));
        }
        boolean begun = granted.size() < max && begin(taker, device, BEGUN_AHEAD - fresh);
        return new Found(granted, begun || task.later() || !running.isEmpty());
    }

    /**
     * Leases of queued trials of a study, or of its final; once the time of its budget is over, of its final only. If
     * there are fewer than the worker takes, the study's driver queues more, which Postgres notifies.
     */
    private List<Lease> from(StudyRow study, WorkerDevice device, int max) {
        List<Lease> granted = study.isTimed() && study.isOutOfTime(times.of(study.id()))
                ? studyLeases.takeFinal(study, device)
                : studyLeases.takeQueued(study, device, max);
        if (granted.size() < max) {
            driver.moved(study.id());
        }
        return granted;
    }

    /**
     * Begins studies that nobody has begun, and ends those of them that no device may begin.
     *
     * @return whether it began any
     */
    private boolean begin(OfferRepository.Taker taker, WorkerDevice device, int most) {
        Map<Boolean, List<String>> families = device.families().stream()
                .collect(Collectors.partitioningBy(
                        family -> refusals.misfit(family, device).isEmpty()));
        List<UUID> queued =
                most > 0 ? offers.queued(taker.with(taker.selectors(), families.get(true)), most) : List.of();
        queued.forEach(study -> driver.begin(study, device));
        // Of one family and selector all wait for the same devices: while the oldest has hope, so have the others.
        OfferRepository.Taker hopeless = taker.with(taker.selectors(), families.get(false));
        while (offers.oldestOfEach(hopeless).stream()
                .map(oldest -> studyLeases.endIfHopeless(oldest, device))
                .reduce(false, Boolean::logicalOr)) {
            // The next one is the oldest now.
        }
        return !queued.isEmpty();
    }
}
