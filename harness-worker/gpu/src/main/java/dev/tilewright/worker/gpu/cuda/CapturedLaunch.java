package dev.tilewright.worker.gpu.cuda;

/**
 * A launch of a library, as the driver sees it.
 *
 * @param kernels names of its kernels with grid, block, shared bytes and cluster; two kernels differ if it differs
 * @param launch the same with a hash of their parameters; two launches on the same operands differ if it differs
 */
public record CapturedLaunch(String kernels, String launch) {}
