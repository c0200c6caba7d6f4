/** Tests of the verifier: every rule has a module that breaks it. Must not know: text, GEMM. */
@NullMarked
package dev.tilewright.ptx.verify;

import org.jspecify.annotations.NullMarked;
