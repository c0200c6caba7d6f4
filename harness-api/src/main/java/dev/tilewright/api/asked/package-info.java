/**
 * Kernels that a request names: a config, a trial's, a peer's, with problem, family and device. Comes in: what a user
 * wrote. Goes out: what a GPU is asked for, or everything that is wrong with it at once. Must not know what is done
 * with the kernels.
 */
@NullMarked
package dev.tilewright.api.asked;

import org.jspecify.annotations.NullMarked;
