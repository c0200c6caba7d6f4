@NullMarked
package dev.tilewright.space.gemm;

import org.jspecify.annotations.NullMarked;
