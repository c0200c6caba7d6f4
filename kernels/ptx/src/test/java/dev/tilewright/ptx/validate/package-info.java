/** Tests of the validator: every rule has a module that breaks it. Must not know: text, GEMM. */
@NullMarked
package dev.tilewright.ptx.validate;

import org.jspecify.annotations.NullMarked;
