@NullMarked
package dev.tilewright.gemm.raster;

import org.jspecify.annotations.NullMarked;
