/** Tests of the Blackwell family. */
@org.jspecify.annotations.NullMarked
package dev.tilewright.gemm.sm100;
