package dev.tilewright.worker.cli.apply;

import java.util.Optional;

/**
 * The GPU that a pack is for.
 *
 * @param origin of the choices, on one line
 * @param simulated whether they are those of a model
 * @param name as PyTorch has it; empty if any with so many SMs will do
 * @param driver with which times were measured
 */
public record PackDevice(String origin, boolean simulated, Optional<String> name, Optional<String> driver, int sms) {}
