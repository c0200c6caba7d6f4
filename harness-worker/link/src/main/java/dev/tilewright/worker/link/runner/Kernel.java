package dev.tilewright.worker.link.runner;

import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.worker.link.Cubin;

/**
 * An assembled kernel and how it is launched.
 *
 * @param cubin the module; it has the entry {@code launch.entry()}
 * @param registers registers a thread, as the assembler said; the runner compares them with what it reads back
 */
public record Kernel(Cubin cubin, KernelLaunch launch, int registers) {}
