package dev.tilewright.model.exchange;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A worker says that it is there, and again whenever its devices change.
 *
 * @param workerId chosen by the worker when it starts; who shows the token of this worker may register it again
 * @param host name of its machine
 * @param pid its process
 * @param devices what it brings
 * @param families for each kernel family it can build, the id of that build
 */
public record WorkerRegistration(
        UUID workerId, String host, long pid, List<DeviceOffer> devices, Map<String, String> families) {

    /** The header in which a worker shows its own token, beside the one that all workers have. */
    public static final String TOKEN_HEADER = "Tilewright-Worker-Token";

    /** The same under another id. */
    public WorkerRegistration as(UUID otherId) {
        return new WorkerRegistration(otherId, host, pid, devices, families);
    }

    /**
     * Answer to a registration.
     *
     * @param workerToken the worker's own: with it alone leases are asked for, kept alive and reported under its id
     */
    public record Registered(String workerToken) {}
}
