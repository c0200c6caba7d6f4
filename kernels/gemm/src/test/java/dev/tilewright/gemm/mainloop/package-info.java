/** Tests of the mainloops' parts. */
@NullMarked
package dev.tilewright.gemm.mainloop;

import org.jspecify.annotations.NullMarked;
