/**
 * The algorithms of the vendor's library: how a config says one, and in which order they are worth a try.
 *
 * <p>Comes in: a shape, and what the library says of each of its algorithms. Goes out: algorithms. Must not know: how
 * the library is called, how kernels are timed.
 */
@NullMarked
package dev.tilewright.space.vendor;

import org.jspecify.annotations.NullMarked;
