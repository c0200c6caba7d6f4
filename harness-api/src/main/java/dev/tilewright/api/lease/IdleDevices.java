package dev.tilewright.api.lease;

import dev.tilewright.api.platform.MonotonicTime;
import dev.tilewright.api.platform.database.Channel;
import dev.tilewright.api.platform.database.Notifications;
import dev.tilewright.api.platform.database.Subscription;
import dev.tilewright.api.worker.WorkerDevice;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/**
 * Devices that asked this replica for work and got none. Until Postgres notifies work for one, its next request is a
 * wait and no look: an idle GPU costs a statement in ten seconds. A replica that does not know a device looks.
 */
@Component
final class IdleDevices {

    private final Notifications notifications;
    private final MonotonicTime time;
    private final Map<Device, Idle> idle = new ConcurrentHashMap<>();

    private record Device(UUID workerId, String label) {}

    private record Idle(Subscription work, long sinceNs) {}

    IdleDevices(Notifications notifications, MonotonicTime time) {
        this.notifications = notifications;
        this.time = time;
    }

    /** The wait of a device that found nothing; empty if it may find something now. */
    Optional<Subscription> waiting(UUID workerId, String label) {
        return Optional.ofNullable(idle.get(new Device(workerId, label)))
                .filter(last -> !last.work().isNotified() && !isOlder(last, Notifications.LONGEST_SILENCE))
                .map(Idle::work);
    }

    private boolean isOlder(Idle last, Duration age) {
        return time.nanos() - last.sinceNs() > age.toNanos();
    }

    /** Hears of work for a device from now on; made before the look, so that no work comes in between. */
    Subscription subscribe(WorkerDevice device) {
        String testbed = device.testbedId().toString();
        return notifications.subscribe(Channel.WORK, of -> of.isEmpty() || of.equals(testbed));
    }

    /** A device found nothing. Devices that have not asked for long are forgotten: their workers are gone. */
    void foundNothing(WorkerDevice device, Subscription work) {
        idle.values().removeIf(last -> {
            boolean gone = isOlder(last, Notifications.LONGEST_SILENCE.multipliedBy(2));
            if (gone) {
                notifications.cancel(last.work());
            }
            return gone;
        });
        Idle before = idle.put(new Device(device.workerId(), device.label()), new Idle(work, time.nanos()));
        if (before != null) {
            notifications.cancel(before.work());
        }
    }

    /** Ends a subscription that is not waited for: the next request of its device looks. */
    void cancel(Subscription work) {
        notifications.cancel(work);
    }
}
