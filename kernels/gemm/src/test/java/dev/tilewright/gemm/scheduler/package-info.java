@NullMarked
package dev.tilewright.gemm.scheduler;

import org.jspecify.annotations.NullMarked;
