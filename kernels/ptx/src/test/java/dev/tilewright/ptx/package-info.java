/**
 * Tests of PTX as data. In: the builder. Out: golden texts beside the tests ({@code X.expected.ptx}, rewritten only by
 * {@code -Dgolden.accept=true}) and proofs by ptxas where it is on the PATH. Must not know: GEMM.
 */
@NullMarked
package dev.tilewright.ptx;

import org.jspecify.annotations.NullMarked;
