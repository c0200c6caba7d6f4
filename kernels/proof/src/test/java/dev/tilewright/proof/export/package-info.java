/**
 * Tests of exported programs: they are compiled without CUDA, and run against a driver that writes down what it is
 * told. Must not know: GPUs.
 */
@NullMarked
package dev.tilewright.proof.export;

import org.jspecify.annotations.NullMarked;
