package dev.tilewright.api.task;

import dev.tilewright.api.work.LeaseRow;
import dev.tilewright.api.work.WorkId;
import dev.tilewright.api.work.WorkKind;
import java.time.Clock;
import java.util.Set;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** Tasks as work of the queue: each is its own owner. */
@Component
record TaskWork(TaskRepository tasks, Clock clock) implements WorkKind {

    @Override
    public Set<WorkId.Type> types() {
        return Set.of(WorkId.Type.TASK);
    }

    @Override
    public boolean holdOwner(UUID owner) {
        return tasks.hold(owner);
    }

    @Override
    public void giveUp(LeaseRow lease, String why) {
        tasks.fail(lease.work().id(), why, clock.instant());
    }
}
