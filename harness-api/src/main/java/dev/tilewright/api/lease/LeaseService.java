package dev.tilewright.api.lease;

import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.flow.StudyDriver;
import dev.tilewright.api.worker.WorkerDevice;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.LeaseGrant;
import dev.tilewright.model.exchange.LeaseRequest;
import dev.tilewright.model.exchange.StudyState;
import dev.tilewright.model.trial.TestbedKind;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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
        Clock clock) {

    private static final long RETRY_MS = 100;

    /**
     * The same for an emulated GPU that no study runs on: many workers have one beside their GPU, most often for
     * nothing.
     */
    private static final long RETRY_IDLE_MS = 1000;

    /** The same where the search of a study is about to ask for more. */
    private static final long RETRY_SOON_MS = 25;

    /**
     * Studies of a testbed whose search is at its first question: with the next ones begun, a worker need not wait for
     * it. All that are queued would be too many.
     */
    private static final int BEGUN_AHEAD = 8;

    /**
     * Leases at most as much as the worker asks for.
     *
     * @param token the worker's own
     */
    public LeaseGrant lease(LeaseRequest request, @Nullable String token) {
        workers.seen(request.workerId(), token);
        WorkerDevice device = workers.device(request.workerId(), request.device());
        OfferRepository.Taker taker = new OfferRepository.Taker(
                request.workerId(),
                device.testbedId(),
                DeviceSelector.accepting(device.testbed().kind(), device.label(), workers.realGpuOffered()),
                device.families());
        List<Lease> granted = new ArrayList<>();
        // A task is short, and whoever asked for it waits: it goes before the trials of a study.
        tasks.take(taker, device).ifPresent(granted::add);
        int fresh = 0;
        boolean soon = false;
        List<OfferRepository.Running> running = offers.running(taker);
        for (OfferRepository.Running study : running) {
            if (granted.size() == request.max()) {
                break;
            }
            fresh += study.fresh() ? 1 : 0;
            Optional<StudyRow> found = studies.find(study.id()).filter(row -> row.state() == StudyState.RUNNING);
            found.ifPresent(row -> granted.addAll(from(row, device, request.max() - granted.size())));
            soon |= found.filter(row -> !row.exhausted()).isPresent();
        }
        boolean begun = granted.size() < request.max() && begin(taker, device, BEGUN_AHEAD - fresh);
        boolean idle = device.testbed().kind() == TestbedKind.EMULATED && running.isEmpty() && !begun;
        long retryMs = soon ? RETRY_SOON_MS : idle ? RETRY_IDLE_MS : RETRY_MS;
        return new LeaseGrant(granted, granted.isEmpty() ? retryMs : 0);
    }

    /**
     * Leases of queued trials of a study. If there are fewer than the worker takes, the study's driver queues more,
     * which the worker finds when it asks again.
     */
    private List<Lease> from(StudyRow study, WorkerDevice device, int max) {
        boolean outOfTime = study.isOutOfTime(clock.instant());
        List<Lease> granted = outOfTime ? List.of() : studyLeases.takeQueued(study, device, max);
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
        for (String family : families.get(false)) {
            for (String selector : taker.selectors()) {
                OfferRepository.Taker alike = taker.with(List.of(selector), List.of(family));
                while (offers.oldestQueued(alike)
                        .filter(oldest -> studyLeases.endIfHopeless(oldest, device))
                        .isPresent()) {
                    // The next one is the oldest now.
                }
            }
        }
        return !queued.isEmpty();
    }
}
