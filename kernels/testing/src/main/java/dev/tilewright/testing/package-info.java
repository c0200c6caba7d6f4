/**
 * Seeded draws for the tests of all modules.
 *
 * <p>Comes in: a test method whose parameters say the range of their values. Goes out: rows of drawn values, the same
 * in each run, and the seed of each row. Must not know: any product code.
 */
@NullMarked
package dev.tilewright.testing;

import org.jspecify.annotations.NullMarked;
