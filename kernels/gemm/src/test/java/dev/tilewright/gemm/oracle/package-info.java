/**
 * Tests of the oracle: golden texts beside them, proofs by ptxas. Must not know: the kernels that the oracle judges.
 */
@NullMarked
package dev.tilewright.gemm.oracle;

import org.jspecify.annotations.NullMarked;
