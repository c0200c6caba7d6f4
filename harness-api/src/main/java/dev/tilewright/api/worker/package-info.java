/**
 * Workers: registrations, devices and the testbeds behind them, and when each worker was last heard. Comes in:
 * registrations. Goes out: the devices to whom work may be leased. Must not know what is leased.
 */
@NullMarked
package dev.tilewright.api.worker;

import org.jspecify.annotations.NullMarked;
