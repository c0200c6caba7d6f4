/**
 * PTX as data: modules, kernels, and the builders that make them.
 *
 * <p>{@link dev.tilewright.ptx.PtxModule#build} opens a module, {@code entry} a kernel, {@code code} its body; builders
 * reach the author only through lambdas, so that every block is closed, and an outer builder refuses work while an
 * inner block is open. A Java {@code if} is decided when the kernel is built, {@code ifThen} on the GPU. The same calls
 * give the same module.
 *
 * <p>In: calls. Out: immutable {@link dev.tilewright.ptx.PtxModule}s for {@code emulator}, {@code text} and
 * {@code validate}. Must not know: GEMM, CUDA, files.
 */
@NullMarked
package dev.tilewright.ptx;

import org.jspecify.annotations.NullMarked;
