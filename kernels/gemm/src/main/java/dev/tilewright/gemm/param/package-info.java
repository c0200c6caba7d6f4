/** Parameters of kernels, each with what a launch passes for it. */
@NullMarked
package dev.tilewright.gemm.param;

import org.jspecify.annotations.NullMarked;
