/** Tests of how accumulators reach shared memory. */
@NullMarked
package dev.tilewright.gemm.epilogue;

import org.jspecify.annotations.NullMarked;
