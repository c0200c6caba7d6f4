package dev.tilewright.api.task;

import dev.tilewright.api.work.LeaseRow;
import dev.tilewright.api.work.Standing;
import dev.tilewright.api.work.WorkId;
import dev.tilewright.api.work.WorkKind;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** Tasks as work of the queue: each is its own owner. */
@Component
record TaskWork(TaskRepository tasks, Clock clock) implements WorkKind {

    @Override
    public WorkId.Type type() {
        return WorkId.Type.TASK;
    }

    @Override
    public boolean holdOwner(UUID owner) {
        return tasks.hold(owner);
    }

    @Override
    public List<Standing> standing(Collection<WorkId> works) {
        return tasks.standing(works.stream().map(WorkId::id).toList());
    }

    @Override
    public void write(Collection<Standing> changed) {
        tasks.write(changed);
    }

    @Override
    public void giveUp(LeaseRow lease, String why) {
        tasks.fail(lease.work().id(), why, clock.instant());
    }
}
