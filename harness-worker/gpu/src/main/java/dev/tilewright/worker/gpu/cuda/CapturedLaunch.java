package dev.tilewright.worker.gpu.cuda;

/**
 * What a launch of a library consists of, as the driver sees it.
 *
 * @param kernels names of its kernels with grid, block, shared bytes and cluster: what tells kernels apart
 * @param launch the same with a hash of their parameters: what tells launches on the same operands apart
 */
public record CapturedLaunch(String kernels, String launch) {}
