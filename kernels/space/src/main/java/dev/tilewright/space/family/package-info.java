/**
 * Search spaces of the kernel families: the only package of gemm that the API sees. Knows parameters and limits, not
 * how a kernel is built.
 */
@NullMarked
package dev.tilewright.space.family;

import org.jspecify.annotations.NullMarked;
