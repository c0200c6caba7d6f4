/**
 * Checks of kernel texts by the emulator, kept so that a text is checked once. Comes in: findings of workers. Goes out:
 * the same, to workers and users. Must not know trials, leases or how a check is made.
 */
@NullMarked
package dev.tilewright.api.check;

import org.jspecify.annotations.NullMarked;
