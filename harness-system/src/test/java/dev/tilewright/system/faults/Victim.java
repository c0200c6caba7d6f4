package dev.tilewright.system.faults;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** A process of an installation that a fault may hit. */
enum Victim {
    API,
    WORKER,
    /** The child of the worker that has the device. */
    RUNNER,
    /** A child of the worker that makes cubins. */
    ASSEMBLER,
    /** The postmaster. */
    POSTGRES,
    /** A child of the postmaster: a session, or one that writes for all. */
    BACKEND;

    /** The process, if it is there. */
    Optional<ProcessHandle> in(Installation installation, RandomGenerator random) throws IOException {
        return switch (this) {
            case API -> installation.api().filter(ProcessHandle::isAlive);
            case WORKER -> installation.worker();
            case RUNNER -> installation.runner();
            case ASSEMBLER -> installation.assembler();
            case POSTGRES -> installation.postmaster();
            case BACKEND ->
                installation
                        .postmaster()
                        .map(postmaster -> postmaster.children().toList())
                        .filter(children -> !children.isEmpty())
                        .map(children -> oneOf(children, random));
        };
    }

    private static ProcessHandle oneOf(List<ProcessHandle> all, RandomGenerator random) {
        return all.get(random.nextInt(all.size()));
    }

    @Override
    public String toString() {
        return switch (this) {
            case API -> "API";
            case POSTGRES -> "Postgres";
            case BACKEND -> "a child of Postgres";
            case WORKER, RUNNER, ASSEMBLER -> name().toLowerCase(Locale.ROOT);
        };
    }
}
