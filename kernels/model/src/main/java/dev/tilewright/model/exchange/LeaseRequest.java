package dev.tilewright.model.exchange;

import java.util.UUID;

/**
 * A worker asks for work for one of its devices.
 *
 * @param workerId of the worker, as registered
 * @param device label of the device, as registered
 * @param max how many leases it can use, at least 1
 */
public record LeaseRequest(UUID workerId, String device, int max) {}
