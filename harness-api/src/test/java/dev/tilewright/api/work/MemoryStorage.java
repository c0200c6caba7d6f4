package dev.tilewright.api.work;

import dev.tilewright.api.task.TaskRepository;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;

/** Keeps tasks and leases in maps. Every iteration is in the order of insertion, so that a seed replays exactly. */
final class MemoryStorage implements SimulatedStorage, WorkStore {

    private final Map<UUID, WorkState> tasks = new LinkedHashMap<>();
    /** Ids grow, so the first one is the oldest. */
    private final NavigableSet<UUID> queued = new TreeSet<>();

    private final Map<UUID, List<UUID>> leasesOf = new LinkedHashMap<>();
    private final Map<UUID, LeaseRow> all = new LinkedHashMap<>();
    private final Map<UUID, LeaseRow> live = new LinkedHashMap<>();
    private final Map<UUID, Map<UUID, Integer>> refusals = new LinkedHashMap<>();

    @Override
    public WorkStore leases() {
        return this;
    }

    @Override
    public WorkKind tasks() {
        return new Tasks();
    }

    @Override
    public void submit(UUID task) {
        put(new WorkState(WorkId.task(task), WorkState.State.QUEUED, 0, 0));
        leasesOf.put(task, new ArrayList<>());
        refusals.put(task, new LinkedHashMap<>());
    }

    @Override
    public Optional<WorkState> next(UUID worker, boolean again) {
        for (UUID task : queued) {
            if (refusals.get(task).containsKey(worker) == again) {
                return Optional.of(tasks.get(task));
            }
        }
        return Optional.empty();
    }

    private void put(WorkState task) {
        UUID id = task.work().id();
        tasks.put(id, task);
        if (task.state() == WorkState.State.QUEUED) {
            queued.add(id);
        } else {
            queued.remove(id);
        }
    }

    @Override
    public void end(UUID task, boolean finished) {
        WorkState was = tasks.get(task);
        put(new WorkState(was.work(), WorkState.State.OVER, was.attempts(), was.fence()));
    }

    @Override
    public TaskRepository.RefusalCount refused(UUID task, UUID worker) {
        Map<UUID, Integer> of = refusals.get(task);
        return new TaskRepository.RefusalCount(of.merge(worker, 1, Integer::sum), of.size());
    }

    @Override
    public WorkState state(WorkId work) {
        return tasks.get(work.id());
    }

    @Override
    public void writeStates(Collection<WorkState> changed) {
        changed.forEach(this::put);
    }

    @Override
    public List<LeaseRow> leasesOf(UUID task) {
        return leasesOf.get(task).stream().map(all::get).toList();
    }

    @Override
    public <T> T inTransaction(Supplier<T> step) {
        return step.get();
    }

    @Override
    public void add(Collection<LeaseRow> leases) {
        for (LeaseRow lease : leases) {
            all.put(lease.id(), lease);
            live.put(lease.id(), lease);
            leasesOf.get(lease.work().id()).add(lease.id());
        }
    }

    @Override
    public void write(Collection<LeaseRow> changed) {
        for (LeaseRow lease : changed) {
            if (!live.containsKey(lease.id())) {
                throw new IllegalStateException("lease " + lease.id() + " has ended already");
            }
            all.put(lease.id(), lease);
            if (lease.isLive()) {
                live.put(lease.id(), lease);
            } else {
                live.remove(lease.id());
            }
        }
    }

    @Override
    public Map<UUID, LeaseRow> hold(Collection<UUID> ids) {
        Map<UUID, LeaseRow> held = new LinkedHashMap<>();
        ids.stream().filter(all::containsKey).forEach(id -> held.put(id, all.get(id)));
        return held;
    }

    @Override
    public Heard heard(UUID worker, Collection<UUID> ids) {
        List<LeaseRow> held = ids.stream()
                .map(live::get)
                .filter(lease -> lease != null && lease.workerId().equals(worker))
                .toList();
        Set<UUID> named = new LinkedHashSet<>();
        held.forEach(lease -> named.add(lease.id()));
        return new Heard(named, held);
    }

    @Override
    public List<LeaseRow> holdFree() {
        return List.copyOf(live.values());
    }

    @Override
    public List<LeaseRow> holdLive(UUID owner) {
        return live.values().stream()
                .filter(lease -> lease.work().owner().equals(owner))
                .toList();
    }

    @Override
    public Map<UUID, WorkId.Type> overdue(Instant now) {
        Map<UUID, WorkId.Type> owners = new LinkedHashMap<>();
        for (LeaseRow lease : live.values()) {
            if (!lease.expiresAt().isAfter(now)) {
                owners.put(lease.work().owner(), lease.work().type());
            }
        }
        return owners;
    }

    @Override
    public int lost(WorkId work) {
        return (int) leasesOf(work.id()).stream()
                .filter(lease -> lease.ending() == LeaseRow.Ending.EXPIRED)
                .count();
    }

    private final class Tasks implements WorkKind {

        @Override
        public Set<WorkId.Type> types() {
            return Set.of(WorkId.Type.TASK);
        }

        @Override
        public boolean holdOwner(UUID owner) {
            return tasks.containsKey(owner);
        }

        @Override
        public void giveUp(LeaseRow lease, String why) {
            end(lease.work().id(), false);
        }
    }
}
