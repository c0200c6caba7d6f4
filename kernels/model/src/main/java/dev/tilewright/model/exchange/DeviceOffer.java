package dev.tilewright.model.exchange;

import dev.tilewright.model.trial.Testbed;

/**
 * A device that a worker brings.
 *
 * @param label how the worker's host names it: {@code cuda:0}, {@code simulated:h200}
 * @param testbed what its numbers belong to
 */
public record DeviceOffer(String label, Testbed testbed) {}
