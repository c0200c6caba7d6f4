package dev.tilewright.model.exchange;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A worker says that it is there, and again whenever its devices change.
 *
 * @param workerId chosen by the worker when it starts; registering twice is the same as once
 * @param host name of its machine
 * @param pid its process
 * @param devices what it brings
 * @param families for each kernel family it can build, the id of that build
 */
public record WorkerRegistration(
        UUID workerId, String host, long pid, List<DeviceOffer> devices, Map<String, String> families) {}
