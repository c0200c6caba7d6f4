/**
 * CUDA: the only package that touches JCuda or {@code java.lang.foreign}.
 *
 * <p>Comes in: images of modules, launches as data, addresses. Goes out: {@link dev.tilewright.worker.gpu.cuda.Gpu},
 * one GPU with one stream, and small ports for the driver's assembler, for NVML and for cublasLt; every failed call is
 * a {@link dev.tilewright.worker.gpu.cuda.CudaException}. JCuda serves the driver API; {@code java.lang.foreign} serves
 * what it lacks (tensor maps, extensible launches, NVML, cublasLt) and the linker, whose log buffers JCuda frees too
 * early.
 *
 * <p>Must not know: GEMM, verification, how a trial is timed, leases.
 */
@NullMarked
package dev.tilewright.worker.gpu.cuda;

import org.jspecify.annotations.NullMarked;
