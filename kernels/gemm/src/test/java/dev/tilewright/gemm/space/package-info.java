@NullMarked
package dev.tilewright.gemm.space;

import org.jspecify.annotations.NullMarked;
