@NullMarked
package dev.tilewright.gemm.launch;

import org.jspecify.annotations.NullMarked;
