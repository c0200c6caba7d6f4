package dev.tilewright.api.worker;

import dev.tilewright.model.trial.Testbed;
import java.util.Set;
import java.util.UUID;

/**
 * A device of a worker that asked for work.
 *
 * @param families that the worker can build
 */
public record WorkerDevice(
        UUID workerId, String host, String label, UUID testbedId, Testbed testbed, Set<String> families) {}
