package dev.tilewright.model.exchange;

import java.util.UUID;

/**
 * A worker asks for work for one of its devices.
 *
 * @param workerId of the worker, as registered
 * @param device label of the device, as registered
 * @param max how many leases it can use, at least 1
 * @param waitMs how long the answer may wait for work if there is none, in milliseconds, from 0 to 10,000; 0 answers at
 *     once
 */
public record LeaseRequest(UUID workerId, String device, int max, int waitMs) {

    /** The longest wait, in milliseconds. A worker counts as gone after 15 s without a request. */
    public static final int MAX_WAIT_MS = 10_000;
}
