@NullMarked
package dev.tilewright.gemm.sm90;

import org.jspecify.annotations.NullMarked;
