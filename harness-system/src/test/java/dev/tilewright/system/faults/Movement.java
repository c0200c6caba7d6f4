package dev.tilewright.system.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Whether an installation makes any progress: a log grew, a process came or went, a job has another state or other
 * counts. A busy machine is slow, and says so by moving now and then.
 */
final class Movement {

    private static final Duration LOOK = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofMinutes(5);
    /** Logs may repeat themselves for ever. */
    private static final Duration LAST_RESORT = Duration.ofMinutes(20);

    private final Installation installation;
    private final long start = System.nanoTime();
    private Set<Object> seen = Set.of();
    private long moved = start;
    private long looked = start - LOOK.toNanos();

    Movement(Installation installation) {
        this.installation = installation;
    }

    /** False if nothing has moved for long. */
    boolean goesOn() throws InterruptedException {
        long now = System.nanoTime();
        if (now - looked >= LOOK.toNanos()) {
            looked = now;
            Set<Object> sight = look();
            if (!sight.equals(seen)) {
                seen = sight;
                moved = now;
            }
        }
        return now - moved < LONG.toNanos() && now - start < LAST_RESORT.toNanos();
    }

    private Set<Object> look() throws InterruptedException {
        Set<Object> sight = new HashSet<>();
        for (Path log : installation.logFiles()) {
            sight.add(List.of(log, size(log)));
        }
        installation.processes().map(ProcessHandle::pid).forEach(sight::add);
        try {
            for (JsonNode job : installation.get("/api/v1/jobs").get("items")) {
                sight.add(job);
            }
        } catch (IOException away) {
            sight.add("nobody answers");
        }
        return sight;
    }

    private static long size(Path log) {
        try {
            return Files.exists(log) ? Files.size(log) : 0;
        } catch (IOException rotated) {
            return 0;
        }
    }

    @Override
    public String toString() {
        long now = System.nanoTime();
        return "nothing has moved for %d s, of the %d s that it took"
                .formatted((now - moved) / 1_000_000_000, (now - start) / 1_000_000_000);
    }
}
