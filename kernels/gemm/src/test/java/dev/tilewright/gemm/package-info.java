/** Tests of the kernel families without a GPU. */
@NullMarked
package dev.tilewright.gemm;

import org.jspecify.annotations.NullMarked;
