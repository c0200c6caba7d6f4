/**
 * The list of all families; nothing else names them.
 *
 * <p>Comes in: a name. Goes out: the family that builds kernels. Must not know: how a kernel is built; nothing else in
 * gemm may look here, since everything else is below it.
 */
@NullMarked
package dev.tilewright.gemm.family;

import org.jspecify.annotations.NullMarked;
