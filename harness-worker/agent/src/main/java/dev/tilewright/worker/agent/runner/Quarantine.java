package dev.tilewright.worker.agent.runner;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Texts that hung or faulted; one that did so twice is not run again. */
public final class Quarantine {

    private static final int CHANCES = 2;

    private final Map<String, Integer> offences = new ConcurrentHashMap<>();

    /**
     * Remembers that the text killed a runner.
     *
     * @param ptxHash SHA-256 of the text
     */
    public void blame(String ptxHash) {
        offences.merge(ptxHash, 1, Integer::sum);
    }

    /** Whether the text has had its chances. */
    public boolean holds(String ptxHash) {
        return offences.getOrDefault(ptxHash, 0) >= CHANCES;
    }
}
