package dev.tilewright.worker.device;

import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.worker.compile.Assembly;

/**
 * A kernel that can be loaded and launched.
 *
 * @param ptxHash SHA-256 of its text
 */
public record PreparedKernel(KernelLaunch launch, Assembly assembly, String ptxHash) {}
