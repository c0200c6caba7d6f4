/**
 * The runner: a process that owns one GPU, or the model of one, and answers one request after the other.
 *
 * <p>Comes in: {@link dev.tilewright.worker.link.runner.RunnerRequest} messages on standard input. Goes out:
 * {@link dev.tilewright.worker.link.runner.RunnerReply} messages on standard output, which carries nothing else. It
 * exits when its input ends, and by itself after a fault of the device. Must not know: leases, REST, how a kernel was
 * built or assembled.
 */
@NullMarked
package dev.tilewright.worker.gpu.runner;

import org.jspecify.annotations.NullMarked;
